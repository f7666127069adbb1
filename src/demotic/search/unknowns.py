"""Detects texts whose words are mostly unknown to a model, and the likely reason.

    found = unknown_words(model, lines, "source")
    if found.should_warn:
        print(found.text)

A text with mostly unknown words is translated by copying it, and tuning on it learns nothing.  The
usual reasons can be detected from the words: raw text where tokens are expected, the wrong
language, source and target swapped, or the wrong case.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal

from demotic import _core
from demotic.text.scripts import main_script

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["KnownWords", "Reason", "TextSide", "UnknownWords", "unknown_words"]

TextSide = Literal["source", "target"]
Reason = Literal["raw", "unsegmented", "case", "swapped", "script", "other"]

_SAMPLE = 2000  # lines; enough to decide for any text
_MOSTLY = 0.5  # of the running words
_NOTABLE = 0.1  # share of words, if nearly all sentences are affected and the reason is clear
_NEARLY_ALL = 0.8
_FEW = 5  # words or sentences; so little text needs a clear reason, or almost no known word
_NEARLY_SURE = 0.75
_LONGEST_WORD = 8  # characters, in scripts without spaces
_PUNCTUATION = string.punctuation + "“”‘’„«»…–—¿¡。，！？、；：（）「」《》"
_SPACELESS = ("Han", "Kana", "Thai", "Lao", "Khmer", "Myanmar")


class KnownWords:
    """The words that a model can translate, and those that it can produce."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @cached_property
    def _begins_a_rule(self) -> frozenset[int]:
        # Every word of the bitext begins some rule, except for a few that were never aligned.
        return frozenset(self._model.rules.store.first_words())

    def source(self, word: str) -> bool:
        number = self._model.vocabulary.find(word)
        return number != _core.UNKNOWN and number in self._begins_a_rule

    def target(self, word: str) -> bool:
        models = self._model.native_language_models
        return any(word in lm.words for lm in models) or (
            not models and word in self._model.vocabulary
        )

    def script(self, side: TextSide) -> str:
        """The script of most of the words."""
        if side == "source":
            words = self._model.vocabulary
            numbers: Iterable[int] = (one for one in sorted(self._begins_a_rule) if one > 0)
        else:
            models = self._model.native_language_models
            words = models[0].words if models else self._model.vocabulary
            numbers = range(len(words))
        return main_script(" ".join(map(words.word, islice(numbers, _SAMPLE))))


@dataclass(frozen=True)
class UnknownWords:
    """How many of the running words of a text are unknown, and the likely reason."""

    words: int
    unknown: int
    sentences: int
    affected: int
    """Sentences with an unknown word."""
    reason: Reason
    explanation: str
    """The reason in words, with an example from the text."""

    @property
    def share(self) -> float:
        return self.unknown / self.words if self.words else 0.0

    @property
    def should_warn(self) -> bool:
        """Whether the text should be checked before it is used."""
        if self.words < _FEW:
            needed = _NEARLY_SURE if self.reason == "other" else _MOSTLY
            return self.unknown > 1 and self.share >= needed
        if self.share >= _MOSTLY:
            return True
        widespread = self.affected >= _NEARLY_ALL * self.sentences and self.sentences >= _FEW
        return widespread and self.share >= _NOTABLE and self.reason != "other"

    @property
    def text(self) -> str:
        return (
            f"{100 * self.share:.0f} % of the running words are unknown to the model "
            f"({self.unknown:,} of {self.words:,}, in {self.affected:,} of {self.sentences:,} "
            f"sentences); likely reason: {self.explanation}"
        )


def unknown_words(
    model: Model, lines: Sequence[str], side: TextSide = "source", *, raw: bool = False
) -> UnknownWords:
    """Counts in the first lines of a text, as tokens; `raw`: the model prepared them itself."""
    known = KnownWords(model)
    knows = known.source if side == "source" else known.target
    sample = [tokens for tokens in map(str.split, lines[:_SAMPLE]) if tokens]
    counts = Counter(word for tokens in sample for word in tokens)
    unknown = Counter({word: n for word, n in counts.items() if not knows(word)})
    strange = frozenset(unknown)
    affected = sum(not strange.isdisjoint(tokens) for tokens in sample)
    reason, explanation = _Evidence(model, known, side, raw, unknown).likely_reason(sample)
    return UnknownWords(counts.total(), unknown.total(), len(sample), affected, reason, explanation)


