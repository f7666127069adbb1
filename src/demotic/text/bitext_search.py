"""Finds the sentence pairs that a rule was, or could have been, extracted from.

A pair contains a rule if the rule's source words occur in the source sentence, with at least one
word in each gap, and its target words in the target sentence.  It supports the rule if, in
addition, no link leaves the phrase pair or one of its gaps (Chiang 2007, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from demotic._core import Alignments
from demotic.text.corpus import Corpus
from demotic.text.parallel import ParallelCorpus

__all__ = ["BitextSearch", "Pattern", "Places", "RuleOccurrence", "matches"]

# Word ids; gap k of a rule is -k on both sides.
Pattern = tuple[int, ...]
# The half-open span of each symbol of a pattern.
Places = tuple[tuple[int, int], ...]

_LOOKED_AT = 20_000  # maximum number of pairs compared word by word per rule


@dataclass(frozen=True)
class RuleOccurrence:
    """A pair, the spans of the rule's symbols in it, and whether the links support the rule."""

    pair: int
    source: Places
    target: Places
    supported: bool


class BitextSearch:
    """A corpus with its links, if they are known.  Not thread-safe."""

    def __init__(
        self, corpus: ParallelCorpus, links: Sequence[Alignments] = (), *, max_span: int = 0
    ) -> None:
        """A pair supports a rule if it does with one of the sets of links.

        `max_span`: most source words that a rule with gaps may span; 0 for no limit.
        """
        self.corpus = corpus
        self._sets = links
        self._max_span = max_span
        self._source, self._target = _Side(corpus.source), _Side(corpus.target)

    def find(
        self, source: Pattern, target: Pattern, wanted: int, *, seen: int = 0, first: int = -1
    ) -> list[RuleOccurrence]:
        """At most `wanted` distinct pairs: supporting pairs first, then shorter ones.

        `seen`: how often the rule was extracted (0 if unknown); `first`: a pair to try first.
        """
        by_text: dict[bytes, RuleOccurrence] = {}
        backed = counted = 0
        for pair in self._candidates(source, target, first):
            found = self._look(pair, source, target)
            if found is None:
                continue
            counted += found.supported
            known = by_text.get(text := self._text(pair))
            if known is None or found.supported > known.supported:
                by_text[text] = found
                backed += found.supported
            if backed >= wanted or (seen and counted >= seen):
                break
        return sorted(by_text.values(), key=lambda one: not one.supported)[:wanted]

    def _candidates(self, source: Pattern, target: Pattern, first: int) -> list[int]:
        """Pairs that contain every contiguous block of words of the rule, the shortest first."""
        sides = ((self._source, source), (self._target, target))
        sets = [side.with_words(block) for side, words in sides for block in _blocks(words)]
        if not sets:
            return []
        common = min(sets, key=len)
        for one in sets:
            common = common[np.isin(common, one, assume_unique=True)]
        sizes = self._source.lengths[common] + self._target.lengths[common]
        order: list[int] = common[np.argsort(sizes, kind="stable")][:_LOOKED_AT].tolist()
        return [first, *order] if first in common else order

    def _text(self, pair: int) -> bytes:
        sides = self.corpus.source.ids(pair), self.corpus.target.ids(pair)
        return b"|".join(side.tobytes() for side in sides)

    def _look(self, pair: int, source: Pattern, target: Pattern) -> RuleOccurrence | None:
        words = self.corpus.source.ids(pair).tolist(), self.corpus.target.ids(pair).tolist()
        above = [*matches(words[0], source, self._max_span)]
        below = [*matches(words[1], target)] if above else []
        if not below:
            return None
        sets = [links[pair] for links in self._sets if len(links[pair])]
        for one, other, links in product(above, below, sets):
            if _supported(links, source, one, target, other):
                return RuleOccurrence(pair, one, other, True)
        return RuleOccurrence(pair, above[0], below[0], False)


class _Side:
    """One side of the corpus as flat arrays."""

    def __init__(self, corpus: Corpus) -> None:
        self._words = corpus.sentences.words
        self.lengths = np.diff(corpus.sentences.offsets)
        self._vocabulary = len(corpus.vocabulary)

    @cached_property
    def _sentence(self) -> NDArray[np.int32]:
        """The sentence index of each word."""
        return np.repeat(np.arange(len(self.lengths), dtype=np.int32), self.lengths)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.bincount(self._words, minlength=self._vocabulary)

    def with_words(self, block: Sequence[int]) -> NDArray[np.int32]:
        """The sentences in which these words occur contiguously."""
        words, last = self._words, len(block) - 1
        rarest = min(range(len(block)), key=lambda i: self._counts[block[i]])
        begins = np.flatnonzero(words == block[rarest]) - rarest
        begins = begins[(begins >= 0) & (begins + last < len(words))]
        for i, word in enumerate(block):
            begins = begins[words[begins + i] == word]
        begins = begins[self._sentence[begins] == self._sentence[begins + last]]
        return np.unique(self._sentence[begins])


def matches(words: Sequence[int], pattern: Pattern, max_span: int = 0) -> Iterator[Places]:
    """All occurrences of a pattern in a sentence, left to right; a gap has at least one word."""
    limit = max_span if max_span and any(symbol < 0 for symbol in pattern) else len(words)
    for begin in range(len(words)):
        end = min(len(words), begin + limit)
        yield from _rest(words, pattern, begin, end)


def _rest(words: Sequence[int], pattern: Pattern, begin: int, end: int) -> Iterator[Places]:
    if not pattern:
        yield ()
        return
    first, *rest = pattern
    if first >= 0:
        if begin < end and words[begin] == first:
            for places in _rest(words, tuple(rest), begin + 1, end):
                yield ((begin, begin + 1), *places)
        return
    for stop in range(begin + 1, end - len(rest) + 1):
        for places in _rest(words, tuple(rest), stop, end):
            yield ((begin, stop), *places)


def _blocks(pattern: Pattern) -> list[list[int]]:
    """The contiguous blocks of words between gaps."""
    blocks: list[list[int]] = [[]]
    for symbol in pattern:
        if symbol >= 0:
            blocks[-1].append(symbol)
        else:
            blocks.append([])
    return [block for block in blocks if block]


def _supported(
    links: Sequence[tuple[int, int]], source: Pattern, above: Places, target: Pattern, below: Places
) -> bool:
    """Whether every link stays within the rule's words, within one gap, or outside the rule."""
    left, right = _regions(source, above), _regions(target, below)
    joined = {(left.get(i), right.get(j)) for i, j in links}
    gaps = {symbol for symbol in source if symbol < 0}
    inside = {pair[0] for pair in joined if pair[0] is not None}
    return all(a == b for a, b in joined) and gaps <= inside and bool(inside)


def _regions(pattern: Pattern, places: Places) -> dict[int, int]:
    """Position to region: 0 for words of the rule, -k for gap k.  Words outside have no entry."""
    return {
        i: min(symbol, 0)
        for symbol, (begin, end) in zip(pattern, places, strict=True)
        for i in range(begin, end)
    }
