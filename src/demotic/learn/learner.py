"""What all learners share: the form of their answer, the metric for native loops, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.learn.evidence import Pool
from demotic.metrics.metric import Metric

__all__ = ["Learner", "LearnerResult", "finite_or_kept", "form_of", "pool_score"]


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
    """Figures by name; `score` is the metric's objective on the pool under the weights."""
    refused: bool = False
    """Whether an update was not finite; the weights are then the last good ones."""
    state: Mapping[str, NDArray[Any]] | None = None
    """What the learner continues from in the next round, if it carries more than weights."""


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
    """For native loops: the metric's own formula, or else its `objective`, called from there."""
    native = metric.native_form
    if native is not None:
        return native
    columns = metric.columns

    def scores(sums: Any) -> NDArray[np.float64]:
        found = np.asarray(metric.objective(sums.reshape(-1, columns)), np.float64)
        if not np.isfinite(found).all():
            raise ModelError(
                f"the metric {metric.name} scored sums of statistics {found.min()}",
                expected="finite scores",
                advice="see whether demotic.testing.check_metric accepts it",
            )
        return np.ascontiguousarray(found)

    start = np.ascontiguousarray(metric.background, np.float64)
    return _core.MetricForm.of_rows(scores, start, metric.references.mean_words)


def pool_score(
    weights: NDArray[np.float64], pool: Evidence, metric: Metric, *, threads: int = 1
) -> float:
    """The metric's objective on every list's best candidate together."""
    sums = pool.best_statistics(weights, threads=threads)
    return float(metric.objective(sums[None])[0])


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
