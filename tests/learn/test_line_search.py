"""The line search agrees with a trial of every interval; MERT climbs with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.learn import Mert, Pool
from demotic.learn.learner import form_of, pool_score
from demotic.testing.plain_metrics import PlainBleu, PlainTer
from demotic.testing.pools import random_pool, random_statistics
from tests.oracle.line_search import best_on_line, winners

BLEU, TER = form_of(PlainBleu()), form_of(PlainTer())


def vectors(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(-4, 4), min_size=size, max_size=size)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**6), vectors(4), vectors(4), st.integers(1, 40))
def test_line_search_equals_all_intervals(
    seed: int, weights: list[int], direction: list[int], longest: int
) -> None:
    pool = random_pool(seed, lists=4, longest=longest)
    start, along = np.array(weights, float), np.array(direction, float)
    step, score = pool.native.line_search(BLEU, start, along)
    best_step, best_score = best_on_line(pool, PlainBleu(), start, along)
    assert score == pytest.approx(best_score, abs=1e-12)
    assert step == pytest.approx(best_step, abs=1e-9)
    there = pool.statistics[winners(pool, start, along, step)].sum(axis=0)
    assert PlainBleu().objective(there[None])[0] == pytest.approx(score, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 200))
def test_line_search_on_long_lists_of_real_numbers(seed: int, longest: int) -> None:
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(3):
        count = int(rng.integers(1, longest + 1))
        lists.append((rng.normal(size=(count, 3)), random_statistics(rng, count, 20)))
    pool = Pool.of(lists)
    start, along = rng.normal(size=3), rng.normal(size=3)
    _, score = pool.native.line_search(BLEU, start, along)
    assert score == pytest.approx(best_on_line(pool, PlainBleu(), start, along)[1], abs=1e-12)


def test_line_search_with_a_ratio_of_errors() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        lists = []
        for _ in range(5):
            edits = rng.integers(0, 12, 9)
            lists.append((rng.normal(size=(9, 2)), np.column_stack([edits, np.full(9, 12)])))
        pool = Pool.of(lists, statistics=2)
        start, along = rng.normal(size=2), rng.normal(size=2)
        step, score = pool.native.line_search(TER, start, along)
        best_step, best_score = best_on_line(pool, PlainTer(), start, along)
        assert score == pytest.approx(best_score, abs=1e-12)
        assert step == pytest.approx(best_step, abs=1e-9)


def test_weights_of_lists_count() -> None:
    statistics = [[0, 10], [10, 10]]
    lists = [([[1.0], [0.0]], statistics), ([[0.0], [1.0]], statistics)]
    for weights, sign in (([3.0, 1.0], 1), ([1.0, 3.0], -1)):
        pool = Pool.of(lists, statistics=2, list_weights=weights)
        step, score = pool.native.line_search(TER, np.zeros(1), np.ones(1))
        assert np.sign(step) == sign
        assert score == pytest.approx(0.75)


def test_flat_lines_give_no_step() -> None:
    pool = random_pool(4)
    step, score = pool.native.line_search(BLEU, np.ones(4), np.zeros(4))
    assert step == 0
    assert score == pytest.approx(pool_score(np.ones(4), pool, PlainBleu()), abs=1e-12)


def test_mert_never_ends_below_its_start_and_reports_the_score_of_the_pool() -> None:
    for seed in range(10):
        pool, metric = random_pool(seed, lists=15), PlainBleu()
        start = np.array([0.5, -0.2, 0.2, 0.1])
        result = Mert(restarts=2).update(start, pool, metric, seed=seed)
        assert result.report["score"] >= pool_score(start, pool, metric)
        assert result.report["score"] == pytest.approx(max(result.report["starts"]), abs=1e-12)
        assert np.abs(result.weights).sum() == pytest.approx(1)


def test_restarts_depend_only_on_seed_and_round() -> None:
    pool, start = random_pool(2, lists=20), np.full(4, 0.25)
    few = Mert(restarts=2).update(start, pool, PlainBleu(), seed=5, round_number=3)
    more = Mert(restarts=6).update(start, pool, PlainBleu(), seed=5, round_number=3, threads=3)
    assert more.report["starts"][:3] == few.report["starts"]  # type: ignore[index]
    other = Mert(restarts=6).update(start, pool, PlainBleu(), seed=5, round_number=4)
    assert other.report["starts"][1:] != more.report["starts"][1:]  # type: ignore[index]


def test_statistics_of_another_metric_are_refused() -> None:
    pool = Pool.of([([[1.0], [0.0]], [[0, 10], [10, 10]])], statistics=2)
    with pytest.raises(ValueError, match="the statistics do not fit the metric"):
        Mert().update([1.0], pool, PlainBleu())


def test_fractional_reference_lengths() -> None:
    """As with the average of several references: thirds of a word here."""
    pool = random_pool(11, lists=10)
    thirds = pool.statistics.copy()
    thirds[:, -1] *= 3
    scaled = PlainBleu()
    scaled.length_scale = 3
    other = Pool(pool.offsets, pool.dense, thirds)
    for along in np.eye(4):
        expected = pool.native.line_search(BLEU, np.ones(4), along)
        assert other.native.line_search(form_of(scaled), np.ones(4), along) == expected
