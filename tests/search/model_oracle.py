"""Brute force for a model on disk: rules through `Rules`, language models as ARPA files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.search import SearchOptions, Step
from tests.oracle.arpa import Arpa
from tests.oracle.phrase_search import Derivation, Phrase, PhraseOracle, Scores, Words

__all__ = ["derivation_of", "oracle_of"]


class RuleBook:
    """A model's rules by source side."""

    def __init__(self, model: Model) -> None:
        self.rules = model.rules
        self.find = lru_cache(maxsize=None)(self._find)

    def get(
        self, source: Words, default: Sequence[tuple[Words, Scores]], /
    ) -> Sequence[tuple[Words, Scores]]:
        return self.find(source) or default

    def _find(self, source: Words) -> list[tuple[Words, Scores]]:
        return [(rule.target, rule.scores) for rule in self.rules.find(" ".join(source))]


def oracle_of(model: Model, options: SearchOptions, folder: Path) -> PhraseOracle:
    arpas = []
    for i, path in enumerate(model.language_models):
        text = folder / f"{i}.arpa"
        if not text.exists():
            LanguageModel.load(path, marks_may_miss=True).save(text)
        arpas.append(Arpa.read(text))
    counted = bool(model.settings.get("unknown_phrase_penalty", False))
    return PhraseOracle(
        RuleBook(model), arpas, model.weights, options, unknown_phrase_penalty=counted
    )


def derivation_of(
    model: Model, oracle: PhraseOracle, words: Words, steps: Sequence[Step]
) -> Derivation:
    """Steps in the oracle's terms; scores are looked up by words, not by rule number."""
    found = []
    for rule, begin, end in steps:
        if rule < 0:
            found.append(Phrase(begin, end, words[begin:end], None))
            continue
        target = tuple(map(model.vocabulary.word, model.rules.store.target(rule)))
        scores = dict(oracle.table.get(words[begin:end], ()))[target]
        found.append(Phrase(begin, end, target, scores))
    return tuple(found)
