"""A back-off language model as its ARPA file defines it (Katz 1987): look up, else back off."""

from __future__ import annotations

import gzip
import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path

__all__ = ["Arpa", "ClassArpa"]

Words = tuple[str, ...]
Entry = tuple[float, float]  # log10 of the probability and of the backoff weight

MARKS = ("<s>", "</s>", "<unk>")


class Arpa:
    """Every n-gram with its two numbers; words that it lacks, and marks in a text, are <unk>."""

    def __init__(self, entries: Mapping[Words, Entry]) -> None:
        self.entries = entries
        self.order = max(map(len, entries))
        self.score = lru_cache(maxsize=100_000)(self._score)

    @classmethod
    def read(cls, path: Path) -> Arpa:
        entries: dict[Words, Entry] = {}
        opened = gzip.open if path.name.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if len(fields) > 1:
                    backoff = float(fields[2]) if len(fields) > 2 else 0.0
                    entries[tuple(fields[1].split())] = (float(fields[0]), backoff)
        unknown = entries.setdefault(("<unk>",), (-100.0, 0.0))  # as in KenLM
        entries.setdefault(("</s>",), unknown)
        return cls(entries)

    def log(self, words: Words) -> float:
        """Natural log of the probability of a sentence."""
        return self.score(words, begin=True, end=True)

    def _score(self, words: Words, *, begin: bool, end: bool) -> float:
        """Of words after <s> if `begin`, else after nothing; with </s> if `end`."""
        first = ("<s>",) if begin else ()
        text = (*first, *map(self._known, words), *(("</s>",) if end else ()))
        return math.log(10) * sum(
            self._log10(text[max(0, i - self.order + 1) : i], text[i])
            for i in range(len(first), len(text))
        )

    def context(self, words: Words) -> Words:
        """The last words of a sentence that the probability of the next one depends on."""
        kept = ("<s>", *map(self._known, words))[-self.order + 1 :] if self.order > 1 else ()
        while kept and not self._matters(kept):
            kept = kept[1:]
        return kept

    def _matters(self, context: Words) -> bool:
        return context in self._extended or self.entries.get(context, (0.0, 0.0))[1] != 0.0

    @cached_property
    def _extended(self) -> frozenset[Words]:
        return frozenset(words[:-1] for words in self.entries)

    def _known(self, word: str) -> str:
        return word if (word,) in self.entries and word not in MARKS else "<unk>"

    def _log10(self, context: Words, word: str) -> float:
        if (*context, word) in self.entries:
            return self.entries[*context, word][0]
        if not context:
            raise KeyError(word)
        return self.entries.get(context, (0.0, 0.0))[1] + self._log10(context[1:], word)


class ClassArpa(Arpa):
    """N-grams of classes; words without one are <unk>."""

    def __init__(self, entries: Mapping[Words, Entry], classes: Mapping[str, str]) -> None:
        super().__init__(entries)
        self.classes = classes

    def _known(self, word: str) -> str:
        return super()._known(self.classes.get(word, "<unk>"))
