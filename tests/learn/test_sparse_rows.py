"""Sparse rows of pools: two levels, merging, groups of features that occur together."""

from __future__ import annotations

import numpy as np
import pytest

from demotic.forest.rows import FeatureRows, Rows
from demotic.learn import Learner, Mira, Pool, Pro, Rampion, RelativeMargin, merge
from demotic.learn.learner import form_of
from demotic.learn.sparse_rows import SparseRows
from demotic.metrics.metric import Metric
from demotic.testing.plain_metrics import PlainBleu
from demotic.testing.pools import random_pool

FEATURES, PARTS = 30, 12


def sparse_pool(seed: int, *, valued: bool = False) -> Pool:
    """Lists whose candidates share parts; half of the features are in one part only."""
    rng = np.random.default_rng(seed)
    plain = random_pool(seed, lists=15)
    parts = [sorted(rng.integers(0, PARTS, rng.integers(0, 4)).tolist()) for _ in plain.dense]
    ids = [
        sorted({2 * p, 2 * p + 1, *rng.integers(24, FEATURES, 2).tolist()}) for p in range(PARTS)
    ]
    features = Rows.of(ids)
    values = rng.integers(1, 3, len(features.values)) / 2 if valued else None
    rows = SparseRows(Rows.of(parts), features, values)
    return Pool(plain.offsets, plain.dense, plain.statistics, rows, FEATURES)


def as_dense(pool: Pool) -> Pool:
    """The same features, all of them dense."""
    assert pool.sparse is not None
    wide = np.zeros((pool.candidates, FEATURES))
    for i, row in enumerate(pool.sparse.rows()):
        wide[i, list(row)] = list(row.values())
    return Pool(pool.offsets, np.concatenate([pool.dense, wide], axis=1), pool.statistics)


def weights_for(pool: Pool) -> np.ndarray:
    return np.random.default_rng(9).normal(scale=0.2, size=pool.features)


@pytest.mark.parametrize("valued", [False, True])
def test_scores_are_those_of_the_dense_pool(valued: bool) -> None:
    pool = sparse_pool(4, valued=valued)
    dense = as_dense(pool)
    for seed in range(20):
        weights = np.random.default_rng(seed).normal(size=pool.features)
        expected = dense.native.best_statistics(weights).tolist()
        assert pool.best_statistics(weights).tolist() == expected
        assert pool.native.best_statistics(weights).tolist() == expected


LEARNERS: dict[str, tuple[Learner, float]] = {
    "mira": (Mira(sweeps=8), 1e-9),
    "mira-cp": (Mira(sweeps=4, solver="cutting-plane", tolerance=1e-9), 1e-6),
    "mira-shards": (Mira(sweeps=8, shards=3), 1e-9),
    "mira-shared": (Mira(sweeps=8, shards=3, scheme="shared"), 1e-9),
    "rm": (RelativeMargin(sweeps=8), 1e-9),
    "rm-cp": (
        RelativeMargin(sweeps=2, solver="cutting-plane", tolerance=1e-9, max_steps=2000),
        1e-5,
    ),
    "rampion": (Rampion(rate=0.01), 1e-9),
    "pro": (Pro(draws=200, interpolation=0.7), 1e-4),
}


@pytest.mark.parametrize("valued", [False, True])
@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_learns_what_it_learns_from_dense_features(name: str, valued: bool) -> None:
    learner, tolerance = LEARNERS[name]
    pool, metric = sparse_pool(5, valued=valued), PlainBleu()
    weights = weights_for(pool)
    found = learner.update(weights, pool, metric, seed=2).weights
    expected = learner.update(weights, as_dense(pool), metric, seed=2).weights
    assert not np.allclose(expected[4:], weights[4:], atol=1e-4)
    assert np.allclose(found, expected, rtol=0, atol=tolerance)


def test_features_of_the_same_parts_are_one_group() -> None:
    pool = sparse_pool(6)
    groups = pool.groups.weights_of(weights_for(pool))
    assert len(groups) < pool.features - PARTS / 2
    native = pool.groups.native
    metric: Metric = PlainBleu()
    options = Mira(sweeps=5)._native(7)
    start = weights_for(pool)
    learnt = _learn(pool.native, metric, start, options)
    grouped = _learn(native, metric, pool.groups.weights_of(start), options)
    assert np.allclose(pool.groups.moved(start, grouped), learnt, rtol=0, atol=1e-12)


