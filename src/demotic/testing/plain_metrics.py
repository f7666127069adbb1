"""BLEU and TER over rows of statistics in plain Python: slow, obvious, and for checks alone.

They have no texts: rows come from `demotic.testing.pools`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.metrics.metric import Metric
from demotic.metrics.references import References

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Numbers, Rows

__all__ = ["PlainBleu", "PlainTer"]


class _OfRows(Metric):
    """`native`: learners use the native formula, or else call this object."""

    def __init__(self, *, native: bool = True, length_scale: int = 1) -> None:
        super().__init__(References.from_sentences([["one two three"]]))
        self.native = native
        self.length_scale = length_scale

    def rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        raise NotImplementedError("statistics of this metric are made up, not counted")

    def context_gain(self, background: Numbers, statistics: Numbers) -> Floats:
        """Of each candidate: the objective of the background with it."""
        return self.objective(background + statistics)

    def _form(self, kind: _core.MetricKind) -> _core.MetricForm | None:
        return _core.MetricForm(kind, float(self.length_scale)) if self.native else None


class PlainBleu(_OfRows):
    """Matches of 1 to 4 words, totals of 1 to 4 words, reference length; without smoothing."""

    name = "plain BLEU"
    columns = 9

    def corpus_scores(self, sums: Numbers) -> Floats:
        return 100 * _bleu(self._in_words(sums), np.zeros(4))

    def objective(self, sums: Numbers) -> Floats:
        return _bleu(self._in_words(sums), np.zeros(4))

    def gain(self, statistics: Numbers) -> Floats:
        """Bleu+1; an empty output has none."""
        return _bleu(self._in_words(statistics), np.array([0.0, 1, 1, 1]))

    @property
    def native_form(self) -> _core.MetricForm | None:
        return self._form(_core.MetricKind.bleu)

    def _in_words(self, statistics: Numbers) -> Floats:
        return np.asarray(statistics / np.array([1] * 8 + [self.length_scale]))


class PlainTer(_OfRows):
    """Edits, reference length."""

    name = "plain TER"
    higher_is_better = False
    columns = 2

    def corpus_scores(self, sums: Numbers) -> Floats:
        return np.asarray(100 * sums[..., 0] / sums[..., 1])

    @property
    def native_form(self) -> _core.MetricForm | None:
        return self._form(_core.MetricKind.ratio)


def _bleu(statistics: Numbers, add: Floats) -> Floats:
    matches, totals = statistics[:, :4] + add, statistics[:, 4:8] + add
    length, reference = statistics[:, 4], statistics[:, 8]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.exp(np.log(matches / totals).mean(axis=1))
        brevity = np.exp(np.minimum(0, 1 - reference / length))
        score = np.where((matches > 0).all(axis=1) & (length > 0), mean * brevity, 0.0)
    return np.nan_to_num(score)