class _Evidence:
    """The evidence for each reason: the share of running words that it explains."""

    def __init__(
        self, model: Model, known: KnownWords, side: TextSide, raw: bool, unknown: Counter[str]
    ) -> None:
        self._model, self._known, self._side, self._raw = model, known, side, raw
        self._unknown = unknown
        self._knows = known.source if side == "source" else known.target
        self._total = max(1, unknown.total())

    def likely_reason(self, sample: Sequence[Sequence[str]]) -> tuple[Reason, str]:
        glued, case = self._explained(self._without_marks), self._explained(self._recased)
        if glued[0] >= 0.2 and glued[0] + case[0] >= 0.5:
            return "raw", f"the text is not tokenised{_shown(glued)}{self._prepare_it()}"
        pieces = self._explained(self._pieces)
        if pieces[0] >= 0.5:
            return "unsegmented", (
                f"the text is not segmented into words{_shown(pieces)}{self._prepare_it()}"
            )
        if case[0] >= 0.5:
            return "case", f"the text is in another case{_shown(case)}{self._prepare_it()}"
        other = self._known.target if self._side == "source" else self._known.source
        if self._explained(lambda word: word if other(word) else "")[0] >= 0.5:
            return "swapped", self._swapped()
        return self._foreign(sample)

    def _explained(self, change: Callable[[str], str]) -> tuple[float, str, str]:
        """The share of the unknown words that `change` turns into known ones, and an example."""
        found = {word: change(word) for word in self._unknown}
        explained = [word for word, better in found.items() if better]
        share = sum(self._unknown[word] for word in explained) / self._total
        first = explained[0] if explained else ""
        return share, first, found.get(first, "")

    def _recased(self, word: str) -> str:
        variants = (word.lower(), word.capitalize(), word.upper())
        return next((one for one in variants if one != word and self._knows(one)), "")

    def _without_marks(self, word: str) -> str:
        bare = word.strip(_PUNCTUATION)
        if not bare or bare == word:
            return ""
        return bare if self._knows(bare) else self._recased(bare)

    def _pieces(self, word: str) -> str:
        """Known words that make up most of an unknown one, the longest first."""
        if len(word) < 3 or word.isascii() or main_script(word * 4) not in _SPACELESS:
            return ""
        found, place = [], 0
        while place < len(word):
            ends = range(min(len(word), place + _LONGEST_WORD), place, -1)
            end = next((e for e in ends if self._knows(word[place:e])), 0)
            found += [word[place:end]] if end else []
            place = end or place + 1
        return " ".join(found) if 5 * sum(map(len, found)) >= 4 * len(word) else ""

    def _swapped(self) -> str:
        info = self._model.info
        names = {"source": info.source_language, "target": info.target_language}
        here = names[self._side]
        other = "target" if self._side == "source" else "source"
        there = names[other]
        return (
            f"the words are those of the model's {other} side{f' ({there})' if there else ''}, "
            f"not of its {self._side} side{f' ({here})' if here else ''}: source and target are "
            "swapped, or the model translates the other way"
        )

    def _foreign(self, sample: Sequence[Sequence[str]]) -> tuple[Reason, str]:
        found = main_script(" ".join(" ".join(tokens) for tokens in sample[:200]))
        expected = self._known.script(self._side)
        if found and expected and found != expected:
            return "script", (
                f"the text is in another language: its script is {found}, that of the model's "
                f"{self._side} side {expected}"
            )
        return "other", "the text is in another language, or from another domain than the model"

    def _prepare_it(self) -> str:
        if self._model.info.parts.preparation is None:
            return "; prepare it like the text of the model"
        return "" if self._raw else "; the model prepares raw text itself: omit --tokenized"


def _shown(example: tuple[float, str, str]) -> str:
    _, word, better = example
    return f" ('{word}' is unknown, '{better}' is known)"
