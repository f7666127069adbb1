"""A plain BLEU over statistics, as learners want a metric; slow and obvious."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Bleu:
    form = "bleu"
    length_scale = 1

    def corpus_score(self, statistics: Array) -> float:
        return float(self.context_gain(np.zeros(9), np.asarray(statistics)[None, :])[0])

    def gain(self, statistics: NDArray[np.int32]) -> Array:
        """Bleu+1; an empty output has none."""
        return _bleu(self._in_words(statistics), np.array([0.0, 1, 1, 1]))

    def context_gain(self, background: Array, statistics: NDArray[np.int32]) -> Array:
        return _bleu(self._in_words(background + statistics), np.zeros(4))

    def _in_words(self, statistics: Array) -> Array:
        return statistics / np.array([1] * 8 + [self.length_scale])


class Ter:
    form = "ratio"

    def corpus_score(self, statistics: Array) -> float:
        return 1 - float(statistics[0] / statistics[1])

    def gain(self, statistics: NDArray[np.int32]) -> Array:
        return np.clip(1 - statistics[:, 0] / statistics[:, 1], 0, 1)

    def context_gain(self, background: Array, statistics: NDArray[np.int32]) -> Array:
        both = background + statistics
        return 1 - both[:, 0] / both[:, 1]


def _bleu(statistics: Array, add: Array) -> Array:
    matches, totals = statistics[:, :4] + add, statistics[:, 4:8] + add
    length, reference = statistics[:, 4], statistics[:, 8]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.exp(np.log(matches / totals).mean(axis=1))
        brevity = np.exp(np.minimum(0, 1 - reference / length))
        score = np.where((matches > 0).all(axis=1) & (length > 0), mean * brevity, 0.0)
    return np.nan_to_num(score)
