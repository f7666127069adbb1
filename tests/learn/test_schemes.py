"""Parallel schemes against plain loops over shards; threads change no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from demotic.learn import ForestMira, Mira, Pool, RelativeMargin
from demotic.learn.scheme import Scheme
from demotic.testing.plain_metrics import PlainBleu
from demotic.testing.pools import as_sparse, random_pool
from tests.learn.small_evidence import separable_evidence
from tests.oracle.margins import exact_mira, plain_steps

SCHEMES: list[Scheme] = ["mixing", "independent", "minibatch", "shared"]
START = np.array([0.1, 0.2, -0.1, 0.3])
ONE_SWEEP: dict[str, Any] = {"sweeps": 1, "average": "sweep", "keep": "last", "tolerance": 1e-10}


def lists_of(pool: Pool) -> list[tuple[np.ndarray, np.ndarray]]:
    """Features and gains, all counts of the pseudo-document being 1."""
    found = []
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        rows = pool.statistics[begin:end]
        gains = PlainBleu().context_gain(np.ones(9), rows) * (1 + rows[:, 8])
        found.append((pool.dense[begin:end].astype(float), gains))
    return found


def test_a_minibatch_takes_the_mean_of_its_steps() -> None:
    """With one list per shard a sweep is one batch, and the order does not matter."""
    pool = random_pool(12, lists=5)
    learner = Mira(shards=5, scheme="minibatch", **ONE_SWEEP)
    found = learner.update(START, pool, PlainBleu(), threads=2).weights
    options = {"step": 0.01, "bound_step": 0.0, "bound": np.inf}
    steps = [plain_steps(START, dense, gains, **options) for dense, gains in lists_of(pool)]
    np.testing.assert_allclose(found, np.mean(steps, axis=0), atol=1e-12)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
def test_shared_hypotheses_are_solved_together(solver: Any, sparse: bool) -> None:
    """The optimum over the constraints of all shards; `pa` has one fear per shard."""
    pool = random_pool(12, lists=5)
    learner = Mira(shards=5, scheme="shared", solver=solver, step=0.05, max_steps=9999, **ONE_SWEEP)
    given = as_sparse(pool, 2) if sparse else pool
    found = learner.update(START, given, PlainBleu(), threads=2).weights
    groups = []
    for dense, gains in lists_of(pool):
        scores = dense @ START
        hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
        asked = [hope, fear] if solver == "pa" else list(range(len(gains)))
        groups.append((dense[hope] - dense[asked], gains[hope] - gains[asked]))
    joint = exact_mira(START, groups, 0.05)
    if solver == "pa":
        np.testing.assert_allclose(found, joint, atol=2e-5)
    else:  # constraints are chosen per list, and all lists together may need more
        assert _objective(found, groups) <= _objective(START, groups)
        assert _objective(found, groups) == pytest.approx(_objective(joint, groups), rel=0.05)


def _objective(weights: np.ndarray, groups: list[tuple[np.ndarray, np.ndarray]]) -> float:
    slacks = [float(np.max(losses - rows @ weights)) for rows, losses in groups]
    return 0.5 * float(np.sum((weights - START) ** 2)) + 0.05 * sum(max(0.0, s) for s in slacks)


def test_independent_shards_meet_at_the_end_only() -> None:
    """With three equal lists, each shard learns what one learner learns from one list."""
    pool = random_pool(12, lists=3)
    part = (pool.dense[:4], pool.statistics[:4])
    options: dict[str, Any] = {"sweeps": 7, "average": "sweep", "keep": "last"}
    alone = Mira(**options).update(START, Pool.of([part]), PlainBleu()).weights
    learner = Mira(shards=3, scheme="independent", **options)
    together = learner.update(START, Pool.of([part] * 3), PlainBleu()).weights
    np.testing.assert_allclose(together, alone, atol=1e-12)
    mixed = Mira(shards=3, **options).update(START, pool, PlainBleu()).weights
    assert learner.update(START, pool, PlainBleu()).weights.tolist() != mixed.tolist()


@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_threads_change_no_bit(scheme: Scheme, solver: Any) -> None:
    """Nine lists on four shards: the last batch is short."""
    pool = as_sparse(random_pool(31, lists=9), 2)
    learner = RelativeMargin(sweeps=6, shards=4, scheme=scheme, solver=solver)
    results = [learner.update(START, pool, PlainBleu(), threads=threads) for threads in (1, 2, 3)]
    assert len({result.weights.tobytes() for result in results}) == 1
    assert results[0].report == results[2].report
    assert results[0].weights.tolist() != START.tolist()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_shard_is_the_plain_learner(scheme: Scheme) -> None:
    pool, evidence = random_pool(31, lists=9), separable_evidence(3)
    for learner in (Mira, RelativeMargin):
        plain = learner(sweeps=4).update(START, pool, PlainBleu()).weights
        assert learner(sweeps=4, scheme=scheme).update(
            START, pool, PlainBleu()
        ).weights.tobytes() == (plain.tobytes())
    forest = ForestMira().update(START, evidence, PlainBleu()).weights
    other = ForestMira(scheme=scheme).update(START, evidence, PlainBleu()).weights
    np.testing.assert_allclose(other, forest, atol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forest_shards_learn_and_threads_change_no_bit(scheme: Scheme) -> None:
    evidence, start = separable_evidence(3), np.array([-0.1, 0.2, 0.1, 0.0])
    learner = ForestMira(passes=8, shards=3, scheme=scheme, step=0.05)
    results = [
        learner.update(start, evidence, PlainBleu(), threads=threads) for threads in (1, 2, 3)
    ]
    for result in results[1:]:
        assert result.weights.tobytes() == results[0].weights.tobytes()
        assert result.report == results[0].report
    before = ForestMira(step=0.0).update(start, evidence, PlainBleu()).report["score"]
    assert float(results[0].report["score"]) > float(before)  # type: ignore[arg-type]


def test_forest_schemes_differ() -> None:
    evidence, start = separable_evidence(3), np.array([-0.1, 0.2, 0.1, 0.0])
    found = {
        scheme: ForestMira(passes=2, shards=3, scheme=scheme)
        .update(start, evidence, PlainBleu())
        .weights.tobytes()
        for scheme in SCHEMES
    }
    assert len(set(found.values())) == len(SCHEMES)


def test_forest_minibatches_and_shared_steps() -> None:
    """All sentences in one batch: the mean of their steps, or one step for all."""
    evidence, start = separable_evidence(3, count=3), np.array([-0.1, 0.2, 0.1, 0.0])
    learn = {"shards": 3, "tolerance": 1e-10, "max_steps": 10000}
    mean = ForestMira(scheme="minibatch", **learn).update(start, evidence, PlainBleu()).weights
    mixed = ForestMira(scheme="mixing", **learn).update(start, evidence, PlainBleu()).weights
    # With one sentence per shard, mixing averages the same steps.
    np.testing.assert_allclose(mean, mixed, atol=1e-12)
    joint = ForestMira(scheme="shared", **learn).update(start, evidence, PlainBleu()).weights
    assert np.abs(joint - start).sum() > np.abs(mean - start).sum()
