"""Sparse features of the edges of a forest: edges that apply the same rule to the same words share a
part, and a part has features, each with the value 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from demotic.features.weights import FeatureIndex
from demotic.forest import Forest, Rows
from demotic.forest.rows import FeatureRows
from demotic.learn.sparse_rows import SparseRows

if TYPE_CHECKING:
    from demotic.learn.seen_features import SeenFeatures
    from demotic.search.record import SearchResult

__all__ = ["NO_PARTS", "SUM", "joined_parts", "with_sparse_features"]

SUM = "sparse"
"""The dense feature that is the sum of the sparse ones."""

NO_PARTS = Rows(np.zeros(1, np.int64), np.zeros(0, np.int32))


def with_sparse_features(
    forest: Forest, result: SearchResult, seen: SeenFeatures
) -> tuple[Forest, Rows]:
    """A forest without the sum of its sparse features, and the features of its parts.

    Their ids follow those of the dense features.
    """
    dense = forest.feature_names.names
    names = FeatureIndex(name for name in dense if name != SUM)
    offsets, keys = result.part_keys
    found = seen.add(offsets, keys)
    without = _without(forest.edge_features, dense.index(SUM))
    changed = replace(forest, edge_features=without, feature_names=names)
    return changed, Rows(found.offsets, found.values + np.int32(len(names)))


def _without(rows: FeatureRows, feature: int) -> FeatureRows:
    kept = rows.ids != feature
    ends = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
    ids = rows.ids[kept]
    return FeatureRows(ends[rows.offsets], ids - (ids > feature), rows.values[kept])


def joined_parts(
    forests: Sequence[Forest], parts: Sequence[Rows]
) -> tuple[list[Forest], Rows]:
    """The same forests over one table of parts, in which every part is listed once."""
    if len(forests) == 1 or forests[0].edge_part is None:
        return [*forests], parts[0]
    rows = [SparseRows(_part_rows(one), table) for one, table in zip(forests, parts, strict=True)]
    table = SparseRows.joined(rows).deduplicated()
    places = np.full(len(table), -1, np.int32)
    has_part = np.diff(table.parts.offsets) > 0
    places[has_part] = table.parts.values
    ends = np.cumsum([forest.edges for forest in forests])[:-1]
    split = np.split(places, ends)
    return [
        replace(forest, edge_part=part) for forest, part in zip(forests, split, strict=True)
    ], table.features


def _part_rows(forest: Forest) -> Rows:
    """The part of each edge as a row of one, or none."""
    part = forest.edge_part
    assert part is not None
    offsets = np.concatenate(([0], np.cumsum(part >= 0, dtype=np.int64)))
    return Rows(offsets, part[part >= 0])