def _learn(native: object, metric: Metric, weights: np.ndarray, options: object) -> np.ndarray:
    from demotic import _core

    learnt: np.ndarray = _core.learn_margins(native, form_of(metric), weights, options, 1)[0]  # type: ignore[arg-type]
    return learnt


def test_without_a_step_no_bit_of_any_weight_changes() -> None:
    pool = sparse_pool(7)
    start = weights_for(pool)
    assert pool.groups.moved(start, pool.groups.weights_of(start)).tobytes() == start.tobytes()


def test_merging_keeps_every_part_once() -> None:
    one, other = sparse_pool(8), sparse_pool(9)
    both = merge([one, other])
    again = merge([both, other, one])
    assert both.sparse is not None
    assert again.sparse is not None
    assert again.candidates == both.candidates
    assert len(again.sparse.features) == len(both.sparse.features) <= 2 * PARTS
    assert again.sparse.rows() == both.sparse.rows()


def test_merging_takes_candidates_with_their_features() -> None:
    pool = sparse_pool(10)
    assert pool.sparse is not None
    chosen = np.array([5, 2, 7])
    rows = list(pool.sparse.rows())
    assert list(pool.sparse.take(chosen).rows()) == [rows[i] for i in chosen]
    limited = merge([pool], limit=2)
    assert limited.sparse is not None
    ends = pool.offsets[1:]
    kept = [i for begin, end in zip(pool.offsets, ends, strict=False) for i in range(begin, end)]
    kept = [i for i in kept if i >= ends[np.searchsorted(ends, i, side="right")] - 2]
    if merge([pool]).candidates == pool.candidates:
        assert list(limited.sparse.rows()) == [rows[i] for i in kept]


def test_equal_candidates_of_different_rounds_are_one() -> None:
    statistics = np.array([[1, 0, 0, 0, 4, 3, 2, 1, 4]] * 2)
    first = SparseRows(Rows.of([[0], [0, 1]]), Rows.of([[3, 5], [1]]))
    second = SparseRows(Rows.of([[1], [0]]), Rows.of([[7], [3, 5]]))
    pools = [Pool([0, 2], np.zeros((2, 1)), statistics, rows, 9) for rows in (first, second)]
    merged = merge(pools)
    assert merged.sparse is not None
    assert list(merged.sparse.rows()) == [{3: 1.0, 5: 1.0}, {1: 1.0, 3: 1.0, 5: 1.0}, {7: 1.0}]
    assert len(merged.sparse.features) == 3


@pytest.mark.parametrize("values", [None, np.array([1.0, 2.0, 0.5])])
def test_merged_rows_keep_the_hashes_of_their_parts(values: np.ndarray | None) -> None:
    first = SparseRows(Rows.of([[0, 1], [1]]), Rows.of([[3, 5], [1]]))
    second = SparseRows(Rows.of([[0, 1], [1]]), Rows.of([[7], [3, 5]]), values)
    for rows in (first, second):
        assert len(rows.part_hashes) == 2
    merged = SparseRows.joined([first, second]).deduplicated().take(np.array([2, 1]))
    fresh = SparseRows(merged.parts, merged.features, merged.values)
    assert merged.part_hashes.tolist() == fresh.part_hashes.tolist()
    assert len(merged.features) == 3


def test_parts_of_rows_ascend_after_merging() -> None:
    """The first candidate of the second set has known parts in another order, and a new one."""
    first = SparseRows(Rows.of([[0, 1], [1, 2]]), Rows.of([[3], [1], [4]]))
    second = SparseRows(Rows.of([[0, 1, 2], [2]]), Rows.of([[4], [9], [3]]))
    merged = SparseRows.joined([first, second]).deduplicated()
    assert [row.tolist() for row in merged.parts] == [[0, 1], [1, 2], [0, 2, 3], [0]]


def test_plain_rows_are_parts_of_their_own() -> None:
    rows = FeatureRows.of([{0: 1.0, 2: -0.5}, {1: 2.0}])
    assert SparseRows.of_rows(rows).rows() == rows


def test_values_for_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="1 values of sparse features; expected 2"):
        SparseRows(Rows.of([[0]]), Rows.of([[1, 2]]), np.ones(1))
