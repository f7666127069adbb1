"""Pools to learn from: random ones, and one that can be solved."""

from __future__ import annotations

import numpy as np

from demotic.learn import Pool
from demotic.learn.sparse_rows import SparseRows


def random_statistics(rng: np.random.Generator, count: int, length: int) -> np.ndarray:
    """Of candidates for one reference: plausible counts, better and worse ones."""
    words = np.maximum(4, length + rng.integers(-3, 4, count))
    totals = np.stack([words - n for n in range(4)], axis=1)
    quality = rng.uniform(0.3, 0.95, count)
    matches = np.floor(totals * quality[:, None] ** np.arange(1, 5))
    return np.column_stack([matches, totals, np.full(count, length)]).astype(np.int32)


def random_pool(seed: int, *, lists: int = 8, longest: int = 12, features: int = 4) -> Pool:
    """Small whole numbers as features, so that sums are exact and ties happen."""
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(lists):
        count = int(rng.integers(1, longest + 1))
        dense = rng.integers(-3, 4, (count, features)).astype(np.float32)
        parts.append((dense, random_statistics(rng, count, int(rng.integers(5, 30)))))
    return Pool.of(parts)


def separable_pool(seed: int, *, lists: int = 20) -> Pool:
    """The first feature tells the quality, the second misleads; a third is noise."""
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(lists):
        length = int(rng.integers(8, 25))
        matches = rng.permutation(8)[:5]
        totals = np.tile(length - np.arange(4), (5, 1))
        counts = np.minimum(totals, np.maximum(1, matches[:, None] + length - 8 - np.arange(4)))
        noise = rng.normal(size=5)
        dense = np.stack([matches / 2, -matches / 4 + noise, rng.normal(size=5)], axis=1)
        parts.append((dense, np.column_stack([counts, totals, np.full(5, length)])))
    return Pool.of(parts)


def as_sparse(pool: Pool, kept: int = 0) -> Pool:
    """The same candidates with all dense features but the first `kept` as sparse ones."""
    rows = [
        {i: float(value) for i, value in enumerate(row[kept:]) if value != 0} for row in pool.dense
    ]
    width = pool.dense.shape[1] - kept
    return Pool(pool.offsets, pool.dense[:, :kept], pool.statistics, SparseRows.of(rows), width)


def reordered(pool: Pool, seed: int) -> Pool:
    """Every list's candidates in another order."""
    rng = np.random.default_rng(seed)
    bounds = zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    order = np.concatenate([rng.permutation(np.arange(begin, end)) for begin, end in bounds])
    return Pool(pool.offsets, pool.dense[order], pool.statistics[order])


def doubled(pool: Pool) -> Pool:
    """Every candidate twice."""
    offsets = 2 * pool.offsets
    return Pool(offsets, np.repeat(pool.dense, 2, axis=0), np.repeat(pool.statistics, 2, axis=0))
