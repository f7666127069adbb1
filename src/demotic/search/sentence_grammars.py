"""Sentences with their own grammars, as written by the extractors of cdec and Joshua:

    <seg id="864" grammar="grammars/grammar.864.gz"> text </seg>

Such a sentence is translated only with the rules of that file, in the common format of cdec and
Joshua; language models, weights and settings are the model's.  Paths are relative to the model
directory and must stay inside it unless others are allowed.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from demotic import _core
from demotic.errors import Error, FormatError
from demotic.lines import LineFile
from demotic.rules import Rules
from demotic.search.decoder import Decoder

__all__ = ["Sentence", "SentenceGrammars"]

# Only in this form: other lines that begin with "<seg" are text.
_SEGMENT = re.compile(r' *<seg((?: +[a-zA-Z]+="[^"]*")+) *>(.*)</seg> *')
_ATTRIBUTE = re.compile(r'([a-zA-Z]+)="([^"]*)"')
_KEPT = 16  # cached decoders, for nearby sentences with the same grammar


class Sentence(NamedTuple):
    """Text, and the path of its grammar if it has one."""

    text: str
    grammar: str | None = None


class SentenceGrammars:
    """Makes decoders of a model for other grammars."""

    def __init__(self, decoder: Decoder, *, allow_outside: bool = False) -> None:
        self._decoder = decoder
        self._allow_outside = allow_outside
        self.decoder = lru_cache(maxsize=_KEPT)(self._decoder_of)

    def read(self, line: str) -> Sentence:
        """A line without its markup; incomplete markup is text."""
        found = _SEGMENT.fullmatch(line)
        if not found:
            return Sentence(line)
        attributes = dict(_ATTRIBUTE.findall(found[1]))
        return Sentence(found[2].strip(" "), attributes.get("grammar"))

    def _decoder_of(self, grammar: str) -> Decoder:
        from demotic.search.kinds import decoder_of

        model = self._decoder.model
        if model.kind != "hiero":
            raise Error(
                f"a sentence with the grammar {grammar} for a phrase model",
                expected="a hierarchical model",
            )
        path = replace(model, allow_outside=self._allow_outside).part(grammar)
        rules = _read_grammar(path, model.rules.store.score_names)
        own = replace(model, rules=rules, vocabulary=rules.vocabulary)
        own.__dict__["native_language_models"] = model.native_language_models
        return decoder_of(own, self._decoder.options, self._decoder.weights)


def _read_grammar(path: Path, names: list[str]) -> Rules:
    """Rules with the given columns; unnamed scores are numbered like the model's.

    Raises FormatError for a feature that the model does not have.
    """
    vocabulary = _core.VocabularyBuilder()
    table = _core.RuleTable(vocabulary)
    for name in names:
        table.add_column(name)
    reader = _core.read_table(
        table, _core.TableFormat.scfg, os.fspath(path), _prefix(names), len(names)
    )
    for lines in LineFile(path).chunks():
        reader.add(lines)
    if len(table.columns) > len(names):
        raise FormatError(
            f"the feature {table.columns[len(names)]}, which the model does not have",
            path=path,
            expected=", ".join(names) or "rules without features",
        )
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.bin"
        table.write(os.fspath(file), _core.Duplicates.refuse, None)
        return Rules.open(file, vocabulary.finish(), verify=False)


def _prefix(names: list[str]) -> str:
    """The prefix that an import used for unnamed scores: PhraseModel_0, tm_pt_0."""
    numbered = [name[:-1] for name in names if name.endswith("_0")]
    return numbered[0] if numbered else "PhraseModel_"
