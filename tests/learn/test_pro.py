"""PRO samples pairs as documented, reaches the optimum of its loss, and filters features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize as reference_minimize

from demotic import _core
from demotic.learn import Pool, Pro
from demotic.learn.lbfgs import minimize
from demotic.learn.pro import chosen_features
from demotic.learn.sparse_rows import SparseRows
from demotic.testing.plain_metrics import PlainBleu
from demotic.testing.pools import as_sparse, random_pool


def sampled(pool: Pool, gains: np.ndarray, **settings: float) -> tuple[np.ndarray, np.ndarray]:
    options = _core.PairOptions()
    for name, value in settings.items():
        setattr(options, name, value)
    return _core.sample_pairs(pool.offsets, gains, options, 1)


def test_pairs_differ_enough_and_most_and_are_of_one_list() -> None:
    pool = random_pool(3, lists=12, longest=30)
    gains = PlainBleu().gain(pool.statistics)
    better, worse = sampled(pool, gains, kept=7, threshold=0.1, draws=400)
    differences = gains[better] - gains[worse]
    assert (differences > 0.1).all()
    list_of = np.repeat(np.arange(len(pool)), np.diff(pool.offsets))
    assert (list_of[better] == list_of[worse]).all()
    assert np.bincount(list_of[better]).max() == 7
    every, _ = sampled(pool, gains, kept=400, threshold=0.1, draws=400)
    all_differences = (
        gains[every] - gains[sampled(pool, gains, kept=400, threshold=0.1, draws=400)[1]]
    )
    for number in np.unique(list_of[better]):
        mine = differences[list_of[better] == number]
        assert mine.tolist() == all_differences[list_of[every] == number][:7].tolist()
        assert (np.diff(mine) <= 0).all()


def test_draws_are_spread_evenly() -> None:
    pool = Pool.of([(np.zeros((4, 1)), np.ones((4, 9)))])
    gains = np.array([0.1, 0.2, 0.3, 0.4])
    better, worse = sampled(pool, gains, kept=100_000, threshold=0.0, draws=100_000)
    counts = np.bincount(4 * better + worse, minlength=16).reshape(4, 4)
    # Of 16 ordered pairs, each unordered pair has probability 1/8; pairs of equals are dropped.
    assert len(better) == pytest.approx(75_000, rel=0.02)
    np.testing.assert_allclose(counts[np.tril_indices(4, -1)], 12_500, rtol=0.05)


def test_every_list_and_round_draws_numbers_of_its_own() -> None:
    alone = [(np.zeros((30, 1)), np.ones((30, 9)))]
    gains = np.linspace(0, 1, 30)
    first = sampled(Pool.of(alone), gains, kept=20)
    two = sampled(Pool.of(alone * 2), np.tile(gains, 2), kept=20)
    assert two[0][:20].tolist() == first[0].tolist()
    assert (two[0][20:] - 30).tolist() != first[0].tolist() or (two[1][20:] - 30).tolist() != first[
        1
    ].tolist()
    other = sampled(Pool.of(alone), gains, kept=20, round=2)
    assert (other[0].tolist(), other[1].tolist()) != (first[0].tolist(), first[1].tolist())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kept", [4, 2, 0])
def test_the_regression_reaches_its_optimum(kept: int, weighted: bool) -> None:
    """If lists have weights, a pair has the weight of its list."""
    dense = random_pool(8, lists=15)
    pool = as_sparse(dense, kept)
    of_lists = np.linspace(0, 2, len(pool)) if weighted else np.ones(len(pool))
    if weighted:
        pool = replace(pool, list_weights=of_lists)
    gains = PlainBleu().gain(pool.statistics)
    found = Pro(interpolation=1.0, regularization=0.5).update(
        np.zeros(4), pool, PlainBleu(), seed=4
    )
    better, worse = sampled(pool, gains, seed=4)
    rows = dense.dense[better].astype(float) - dense.dense[worse]
    # One positive and one negative example per pair.
    examples = np.vstack([rows, -rows])
    labels = np.repeat([1.0, -1.0], len(rows))
    counted = np.tile(np.repeat(of_lists, np.diff(pool.offsets))[better], 2)

    def loss(w: np.ndarray) -> float:
        return float(counted @ np.logaddexp(0, -labels * (examples @ w)) + 0.25 * w @ w)

    expected = reference_minimize(loss, np.zeros(4), options={"gtol": 1e-8})
    np.testing.assert_allclose(found.weights, expected.x, atol=1e-4)
    assert found.report["loss"] <= expected.fun + 1e-8
    assert found.report["pairs"] == len(better)


def test_weights_are_interpolated() -> None:
    pool, old = random_pool(8, lists=15), np.array([1.0, -2.0, 0.5, 3.0])
    whole = Pro(interpolation=1.0).update(old, pool, PlainBleu()).weights
    part = Pro(interpolation=0.25).update(old, pool, PlainBleu()).weights
    np.testing.assert_allclose(part, 0.25 * whole + 0.75 * old)


def test_lbfgs_on_an_ill_conditioned_bowl() -> None:
    scales = 10.0 ** np.arange(-3, 4)
    found = minimize(
        lambda x: (float(np.sum(scales * (x - 1) ** 2)), 2 * scales * (x - 1)),
        np.zeros(7),
        tolerance=1e-10,
    )
    np.testing.assert_allclose(found.x, 1, atol=1e-4)


def test_filters_of_features() -> None:
    rows = SparseRows.of([{0: 1.0, 1: 1.0, 2: 1.0}, {1: 1.0, 2: 1.0}, {2: 1.0}, {3: 1.0, 1: 1.0}])
    pool = Pool(
        [0, 4],
        np.zeros((4, 2)),
        np.ones((4, 9)),
        rows,
        6,
        lexicalized=[False, False, True, False, False, False],
    )
    assert np.flatnonzero(chosen_features(pool, "dense", 2)).tolist() == [0, 1]
    # The lexicalised one is dropped; ties go to the first; unseen features are dropped.
    assert np.flatnonzero(chosen_features(pool, "medium", 2)).tolist() == [0, 1, 2, 3]
    assert np.flatnonzero(chosen_features(pool, "medium", 9)).tolist() == [0, 1, 2, 3, 5]
    assert chosen_features(pool, "large", 0).all()


def test_features_that_are_filtered_out_keep_their_weights() -> None:
    pool, old = as_sparse(random_pool(9, lists=15), 2), np.array([0.1, 0.2, 0.3, 0.4])
    found = Pro(features="dense").update(old, pool, PlainBleu()).weights
    assert found[2:].tolist() == [0.3, 0.4]
    assert found[:2].tolist() != [0.1, 0.2]
