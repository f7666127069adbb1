"""The contract of every list learner; `tests/learn/test_contract.py` runs it on each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from demotic.errors import ModelError
from demotic.learn import Learner, Pool
from demotic.learn.learner import pool_score
from tests.learn.bleu import Bleu
from tests.learn.problems import as_sparse, doubled, random_pool, reordered, separable_pool


@dataclass(frozen=True)
class Promises:
    """A learner, and which guarantees its definition implies."""

    learner: Learner
    candidate_order: bool = True  # the order of candidates does not matter
    duplicates: bool = True  # nor do copies of candidates
    sparse: bool = True  # all weights are learnt, dense or sparse
    tolerance: float = 1e-9


def solves_the_separable_toy(promised: Promises) -> None:
    pool, metric = separable_pool(3), Bleu()
    bounds = zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    gains = metric.gain(pool.statistics)
    oracle = [begin + int(np.argmax(gains[begin:end])) for begin, end in bounds]
    best = metric.corpus_score(pool.statistics[oracle].sum(axis=0))
    weights = np.array([-0.1, 0.2, 0.1])
    assert pool_score(weights, pool, metric) < best - 0.02
    for number in range(1, 6):
        result = promised.learner.update(weights, pool, metric, seed=1, round_number=number)
        weights = result.weights
    assert pool_score(weights, pool, metric) == pytest.approx(best, abs=1e-12)
    assert result.report["score"] == pytest.approx(best, abs=1e-12)
    assert not result.refused


def changes_nothing_without_evidence(promised: Promises) -> None:
    weights = np.array([0.25, -0.5, 0.25])
    empty = Pool([0], np.zeros((0, 3)), np.zeros((0, 9)))
    counts = [[5, 4, 3, 2, 6, 5, 4, 3, 7]]
    single = Pool.of([([[1.0, 2.0, 3.0]], counts)])
    alike = Pool.of([([[1.0, 2.0, 3.0]] * 3, counts * 3)])
    for pool in (empty, single, alike):
        result = promised.learner.update(weights, pool, Bleu())
        assert result.weights.tolist() == weights.tolist()
        assert not result.refused


def is_the_same_for_a_seed_and_any_threads(promised: Promises) -> None:
    pool, start = random_pool(5, lists=30), np.array([0.4, 0.3, 0.2, 0.1])
    results = [
        promised.learner.update(start, pool, Bleu(), seed=7, threads=threads)
        for threads in (1, 1, 2, 5)
    ]
    for result in results[1:]:
        assert result.weights.tobytes() == results[0].weights.tobytes()
        assert result.report == results[0].report
    assert start.tolist() == [0.4, 0.3, 0.2, 0.1]


def keeps_what_it_promises_about_order_and_copies(promised: Promises) -> None:
    # Without ties: of equally good candidates the first one counts.
    pool = separable_pool(8)
    weights = np.array([0.1, 0.3, 0.2])
    expected = promised.learner.update(weights, pool, Bleu(), seed=2).weights
    for holds, other in (
        (promised.candidate_order, reordered(pool, 4)),
        (promised.duplicates, doubled(pool)),
    ):
        if holds:
            found = promised.learner.update(weights, other, Bleu(), seed=2).weights
            np.testing.assert_allclose(found, expected, atol=promised.tolerance)


def learns_the_same_from_sparse_features(promised: Promises) -> None:
    pool, weights = random_pool(6, lists=20), np.array([0.2, -0.1, 0.3, 0.1])
    expected = promised.learner.update(weights, pool, Bleu(), seed=3).weights
    for kept in (0, 1):
        found = promised.learner.update(weights, as_sparse(pool, kept), Bleu(), seed=3).weights
        if promised.sparse:
            np.testing.assert_allclose(found, expected, atol=promised.tolerance)
        else:  # weights that are not learnt keep their proportions
            ratios = found[kept:] / weights[kept:]
            np.testing.assert_allclose(ratios, ratios[0])


def has_finite_weights_and_refuses_others(promised: Promises) -> None:
    huge = Pool(random_pool(9).offsets, random_pool(9).dense * 1e30, random_pool(9).statistics)
    result = promised.learner.update(np.full(4, 1e280), huge, Bleu())
    assert np.isfinite(result.weights).all()
    assert not result.weights.flags.writeable
    for bad in ([np.nan, 0, 0, 0], [0, np.inf, 0, 0]):
        with pytest.raises(ModelError, match="finite"):
            promised.learner.update(bad, random_pool(9), Bleu())
    with pytest.raises(ModelError, match="4 features"):
        promised.learner.update([1.0], random_pool(9), Bleu())


CONTRACT: tuple[Any, ...] = (
    solves_the_separable_toy,
    changes_nothing_without_evidence,
    is_the_same_for_a_seed_and_any_threads,
    keeps_what_it_promises_about_order_and_copies,
    learns_the_same_from_sparse_features,
    has_finite_weights_and_refuses_others,
)
