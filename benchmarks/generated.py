"""Generated text of any size, for growth beyond the corpora: words by Zipf's law.

A source sentence is drawn word by word: from the most frequent words, from the words of one of
2,000 topics, or from the whole vocabulary, so that words keep company and the number of distinct
pairs of words grows roughly as in real text: 117,000 pairs of 25 words have 11 million, fitted to
and a third above what news text of that size would have by extrapolation.  Each word is translated
by a dictionary with two entries per word, neighbours are swapped now and then, and some words are
dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

WORDS = 200_000
TOPICS = 2_000
TOPIC_WORDS = 150
FREQUENT = 200
LENGTH = 25
_BATCH = 20_000

Ids = NDArray[np.int64]


class Generator:
    """Sentences of `LENGTH` words on average, from 15 to 35."""

    def __init__(self, seed: int = 1) -> None:
        self._rng = np.random.default_rng(seed)
        weights = 1 / (np.arange(WORDS) + 2.7) ** 1.05
        self._sums = np.cumsum(weights / weights.sum())
        fixed = np.random.default_rng(0)  # the language does not depend on the seed
        self._topics = np.searchsorted(self._sums, fixed.random((TOPICS, TOPIC_WORDS)))
        self._dictionary = np.stack([fixed.permutation(WORDS) for _ in range(2)])

    def sentences(self, count: int) -> tuple[Ids, Ids]:
        """Word numbers and the sizes of sentences."""
        sizes = self._rng.integers(LENGTH - 10, LENGTH + 11, count)
        total = int(sizes.sum())
        words = np.searchsorted(self._sums, self._rng.random(total))
        topic = np.repeat(self._rng.integers(0, TOPICS, count), sizes)
        place = (TOPIC_WORDS * self._rng.random(total) ** 3).astype(np.int64)
        frequent = np.searchsorted(self._sums, self._rng.random(total) * self._sums[FREQUENT])
        kind = self._rng.random(total)
        topical = np.where(kind < 0.92, self._topics[topic, place], words)
        return np.where(kind < 0.5, frequent, topical), sizes

    def translations(self, words: Ids) -> Ids:
        """One target word per source word; -1 for those that are dropped."""
        which = (self._rng.random(len(words)) < 0.2).astype(np.int64)
        target = self._dictionary[which, words]
        swap = np.flatnonzero(self._rng.random(len(words) - 1) < 0.15)
        target[swap], target[swap + 1] = target[swap + 1].copy(), target[swap].copy()
        target[self._rng.random(len(words)) < 0.08] = -1
        return target

    def pairs(self, count: int) -> Iterator[tuple[str, str]]:
        for begin in range(0, count, _BATCH):
            words, sizes = self.sentences(min(_BATCH, count - begin))
            target = self.translations(words).tolist()
            source = words.tolist()
            at = 0
            for size in sizes.tolist():
                yield (
                    " ".join([f"s{word}" for word in source[at : at + size]]),
                    " ".join([f"t{word}" for word in target[at : at + size] if word >= 0]),
                )
                at += size


def write_pairs(file: IO[str], count: int, seed: int = 1) -> None:
    for source, target in Generator(seed).pairs(count):
        file.write(f"{source}\t{target}\n")
