"""How text was prepared, as a value that prepares more text the same way and reverses it.

    preparation = Preparation.load("model")
    line = preparation.source("Wie geht's?")        # wie geht 's ?
    text = preparation.restore("how are you ?")     # How are you?

It is saved as `preparation.toml`.  A model directory keeps this file, so that `translate` reads and
writes raw text.  Learnt parts are saved next to it: `truecase.<language>`, for scripts
without spaces `segmenter.<language>`, and for languages with compounds `compounds.<language>`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from demotic.errors import Error, InputError
from demotic.lines import EncodingPolicy, PathLike
from demotic.options import Options, option
from demotic.text.clean import Normalization
from demotic.text.compound_links import COMPOUNDING
from demotic.text.compound_words import CompoundForm
from demotic.text.languages import base_language
from demotic.text.prepare_place import FILE_NAME
from demotic.text.side import MAX_TOKEN_BYTES, Side
from demotic.text.tokenize import TokenizerName, tokenizer_for

__all__ = ["MAX_TOKEN_BYTES", "Preparation", "PrepareOptions", "Side"]


@dataclass(frozen=True, kw_only=True)
class PrepareOptions(Options):
    """How `demotic prepare` changes text, and which pairs it keeps."""

    case: Literal["true", "lower", "none"] = option(
        "true", "letter case: true case learnt from the text, lower case, or unchanged"
    )
    tokenizer: TokenizerName = option("auto", "tokeniser; none splits at spaces only")
    target_tokenizer: TokenizerName | None = option(None, "tokeniser of the target, if different")
    compounds: Literal["auto", "on", "off"] = option(
        "auto",
        "split compounds of German, Dutch, the Nordic languages, Finnish, Estonian and Hungarian "
        "into words of the corpus; auto: of the source only",
    )
    target_compounds: Literal["auto", "on", "off"] | None = option(
        None, "the same for the target, if different"
    )
    unicode: Normalization = option("nfc", "Unicode normalisation form")
    escape: bool = option(True, "escape | [ ] < > & as Moses does, for rule tables")
    min_length: int = option(1, "drop shorter sentences", unit="tokens", minimum=1)
    max_length: int = option(100, "drop longer sentences", unit="tokens", minimum=1)
    max_ratio: float = option(9.0, "drop pairs with a higher length ratio", minimum=1)
    drop_duplicates: bool = option(False, "keep only the first of identical pairs")
    keep_all: bool = option(False, "drop nothing, so that lines stay parallel (dev and test sets)")
    encoding_errors: EncodingPolicy | None = option(
        None, "treatment of malformed UTF-8 (default: refuse; replace with --keep-all)"
    )

    @property
    def encoding_policy(self) -> EncodingPolicy:
        return self.encoding_errors or ("replace" if self.keep_all else "refuse")


@dataclass(frozen=True)
class Preparation:
    """The preparation of both languages; if there is only one, it is the source."""

    options: PrepareOptions
    source_side: Side
    target_side: Side | None = None
    counts: dict[str, int] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)  # warnings from loading
    work: str = ""  # content key of input and options, to recognise the same work

    @classmethod
    def begin(
        cls, options: PrepareOptions, source_language: str, target_language: str = ""
    ) -> Preparation:
        """Chooses the tokenisers. Raises Error if one is not installed."""
        if target_language == source_language:
            raise InputError(
                f"source and target are both {source_language}", expected="two languages"
            )
        name = options.tokenizer
        forms = _compound_forms(options, source_language, target_language)
        tokenizer = tokenizer_for(source_language, name)
        source = Side(source_language, tokenizer, options, compound_form=forms[0])
        if not target_language:
            return cls(options, source)
        name = options.target_tokenizer or name
        tokenizer = tokenizer_for(target_language, name)
        target = Side(target_language, tokenizer, options, compound_form=forms[1])
        return cls(options, source, target)

    @property
    def sides(self) -> tuple[Side, ...]:
        return (
            (self.source_side,)
            if self.target_side is None
            else (self.source_side, self.target_side)
        )

    def of(self, language: str) -> Preparation:
        """The preparation of one language. Raises Error if it is not among the prepared ones."""
        for side in self.sides:
            if side.language == language:
                return Preparation(self.options, side)
        known = " and ".join(side.language for side in self.sides)
        raise Error(f"the language {language!r}", expected=f"a prepared language: {known}")

    def source(self, line: str) -> str:
        """Prepares a raw line of the source language."""
        return self.source_side.prepared(line)

    def target(self, line: str) -> str:
        """Prepares a raw line of the target language."""
        return self.sides[-1].prepared(line)

    def restore(self, line: str) -> str:
        """A prepared line of the target language as natural text."""
        return self.sides[-1].restored(line)

    def save(self, directory: PathLike) -> tuple[str, ...]:
        """Returns the names of the files that hold learnt parts; `load` needs all of them."""
        from demotic.text.preparation_file import write_preparation

        learnt = [name for side in self.sides for name in side.save_learnt(directory)]
        write_preparation(self, Path(directory) / FILE_NAME)
        return tuple(learnt)

    @classmethod
    def load(cls, directory: PathLike) -> Preparation:
        """Raises IoError if there is none, FormatError listing all errors of the file."""
        from demotic.text.preparation_file import read_preparation

        return read_preparation(Path(directory) / FILE_NAME)


def _compound_forms(
    options: PrepareOptions, source: str, target: str
) -> tuple[CompoundForm | None, CompoundForm | None]:
    """How the compounds of each side are split. Raises InputError."""
    wanted = options.compounds, options.target_compounds or options.compounds
    known = [bool(code) and base_language(code) in COMPOUNDING for code in (source, target)]
    if "on" in wanted and not any(known):
        raise InputError(
            f"compounds of {source}" + (f" and {target}" if target else ""),
            expected=f"one of {', '.join(sorted(COMPOUNDING))}",
            advice="omit --compounds",
        )
    # The tokens of tokenised text are those that its user wants, and text of one language is
    # mostly that of a target.
    auto = target != "" and options.tokenizer != "none"
    splits = wanted[0] == "on" or (wanted[0] == "auto" and auto)
    return (
        "words" if known[0] and splits else None,
        "marked" if known[1] and wanted[1] == "on" else None,
    )
