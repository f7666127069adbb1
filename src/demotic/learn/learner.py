"""What all list learners share: the metric they ask, the form of their answer, refusals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.learn.evidence import Pool

__all__ = ["Learner", "LearnerResult", "Metric", "finite_or_kept", "form_of", "pool_score"]


class Metric(Protocol):
    """What learners ask of a metric; higher is better."""

    @property
    def form(self) -> Literal["bleu", "ratio"]:
        """Which native formula makes a score of summed statistics: see `learn/metric_form.h`."""

    def corpus_score(self, statistics: NDArray[np.float64]) -> float:
        """From summed statistics, in [0, 1] for BLEU."""

    def gain(self, statistics: NDArray[np.int32]) -> NDArray[np.float64]:
        """Of each candidate alone, in [0, 1]: for BLEU, Bleu+1."""

    def context_gain(
        self, background: NDArray[np.float64], statistics: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Of each candidate: the score of the background with it."""


@dataclass(frozen=True)
class LearnerResult:
    """New weights, and what there is to say about how they came about."""

    weights: NDArray[np.float64]
    report: dict[str, float | list[float]] = field(default_factory=dict)
    """Figures by name; `score` is the metric of the pool under the weights."""
    refused: bool = False
    """An update was not finite; the weights are the last good ones."""


class Learner(Protocol):
    """Weights and evidence in, weights out; never a decoder, a file or a flag."""

    def update(
        self,
        weights: ArrayLike,
        pool: Pool,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
    ) -> LearnerResult:
        """The same for any number of threads."""


def form_of(metric: Metric) -> _core.MetricForm:
    """For native code. A metric may count reference lengths in parts of a word: `length_scale`."""
    scale = float(getattr(metric, "length_scale", 1))
    return _core.MetricForm(_core.MetricKind[metric.form], scale)


def pool_score(weights: NDArray[np.float64], pool: Pool, metric: Metric) -> float:
    """The metric of every list's best candidate together."""
    return float(metric.corpus_score(pool.native.best_statistics(weights)))


def finite_or_kept(
    new: NDArray[np.float64],
    old: NDArray[np.float64],
    pool: Pool,
    metric: Metric,
    report: dict[str, float | list[float]],
) -> LearnerResult:
    """The new weights, or the old ones where the new are not finite."""
    refused = not bool(np.isfinite(new).all())
    weights = old if refused else new
    weights.flags.writeable = False
    report = {"score": pool_score(weights, pool, metric), **report} if len(pool) else report
    return LearnerResult(weights, report, refused)
