"""Splits compounds into words of the corpus, as Koehn and Knight (2003) do.

    splitter = CompoundSplitter("de", {"Aktion": 40, "Plan": 90, "Aktionsplan": 2})
    splitter.split("Aktionsplan")       # (Part(0, 7, "Aktion"), Part(7, 11, "Plan"))

Of all ways to divide a word into words of the corpus, that with the highest geometric mean of their
frequencies is chosen; the whole word is one of them.  Between parts there may be a linking element
of the language (`compound_links.py`) or a hyphen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from demotic.lines import PathLike
from demotic.text.case import lowered
from demotic.text.compound_links import endings_of, links_of
from demotic.text.sentence_starts import doubtful_starts
from demotic.text.word_table import read_count, read_word_table, write_word_table

__all__ = ["CompoundCounts", "CompoundSplitter", "Part"]

MIN_LETTERS = 3  # of a part
MIN_COUNT = 3  # of a part in the corpus
MAX_PARTS = 5
_MAX_LETTERS = 60  # of a compound; longer tokens are no words
_MAX_KNOWN = 1 << 18  # words whose parts are remembered


class Part(NamedTuple):
    """A stretch of a compound with its linking element, and the word that it stands for."""

    begin: int
    end: int
    word: str


# The best division of the beginning of a word by its number of parts: sum of log counts, parts.
_Divisions = dict[int, tuple[float, tuple[Part, ...]]]


class CompoundSplitter:
    """Splits the compounds of one language into the words of a table of counts."""

    def __init__(self, language: str, counts: dict[str, int]) -> None:
        """`counts` maps each word, in its usual case, to its occurrences in any case."""
        self.language = language
        self._counts = counts
        self._forms = {lowered(form, language): form for form in counts}
        self._logs = {
            word: math.log(counts[form])
            for word, form in self._forms.items()
            if counts[form] >= MIN_COUNT and len(word) >= MIN_LETTERS and word.isalpha()
        }
        self._links, self._endings = links_of(language), endings_of(language)
        self._known: dict[str, tuple[Part, ...]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return f"CompoundSplitter({self.language}, {len(self)} words)"

    def usual(self, word: str) -> str:
        """The word in the case in which it occurs most often; unknown words as they are."""
        return self._forms.get(lowered(word, self.language), word)

    def split(self, word: str) -> tuple[Part, ...]:
        """The parts of a compound, at least two; none if the word is better left whole."""
        if len(word) < 2 * MIN_LETTERS or len(word) > _MAX_LETTERS or not _is_word(word):
            return ()
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _MAX_KNOWN:  # a server sees new words for ever
                self._known.clear()
            found = self._known[word] = self._split(word)
        return found

    def _split(self, word: str) -> tuple[Part, ...]:
        small = lowered(word, self.language)
        if len(small) != len(word):  # parts would be cut elsewhere
            return ()
        best = math.log(self._counts[self._forms[small]]) if small in self._forms else 0.0
        found: tuple[Part, ...] = ()
        for number, (total, parts) in sorted(self._divisions(small)[-1].items()):
            if number > 1 and total / number > best:
                best, found = total / number, parts
        return found

    def _divisions(self, word: str) -> list[_Divisions]:
        """By dynamic programming from left to right: the best divisions up to each letter."""
        best: list[_Divisions] = [{} for _ in range(len(word) + 1)]
        best[0][0] = 0.0, ()
        for begin in range(len(word) - MIN_LETTERS + 1):
            if not best[begin]:
                continue
            for end in range(begin + MIN_LETTERS, len(word) + 1):
                if not (stem := self._stem(word[begin:end], is_last=end == len(word))):
                    continue
                part = Part(begin, end, self._forms[stem])
                for number, (total, parts) in best[begin].items():
                    score = total + self._logs[stem]
                    if number < MAX_PARTS and score > best[end].get(number + 1, (-1.0,))[0]:
                        best[end][number + 1] = score, (*parts, part)
        return best

    def _stem(self, text: str, *, is_last: bool) -> str:
        """The known word that a stretch stands for, by itself or with a linking element."""
        if is_last:
            return text if text in self._logs and text not in self._endings else ""
        if text in self._logs:
            return text
        if text[-1] == "-":
            return text[:-1] if text[:-1] in self._logs else ""
        stems = [
            stem
            for link, ending in self._links
            if text.endswith(link)
            and (stem := text[: len(text) - len(link)] + ending) in self._logs
        ]
        return max(stems, key=lambda stem: (self._logs[stem], stem), default="")

    def save(self, path: PathLike) -> None:
        """Writes a readable file: one word and its count per line, the most frequent first."""
        write_word_table(path, self._counts, "d")

    @classmethod
    def load(cls, path: PathLike, language: str) -> CompoundSplitter:
        return cls(language, read_word_table(path, read_count, expected="a count"))


def _is_word(text: str) -> bool:
    """Letters, and maybe hyphens; capitals only at the start and after hyphens."""
    return all(run.isalpha() and (run[1:].islower() or len(run) == 1) for run in text.split("-"))


class CompoundCounts:
    """Counts the words of one language; `model` makes the splitter."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._words: Counter[str] = Counter()
        self._forms: Counter[str] = Counter()

    def observe(self, tokens: Sequence[str]) -> None:
        starts = set(doubtful_starts(tokens, self._language))
        words = [(i, token) for i, token in enumerate(tokens) if len(token) >= MIN_LETTERS]
        self._words.update(lowered(token, self._language) for _, token in words)
        self._forms.update(token for i, token in words if i not in starts)

    def model(self) -> CompoundSplitter:
        best: dict[str, tuple[int, str]] = {}
        for form, count in self._forms.items():
            key = lowered(form, self._language)
            best[key] = max(best.get(key, (0, "")), (count, form))
        counts = {
            best.get(word, (0, word))[1]: count
            for word, count in self._words.items()
            if count >= MIN_COUNT and word.replace("-", "").isalpha()
        }
        return CompoundSplitter(self._language, counts)
