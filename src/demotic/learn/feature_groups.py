"""The pool that margin learners see: sparse features that always occur together are one feature.

Features that occur in the same parts with the same values get the same steps from learners whose
steps are sums of feature vectors, so that a group of m of them is learnt as one feature with their
value times sqrt(m).  Its weight is the sum of theirs divided by sqrt(m).  Scores and inner products
stay the same, and with them the result, up to rounding; `core/include/demotic/learn/
feature_groups.h`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.forest.rows import Rows, make_readonly, readonly_array
from demotic.learn.sparse_rows import SparseRows

if TYPE_CHECKING:
    from demotic.learn.evidence import Pool

__all__ = ["FeatureGroups"]

Values = NDArray[np.float64]


class FeatureGroups:
    """The lists of a pool over groups of features; without sparse features, of the pool itself."""

    def __init__(self, pool: Pool) -> None:
        self._width = pool.dense.shape[1]
        self.native = pool.native if pool.sparse is None else self._grouped(pool, pool.sparse)

    def _grouped(self, pool: Pool, rows: SparseRows) -> _core.CandidateLists:
        values = readonly_array([], np.float64) if rows.values is None else rows.values
        found = _core.group_features(
            rows.features.offsets, rows.features.values, values, pool.sparse_features
        )
        groups, sizes, offsets, ids, group_values = make_readonly(*found)
        self._features = np.flatnonzero(groups >= 0)
        self._groups = groups[self._features]
        self._roots = np.sqrt(sizes)
        sparse = SparseRows(rows.parts, Rows(offsets, ids), group_values)
        changed = replace(pool, sparse=sparse, sparse_features=len(sizes), lexicalized=None)
        return changed.native

    def weights_of(self, weights: Values) -> Values:
        """The weights of the dense features and of the groups."""
        if len(weights) == self._width:
            return weights
        own = weights[self._width :][self._features]
        sums = np.bincount(self._groups, weights=own, minlength=len(self._roots))
        return np.concatenate([weights[: self._width], sums / self._roots])

    def moved(self, weights: Values, learnt: Values) -> Values:
        """The weights after the groups' weights have become `learnt`."""
        if len(weights) == self._width:
            return learnt
        moved = weights.copy()
        moved[: self._width] = learnt[: self._width]
        change = (learnt - self.weights_of(weights))[self._width :] / self._roots
        moved[self._width + self._features] += change[self._groups]
        return moved
