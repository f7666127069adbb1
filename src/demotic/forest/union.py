"""Joins several forests to one under a common root."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demotic.errors import ModelError
from demotic.forest.forest import GLUE, Forest
from demotic.forest.rows import FeatureRows, Rows

__all__ = ["union_of"]


def union_of(forests: Sequence[Forest]) -> Forest:
    """All derivations of all forests, each under an additional edge without words and features.

    The nodes and edges of each forest follow those of the previous one; bins are unchanged.
    """
    if len(forests) == 1:
        return forests[0]
    if any(forest.feature_names != forests[0].feature_names for forest in forests):
        raise ModelError("forests with different features", expected="forests of one model")
    count = len(forests)
    roots = np.cumsum([forest.nodes for forest in forests]) - 1
    tails = [
        forest.tails + root - forest.nodes + 1 for forest, root in zip(forests, roots, strict=True)
    ]
    target = [forest.edge_target for forest in forests]
    features = [forest.edge_features for forest in forests]
    return Forest(
        edge_offsets=_ends(*(forest.edge_offsets for forest in forests), np.array([0, count])),
        tail_offsets=_ends(*(forest.tail_offsets for forest in forests), np.arange(count + 1)),
        tails=np.concatenate([*tails, roots]),
        edge_rule=np.concatenate([*(forest.edge_rule for forest in forests), np.full(count, GLUE)]),
        edge_begin=np.concatenate([*(forest.edge_begin for forest in forests), np.full(count, -1)]),
        edge_end=np.concatenate([*(forest.edge_end for forest in forests), np.full(count, -1)]),
        edge_target=Rows(
            _ends(*(rows.offsets for rows in target), np.arange(count + 1)),
            np.concatenate([*(rows.values for rows in target), np.full(count, -1)]),
        ),
        edge_features=FeatureRows(
            _ends(*(rows.offsets for rows in features), np.zeros(count + 1)),
            np.concatenate([rows.ids for rows in features]),
            np.concatenate([rows.values for rows in features]),
        ),
        node_bin=np.concatenate(
            [*(forest.node_bin for forest in forests), forests[0].node_bin[-1:]]
        ),
        feature_names=forests[0].feature_names,
        edge_parts=_parts(forests),
    )


def _parts(forests: Sequence[Forest]) -> Rows | None:
    """Those of the forests, and none for the additional edges."""
    known = [forest.edge_parts for forest in forests if forest.edge_parts is not None]
    if not known:
        return None
    return Rows(
        _ends(*(rows.offsets for rows in known), np.zeros(len(forests) + 1)),
        np.concatenate([rows.values for rows in known]),
    )


def _ends(*offsets: np.ndarray) -> np.ndarray:
    """The offsets of concatenated rows."""
    lengths = np.concatenate([np.diff(one) for one in offsets])
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
