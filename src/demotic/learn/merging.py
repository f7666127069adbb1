"""Merges pools of several rounds: no duplicate candidates, in a deterministic order.

Two candidates of a list are equal if their words (by hash) and their features are.  Features are
compared by 64-bit hashes of their bits: among a million candidates of one list, two different ones
would be confused with a probability of three in a hundred million.  The parts of sparse features
are compared in the same way, and each is kept once for all lists.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.forest.rows import make_readonly
from demotic.learn.evidence import Pool
from demotic.learn.sparse_rows import SparseRows

__all__ = ["merge"]


def merge(pools: Sequence[Pool], *, limit: int | None = None) -> Pool:
    """All lists of the pools, by key in order of first appearance; older candidates first.

    A list with more than `limit` candidates keeps the newest.
    """
    if not pools:
        raise ValueError("no pools to merge")
    joined = _joined(pools)
    keys, first = np.unique(joined.keys, return_index=True)
    order = np.argsort(first)
    places = np.empty(len(keys), np.int64)
    places[order] = np.arange(len(keys))
    list_of = places[np.searchsorted(keys, joined.keys)]
    kept, counts = _core.merge_lists(
        joined.offsets, list_of, len(keys), joined.hashes, 0 if limit is None else limit
    )
    return _taken(joined, kept, counts, first[order])


class _Joined(Pool):
    """Concatenated pools: a key may occur more than once."""

    def _check(self) -> None:
        pass


def _joined(pools: Sequence[Pool]) -> Pool:
    first = pools[0]
    for pool in pools:
        same = pool.dense.shape[1:] == first.dense.shape[1:]
        same = same and pool.statistics.shape[1:] == first.statistics.shape[1:]
        same = same and (pool.sparse is None) == (first.sparse is None)
        if not same or (pool.strings is None) != (first.strings is None):
            raise ValueError("pools with different kinds of features or statistics")
    sizes = np.concatenate([np.diff(pool.offsets) for pool in pools])
    weights = [
        np.ones(len(pool)) if pool.list_weights is None else pool.list_weights for pool in pools
    ]
    weighted = any(pool.list_weights is not None for pool in pools)
    longest = max(pools, key=lambda pool: pool.sparse_features)
    dense, statistics = make_readonly(
        np.concatenate([pool.dense for pool in pools]),
        np.concatenate([pool.statistics for pool in pools]),
    )
    joined = _Joined(
        np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))),
        dense,
        statistics,
        _joined_sparse([pool.sparse for pool in pools if pool.sparse is not None]),
        longest.sparse_features,
        np.concatenate([pool.keys for pool in pools]),
        np.concatenate([pool.sentences for pool in pools]),
        np.concatenate(weights) if weighted else None,
        _joined_strings(pools),
        longest.lexicalized,
        first.names,
    )
    return joined.hashed(np.concatenate([pool.hashes for pool in pools]))


def _joined_strings(pools: Sequence[Pool]) -> NDArray[np.uint64] | None:
    strings = [pool.strings for pool in pools if pool.strings is not None]
    return np.concatenate(strings) if strings else None


def _joined_sparse(rows: list[SparseRows]) -> SparseRows | None:
    return SparseRows.joined(rows).deduplicated() if rows else None


def _taken(
    pool: Pool, kept: NDArray[np.int64], counts: NDArray[np.int64], lists: NDArray[np.int64]
) -> Pool:
    """Some candidates, already grouped by list, with the data of their lists."""
    dense, statistics = make_readonly(
        pool.dense.take(kept, axis=0), pool.statistics.take(kept, axis=0)
    )
    taken = Pool(
        np.concatenate(([0], np.cumsum(counts, dtype=np.int64))),
        dense,
        statistics,
        None if pool.sparse is None else pool.sparse.take(kept),
        pool.sparse_features,
        keys=pool.keys[lists],
        sentences=pool.sentences[lists],
        list_weights=None if pool.list_weights is None else pool.list_weights[lists],
        strings=None if pool.strings is None else pool.strings[kept],
        lexicalized=pool.lexicalized,
        names=pool.names,
    )
    return taken.hashed(pool.hashes[kept])
