"""Sparse features of the edges of a forest: edges that apply the same rule to the same words share
parts, and a part has features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic.features.weights import FeatureIndex
from demotic.forest import Forest, Rows
from demotic.forest.rows import FeatureRows
from demotic.learn.sparse_rows import SparseRows

if TYPE_CHECKING:
    from demotic.learn.seen_features import SeenFeatures
    from demotic.search.found_forest import FoundForest

__all__ = ["NO_PARTS", "SUM", "PartFeatures", "joined_parts", "with_sparse_features"]

SUM = "sparse"
"""The dense feature that is the sum of the sparse ones."""


@dataclass(frozen=True, eq=False)
class PartFeatures:
    """The features of each part."""

    ids: Rows
    values: NDArray[np.float64] | None = None
    """Of `ids`; without them all are 1."""


NO_PARTS = PartFeatures(Rows(np.zeros(1, np.int64), np.zeros(0, np.int32)))


def with_sparse_features(found: FoundForest, seen: SeenFeatures) -> tuple[Forest, PartFeatures]:
    """A forest without the sum of its sparse features, and the features of its parts.

    Their ids follow those of the dense features.
    """
    forest = found.forest
    dense = forest.feature_names.names
    names = FeatureIndex(name for name in dense if name != SUM)
    rows, values = seen.add_valued(found.key_offsets, found.keys, found.values)
    without = _without(forest.edge_features, dense.index(SUM))
    changed = replace(forest, edge_features=without, feature_names=names)
    ids = Rows(rows.offsets, rows.values + np.int32(len(names)))
    return changed, PartFeatures(ids, values)


def _without(rows: FeatureRows, feature: int) -> FeatureRows:
    kept = rows.ids != feature
    ends = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
    ids = rows.ids[kept]
    return FeatureRows(ends[rows.offsets], ids - (ids > feature), rows.values[kept])


def joined_parts(
    forests: Sequence[Forest], parts: Sequence[PartFeatures]
) -> tuple[list[Forest], PartFeatures]:
    """The same forests over one table of parts, in which every part is listed once."""
    rows = [
        SparseRows(one.edge_parts, table.ids, table.values)
        for one, table in zip(forests, parts, strict=True)
        if one.edge_parts is not None
    ]
    if len(forests) == 1 or not rows:
        return [*forests], parts[0]
    table = SparseRows.joined(rows).deduplicated()
    ends = np.cumsum([0, *(forest.edges for forest in forests)])
    own = [table.parts.take(np.arange(*bounds)) for bounds in pairwise(ends)]
    changed = [replace(one, edge_parts=rows) for one, rows in zip(forests, own, strict=True)]
    return changed, PartFeatures(table.features, table.values)
