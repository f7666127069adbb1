"""What all list learners share: the metric interface, the result type, refusals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.learn.evidence import Pool

__all__ = ["Learner", "LearnerResult", "Metric", "finite_or_kept", "form_of", "pool_score"]


class Metric(Protocol):
    """What learners require of a metric; higher is better."""

    @property
    def form(self) -> Literal["bleu", "ratio"]:
        """The native formula from summed statistics to a score: see `metrics/metric_form.h`."""

    def corpus_score(self, statistics: NDArray[np.float64]) -> float:
        """The score of summed statistics, in [0, 1] for BLEU."""

    def gain(self, statistics: NDArray[np.int32]) -> NDArray[np.float64]:
        """The sentence-level gain of each candidate, in [0, 1]: for BLEU, Bleu+1."""

    def context_gain(
        self, background: NDArray[np.float64], statistics: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """For each candidate: the score of the background plus the candidate."""


class Evidence(Protocol):
    """Anything that can be scored under weights: a pool of lists, or forests."""

    def __len__(self) -> int: ...

    def best_statistics(
        self, weights: NDArray[np.float64], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Statistics summed over the best candidates under the weights."""


@dataclass(frozen=True)
class LearnerResult:
    """New weights, and a report."""

    weights: NDArray[np.float64]
    report: dict[str, float | list[float]] = field(default_factory=dict)
    """Values by name; `score` is the metric of the pool under the weights."""
    refused: bool = False
    """Whether an update was not finite; the weights are then the last good ones."""


class Learner(Protocol):
    """Maps weights and evidence to new weights, independently of decoders and files."""

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
        """Independent of the number of threads."""


def form_of(metric: Metric) -> _core.MetricForm:
    """The native form. Reference lengths may be fractions of words: see `length_scale`."""
    scale = float(getattr(metric, "length_scale", 1))
    return _core.MetricForm(_core.MetricKind[metric.form], scale)


def pool_score(
    weights: NDArray[np.float64], pool: Evidence, metric: Metric, *, threads: int = 1
) -> float:
    """The corpus metric of every list's best candidate."""
    return float(metric.corpus_score(pool.best_statistics(weights, threads=threads)))


def finite_or_kept(
    new: NDArray[np.float64],
    old: NDArray[np.float64],
    pool: Evidence,
    metric: Metric,
    report: dict[str, float | list[float]],
    *,
    threads: int = 1,
) -> LearnerResult:
    """The new weights, or the old ones if the new are not finite."""
    refused = not bool(np.isfinite(new).all())
    weights = old if refused else new
    weights.flags.writeable = False
    if len(pool):
        report = {"score": pool_score(weights, pool, metric, threads=threads), **report}
    return LearnerResult(weights, report, refused)
