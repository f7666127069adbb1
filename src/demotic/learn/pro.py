"""PRO, pairwise ranking optimisation (Hopkins & May 2011).

Pairs of candidates with different gains are sampled from every list; L2-regularised logistic
regression without a bias learns to rank the better one higher; the weights move part of the way
there.  A pair has the weight of its list.  It stands for a positive and a negative example with
equal loss, so one is computed and counted twice.  Features can be filtered as in Yu et al. 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.forest.rows import FeatureRows, gather_rows
from demotic.learn.evidence import Pool
from demotic.learn.lbfgs import minimize
from demotic.learn.learner import LearnerResult, finite_or_kept
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["Pro", "chosen_features"]


@dataclass(frozen=True, kw_only=True)
class Pro(Options):
    """Logistic regression on sampled pairs."""

    draws: int = option(5000, "pairs sampled per list", minimum=1)
    kept: int = option(
        50, "pairs kept per list, those with the largest difference in gain", minimum=1
    )
    threshold: float = option(0.05, "minimum difference in gain of a pair", minimum=0)
    regularization: float = option(
        1.0, "L2 regularisation: weight of half the squared norm", minimum=0, core=None
    )
    interpolation: float = option(
        0.1,
        "interpolation weight of the new weights with the old ones",
        minimum=0,
        maximum=1,
        core=None,
    )
    features: Literal["dense", "medium", "large"] = option(
        "large",
        "features to learn: dense, also the most frequent sparse ones that are not lexicalised, "
        "or all",
        core=None,
    )
    medium_features: int = option(
        3000, "number of sparse features in `medium`", minimum=0, core=None
    )
    iterations: int = option(200, "maximum iterations of the regression", minimum=1, core=None)

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
        old = pool.checked(weights)
        better, worse = self._sample(pool, metric, seed, round_number, threads)
        if len(better) == 0:
            return finite_or_kept(old, old, pool, metric, {"pairs": 0.0})
        learnt = chosen_features(pool, self.features, self.medium_features)
        problem = _Pairs(pool, better, worse, learnt, self.regularization)
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # results that are not finite are refused below
            found = minimize(problem, np.where(learnt, old, 0.0), iterations=self.iterations)
        moved = old + self.interpolation * (found.x - old)
        new = np.where(learnt, moved if np.isfinite(found.value) else np.nan, old)
        report: dict[str, float | list[float]] = {
            "pairs": float(len(better)),
            "loss": found.value,
            "evaluations": float(found.evaluations),
        }
        return finite_or_kept(new, old, pool, metric, report)

    def _sample(
        self, pool: Pool, metric: Metric, seed: int, round_number: int, threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        options = to_native(_core.PairOptions, self, seed=seed, round=round_number)
        gains = np.ascontiguousarray(metric.gain(pool.statistics), np.float64)
        return _core.sample_pairs(pool.offsets, gains, options, threads)


def chosen_features(pool: Pool, kind: str, count: int) -> NDArray[np.bool_]:
    """Which weights are learnt; sparse features by the number of candidates that have them."""
    width = pool.dense.shape[1]
    chosen = np.ones(pool.features, np.bool_)
    if kind == "large" or pool.sparse is None:
        return chosen
    chosen[width:] = False
    if kind == "medium":
        seen = np.bincount(pool.sparse.ids, minlength=pool.sparse_features)
        if pool.lexicalized is not None:
            seen = np.where(pool.lexicalized, 0, seen)
        order = np.argsort(-seen, kind="stable")[:count]
        chosen[width + order[seen[order] > 0]] = True
    return chosen


class _Pairs:
    """The regularised loss on the pairs, and its gradient, summed in a fixed order."""

    def __init__(
        self,
        pool: Pool,
        better: NDArray[np.int64],
        worse: NDArray[np.int64],
        learnt: NDArray[np.bool_],
        regularization: float,
    ) -> None:
        self._dense = pool.dense[better].astype(np.float64) - pool.dense[worse]
        self._counted = _list_weights(pool, better)
        self._learnt = learnt
        self._regularization = regularization
        self._width = pool.dense.shape[1]
        self._sparse = None
        if pool.sparse is not None and learnt[self._width :].any():
            self._sparse = _differences(pool.sparse, better, worse)

    def __call__(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = np.einsum("ij,j->i", self._dense, weights[: self._width])
        if self._sparse is not None:
            rows, ids, values = self._sparse
            parts = values * weights[self._width + ids]
            margins = margins + np.bincount(rows, weights=parts, minlength=len(margins))
        loss = 2 * float(np.sum(self._counted * np.logaddexp(0.0, -margins)))
        slopes = -2 * self._counted * np.exp(-np.logaddexp(0.0, margins))
        gradient = np.zeros(len(weights))
        gradient[: self._width] = np.einsum("ij,i->j", self._dense, slopes)
        if self._sparse is not None:
            gradient[self._width :] = np.bincount(
                ids, weights=values * slopes[rows], minlength=len(weights) - self._width
            )
        loss += self._regularization / 2 * float(np.sum(weights * weights))
        return loss, np.where(self._learnt, gradient + self._regularization * weights, 0.0)


def _list_weights(pool: Pool, candidates: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weight of each candidate's list."""
    if pool.list_weights is None:
        return np.ones(len(candidates))
    lists = np.searchsorted(pool.offsets, candidates, side="right") - 1
    return pool.list_weights[lists]


def _differences(
    sparse: FeatureRows, better: NDArray[np.int64], worse: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Pair, feature and value of all sparse parts; a feature of both is listed twice."""
    parts = []
    for sign, rows in ((1.0, better), (-1.0, worse)):
        offsets, places = gather_rows(sparse.offsets, rows.astype(np.int32))
        pairs = np.repeat(np.arange(len(rows)), np.diff(offsets))
        parts.append((pairs, sparse.ids[places].astype(np.int64), sign * sparse.values[places]))
    return (
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
    )
