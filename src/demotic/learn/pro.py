"""PRO, pairwise ranking optimisation (Hopkins & May 2011).

Pairs of candidates with different gains are sampled from every list; L2-regularised logistic
regression without a bias learns to rank the better one higher; the weights move part of the way
there.  A pair has the weight of its list.  It stands for a positive and a negative example with
equal loss, so one is computed and counted twice.  Features can be filtered as in Yu et al. 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.forest.rows import Rows, gather_rows
from demotic.learn.evidence import Pool
from demotic.learn.lbfgs import minimize
from demotic.learn.learner import LearnerResult, finite_or_kept
from demotic.learn.sparse_rows import SparseRows
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["Pro", "chosen_features"]


@dataclass(frozen=True, kw_only=True)
class Pro(Options):
    """Logistic regression on sampled pairs."""

    tunes_sparse: ClassVar[bool] = True

    draws: int = option(5000, "pairs sampled per list", minimum=1)
    kept: int = option(
        50, "pairs kept per list, those with the largest difference in gain", minimum=1
    )
    threshold: float = option(0.05, "minimum difference in gain of a pair", minimum=0)
    regularization: float = option(
        1.0,
        "L2 regularisation: weight of half the squared norm (1,000 for sparse weights)",
        minimum=0,
        core=None,
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
            found = minimize(problem, old[problem.columns], iterations=self.iterations)
        # Regularisation alone would move features without pairs to 0.
        optimum = np.zeros(len(old))
        optimum[problem.columns] = found.x if np.isfinite(found.value) else np.nan
        new = np.where(learnt, old + self.interpolation * (optimum - old), old)
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
    """Which weights are learnt; sparse features by how often candidates have them."""
    width = pool.dense.shape[1]
    chosen = np.ones(pool.features, np.bool_)
    if kind == "large" or pool.sparse is None:
        return chosen
    chosen[width:] = False
    if kind == "medium":
        seen = _occurrences(pool.sparse, pool.sparse_features)
        if pool.lexicalized is not None:
            seen = np.where(pool.lexicalized, 0, seen)
        order = np.argsort(-seen, kind="stable")[:count]
        chosen[width + order[seen[order] > 0]] = True
    return chosen


def _occurrences(rows: SparseRows, features: int) -> NDArray[np.int64]:
    """How often each feature occurs in the candidates."""
    used = np.bincount(rows.parts.values, minlength=len(rows.features))
    times = np.repeat(used, np.diff(rows.features.offsets))
    return np.bincount(rows.features.values, weights=times, minlength=features).astype(np.int64)


class _Pairs:
    """The regularised loss on the pairs, and its gradient, summed in a fixed order.

    It is a function of the weights of `columns`: the dense features, and the sparse ones that are
    learnt and occur in a pair.
    """

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
        self._regularization = regularization
        self._width = width = pool.dense.shape[1]
        self.columns = np.arange(width)
        self._sparse = None
        if pool.sparse is not None and learnt[width:].any():
            self._sparse = _PairParts(pool.sparse, better, worse, learnt[width:])
            self.columns = np.concatenate([self.columns, width + self._sparse.features])

    def __call__(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = np.einsum("ij,j->i", self._dense, weights[: self._width])
        if self._sparse is not None:
            margins = margins + self._sparse.margins(weights[self._width :], len(margins))
        loss = 2 * float(np.sum(self._counted * np.logaddexp(0.0, -margins)))
        slopes = -2 * self._counted * np.exp(-np.logaddexp(0.0, margins))
        gradient = np.zeros(len(weights))
        gradient[: self._width] = np.einsum("ij,i->j", self._dense, slopes)
        if self._sparse is not None:
            gradient[self._width :] = self._sparse.gradient(slopes)
        loss += self._regularization / 2 * float(np.sum(weights * weights))
        return loss, gradient + self._regularization * weights


class _PairParts:
    """Sparse features of the better candidates minus those of the worse ones.

    Parts that both have cancel.  Each of the others is scored once, however many pairs it is in.
    """

    def __init__(
        self,
        rows: SparseRows,
        better: NDArray[np.int64],
        worse: NDArray[np.int64],
        learnt: NDArray[np.bool_],
    ) -> None:
        self._pairs, parts, self._signs = _part_differences(rows.parts, better, worse)
        used, self._parts = np.unique(parts, return_inverse=True)
        offsets, places = gather_rows(rows.features.offsets, used)
        owners = np.repeat(np.arange(len(used)), np.diff(offsets))
        ids = rows.features.values[places]
        kept = learnt[ids]
        self.features, self._ids = np.unique(ids[kept], return_inverse=True)
        self._owners, self._count = owners[kept], len(used)
        self._values = None if rows.values is None else rows.values[places][kept]

    def margins(self, weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
        values = weights[self._ids] if self._values is None else weights[self._ids] * self._values
        sums = np.bincount(self._owners, weights=values, minlength=self._count)
        own: NDArray[np.float64] = self._signs * sums[self._parts]
        return np.bincount(self._pairs, weights=own, minlength=count).astype(np.float64)

    def gradient(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        of_parts = np.bincount(
            self._parts, weights=self._signs * slopes[self._pairs], minlength=self._count
        )
        values: NDArray[np.float64] = of_parts[self._owners].astype(np.float64)
        if self._values is not None:
            values *= self._values
        sums = np.bincount(self._ids, weights=values, minlength=len(self.features))
        return sums.astype(np.float64)


def _part_differences(
    parts: Rows, better: NDArray[np.int64], worse: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Pair, part and how often the better candidate has it more than the worse one."""
    keys, signs, width = [], [], int(parts.values.max(initial=0)) + 1
    for sign, rows in ((1, better), (-1, worse)):
        offsets, places = gather_rows(parts.offsets, rows)
        pairs = np.repeat(np.arange(len(rows)), np.diff(offsets))
        keys.append(pairs * width + parts.values[places])
        signs.append(np.full(len(places), sign))
    distinct, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    counts = np.bincount(inverse, weights=np.concatenate(signs), minlength=len(distinct))
    kept = counts != 0
    return distinct[kept] // width, distinct[kept] % width, counts[kept]


def _list_weights(pool: Pool, candidates: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weight of each candidate's list."""
    if pool.list_weights is None:
        return np.ones(len(candidates))
    lists = np.searchsorted(pool.offsets, candidates, side="right") - 1
    return pool.list_weights[lists]
