"""MIRA and relative margin against exact solutions and plain loops."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from demotic._core import smo
from demotic.learn import Mira, Pool, Rampion, RelativeMargin
from demotic.testing.plain_metrics import PlainBleu
from demotic.testing.pools import random_pool, random_statistics
from tests.oracle.margins import exact_mira, exact_relative_margin, plain_ramp, plain_steps

ONE_VISIT = {"sweeps": 1, "average": "sweep", "keep": "last", "tolerance": 1e-10}
unscaled = partial(RelativeMargin, scale_start=False, step=0.01, bound_step=0.01)


def one_list(seed: int, *, features: int = 3, count: int = 6, references: int = 1) -> Pool:
    rng = np.random.default_rng(seed)
    dense, rows = rng.normal(size=(count, features)), random_statistics(rng, count, 15)
    rows[:, 8] += np.arange(count) % references
    return Pool.of([(dense, rows)])


def gains_of(pool: Pool, scale: str) -> np.ndarray:
    """Initial gains: all counts of the pseudo-document are 1."""
    gains = PlainBleu().context_gain(np.ones(9), pool.statistics)
    # Duplicates count once.
    own = np.unique(pool.statistics, axis=0)[:, 8].mean()
    return gains * {"corpus": 1, "length": 1 + own, "sentence": (1 + own) / own}[scale]


def solved(products: np.ndarray, linear: np.ndarray, blocks: np.ndarray, start: np.ndarray):
    return smo(
        np.ascontiguousarray(products),
        linear,
        blocks.astype(np.int32),
        start,
        1e-10,
        100_000,
    )[0]


@pytest.mark.parametrize("seed", range(25))
def test_smo_solves_batches_of_several_sentences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    step, start = float(rng.choice([0.01, 0.1, 1.0])), rng.normal(size=4)
    groups = []
    for _ in range(3):
        # The hope itself has no loss and no difference.
        differences = np.vstack([np.zeros(4), rng.normal(size=(5, 4))])
        groups.append((differences, np.concatenate([[0.0], rng.uniform(0, 2, 5)])))
    vectors = np.vstack([differences for differences, _ in groups])
    losses = np.concatenate([loss for _, loss in groups])
    first = np.zeros(len(losses))
    first[::6] = step
    mass = solved(vectors @ vectors.T, losses - vectors @ start, np.repeat([0, 1, 2], 6), first)
    assert (mass >= 0).all()
    np.testing.assert_allclose(mass.reshape(3, 6).sum(axis=1), step)
    np.testing.assert_allclose(start + mass @ vectors, exact_mira(start, groups, step), atol=1e-5)


def test_smo_moves_everything_between_equal_vectors() -> None:
    """Equal features, different losses: all mass moves to the larger loss, weights stay."""
    vectors = np.ones((2, 3))
    mass = solved(vectors @ vectors.T, np.array([0.1, 0.7]), np.zeros(2), np.array([0.5, 0.0]))
    assert mass.tolist() == [0.0, 0.5]
    mass, steps = smo(
        vectors @ vectors.T, np.array([0.7, 0.1]), np.zeros(2, np.int32), np.array([0.5, 0]), 0, 9
    )
    assert (mass.tolist(), steps) == ([0.5, 0.0], 0)


def test_smo_stops_at_the_step_limit() -> None:
    vectors = np.random.default_rng(3).normal(size=(20, 5))
    linear = np.linspace(1, 2, 20)
    start = np.eye(20)[0] * 10
    _, steps = smo(vectors @ vectors.T, linear, np.zeros(20, np.int32), start, 0.0, 7)
    assert steps == 7


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("scale", ["length", "sentence", "corpus"])
@pytest.mark.parametrize("seed", range(8))
def test_cutting_plane_mira_reaches_the_optimum(seed: int, scale: str, references: int) -> None:
    """References of different lengths do not change the factor of the gains."""
    pool, start = (
        one_list(seed, references=references),
        np.random.default_rng(seed + 99).normal(size=3) / 10,
    )
    learner = Mira(solver="cutting-plane", gain_scale=scale, step=0.05, max_steps=9999, **ONE_VISIT)
    found = learner.update(start, pool, PlainBleu()).weights
    dense, gains = pool.dense.astype(float), gains_of(pool, scale)
    hope = np.argmax(dense @ start + gains)
    expected = exact_mira(start, [(dense[hope] - dense, gains[hope] - gains)], 0.05)
    np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize("bound", [0.05, 0.5, 2.0])
@pytest.mark.parametrize("bound_step", [0.005, 0.05, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_cutting_plane_rm_reaches_the_optimum(seed: int, bound: float, bound_step: float) -> None:
    """Also with an exhausted budget D, which needs the slack of both bounds and pair moves."""
    pool, start = one_list(seed), np.random.default_rng(seed + 7).normal(size=3)
    learner = unscaled(
        solver="cutting-plane",
        step=0.1,
        bound=bound,
        bound_step=bound_step,
        gain_scale="sentence",
        max_steps=9999,
        **ONE_VISIT,
    )
    found = learner.update(start, pool, PlainBleu()).weights
    dense, gains = pool.dense.astype(float), gains_of(pool, "sentence")
    hope = np.argmax(dense @ start + gains)
    expected = exact_relative_margin(
        start,
        dense[hope] - dense,
        gains[hope] - gains,
        step=0.1,
        bound_step=bound_step,
        bound=bound,
    )
    np.testing.assert_allclose(found, expected, atol=5e-5)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("share", [1.0, 0.25])
@pytest.mark.parametrize("kind", ["mira", "rm"])
def test_passive_aggressive_steps_are_the_plain_ones(seed: int, kind: str, share: float) -> None:
    """Several sweeps over one list, with pseudo-document and averaging as in a plain loop.

    A list with a part of the weight takes that part of a step and of the pseudo-document.
    """
    weights = np.random.default_rng(seed).normal(size=3)
    pool = replace(one_list(seed), list_weights=np.array([share]))
    bound = np.inf if kind == "mira" else 0.5
    options = {"sweeps": 6, "decay": 0.7, "gain_scale": "length", "keep": "last", "step": 0.02}
    learner = Mira(**options) if kind == "mira" else unscaled(**options, bound=0.5)
    found = learner.update(weights, pool, PlainBleu()).weights
    background, total = np.ones(9), np.zeros(3)
    dense = pool.dense.astype(float)
    for _ in range(6):
        gains = PlainBleu().context_gain(background, pool.statistics)
        gains = gains * (background[8] + pool.statistics[:, 8])
        scores = dense @ weights
        shown = np.argmax(scores + gains) if kind == "mira" else np.argmax(scores)
        steps = {"step": 0.02 * share, "bound_step": 0.01 * share}
        weights = plain_steps(weights, dense, gains, **steps, bound=bound)
        background = 0.7**share * (background + share * pool.statistics[shown])
        total += weights
    np.testing.assert_allclose(found, total / 6, atol=1e-12)


def test_shards_are_averaged_after_every_sweep() -> None:
    """With one list per shard the order does not matter: the result is the mean of the steps."""
    pool, start = random_pool(12, lists=5), np.array([0.1, 0.2, -0.1, 0.3])
    found = Mira(sweeps=1, shards=5, average="sweep", gain_scale="length").update(
        start, pool, PlainBleu(), threads=2
    )
    steps = []
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        part = Pool([0, end - begin], pool.dense[begin:end], pool.statistics[begin:end])
        gains = gains_of(part, "length")
        dense = part.dense.astype(float)
        steps.append(plain_steps(start, dense, gains, step=0.01, bound_step=0.0, bound=np.inf))
    np.testing.assert_allclose(found.weights, np.mean(steps, axis=0), atol=1e-12)


@pytest.mark.parametrize("scale", ["length", "sentence", "corpus"])
def test_fractional_reference_lengths(scale: str) -> None:
    pool, start = random_pool(12, lists=9), np.array([0.1, 0.2, -0.1, 0.3])
    halves, scaled = pool.statistics.copy(), PlainBleu()
    halves[:, -1] *= 2
    scaled.length_scale = 2
    other = Pool(pool.offsets, pool.dense, halves)
    learner = unscaled(sweeps=3, gain_scale=scale)
    expected = learner.update(start, pool, PlainBleu())
    found = learner.update(start, other, scaled)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-12)
    assert found.report["score"] == pytest.approx(expected.report["score"])


@pytest.mark.parametrize("scale", ["length", "sentence"])
def test_a_longer_reference_has_no_advantage(scale: str) -> None:
    """One candidate is a reference of 9 words, the other one of 19 words: both are perfect."""
    pool = Pool.of([([[1.0, 0.0], [0.0, 1.0]], [[9] * 9, [19] * 9])])
    learner = Mira(gain_scale=scale, step=0.5, **ONE_VISIT)
    for start in ([0.0, 1e-3], [1e-3, 0.0]):
        assert learner.update(start, pool, PlainBleu()).weights.tolist() == start


@pytest.mark.parametrize("seed", range(6))
def test_rampion_is_the_plain_loop(seed: int) -> None:
    pool, start = random_pool(seed), np.random.default_rng(seed).normal(size=4)
    settings = {"rate": 0.003, "regularization": 2.0, "passes": 3}
    found = (
        Rampion(hope_rounds=4, cost_scale=5.0, **settings).update(start, pool, PlainBleu()).weights
    )
    lists = [
        (pool.dense[begin:end].astype(float), PlainBleu().gain(pool.statistics[begin:end]))
        for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    ]
    expected = plain_ramp(start, lists, rounds=4, scale=5.0, **settings)
    np.testing.assert_allclose(found, expected, atol=1e-12)


# Errors in the algorithm as published (Eidelman et al. 2013), one test each.


def two_candidates(good: list[float], bad: list[float]) -> Pool:
    """A good and a bad translation of one sentence."""
    return Pool.of([([good, bad], [[9, 8, 7, 6, 10, 9, 8, 7, 10], [5, 3, 1, 0, 10, 9, 8, 7, 10]])])


@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
def test_the_first_margin_step_is_not_clipped_to_nothing(solver: str) -> None:
    pool = two_candidates([1.0, 0.0], [0.0, 1.0])
    gains = gains_of(pool, "sentence")
    wide = {"step": 9.0, "bound": 100.0, "gain_scale": "sentence"}
    found = unscaled(solver=solver, **wide, **ONE_VISIT).update(np.zeros(2), pool, PlainBleu())
    length = (gains[0] - gains[1]) / 2
    np.testing.assert_allclose(found.weights, [length, -length], atol=1e-9)


@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
def test_the_upper_bound_acts_when_it_is_violated_and_not_otherwise(solver: str) -> None:
    pool, start = two_candidates([1.0, 0.0], [0.0, 1.0]), np.array([2.0, -2.0])
    tight = unscaled(solver=solver, bound=1.0, bound_step=9.0, **ONE_VISIT)
    moved = tight.update(start, pool, PlainBleu()).weights
    assert moved @ [1.0, -1.0] == pytest.approx(1.0)
    wide = unscaled(solver=solver, bound=5.0, bound_step=9.0, **ONE_VISIT)
    assert wide.update(start, pool, PlainBleu()).weights.tolist() == start.tolist()


@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
def test_the_lower_bound_looks_at_the_lowest_difference(solver: str) -> None:
    """The hope is the better translation, although the worse one scores higher by 4."""
    pool, start = two_candidates([1.0, 0.0], [0.0, 1.0]), np.array([-2.0, 2.0])
    learner = unscaled(
        solver=solver, gain_scale="length", step=0.0, bound=1.0, bound_step=9.0, **ONE_VISIT
    )
    assert gains_of(pool, "length")[0] - gains_of(pool, "length")[1] > 4
    moved = learner.update(start, pool, PlainBleu()).weights
    assert moved @ [1.0, -1.0] == pytest.approx(-1.0)


@pytest.mark.parametrize("solver", ["pa", "cutting-plane"])
def test_bound_steps_are_limited_by_their_budget(solver: str) -> None:
    pool, start = two_candidates([1.0, 0.0], [0.0, 1.0]), np.array([2.0, -2.0])
    learner = unscaled(solver=solver, bound=0.0, bound_step=0.3, step=0.0, **ONE_VISIT)
    moved = learner.update(start, pool, PlainBleu()).weights
    np.testing.assert_allclose(moved, [1.7, -1.7], atol=1e-12)


def test_without_a_bound_relative_margin_is_mira() -> None:
    pool, start = random_pool(31, lists=12), np.array([0.3, -0.2, 0.1, 0.2])
    same = {"decay": 0.9, "gain_scale": "corpus", "background": "model", "sweeps": 5}
    free = unscaled(bound=1e6, sweeps=5).update(start, pool, PlainBleu()).weights
    assert free.tobytes() == Mira(**same).update(start, pool, PlainBleu()).weights.tobytes()


def test_the_spread_is_reported() -> None:
    pool, start = one_list(3), np.array([0.5, 1.0, -1.0])
    report = Mira(**ONE_VISIT).update(start, pool, PlainBleu()).report
    scores = pool.dense.astype(float) @ start
    hope = np.argmax(scores + gains_of(pool, "length"))
    assert report["sweep_spread_mean"] == [pytest.approx(scores[hope] - scores.min())]
    assert report["sweep_spread_deviation"] == [pytest.approx(0.0, abs=1e-6)]


def test_relative_margin_can_begin_with_weights_at_the_scale_of_its_bound() -> None:
    pool = random_pool(3)
    start = np.random.default_rng(3).normal(size=pool.features)
    scores = pool.dense.astype(np.float64) @ start
    lists = zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    spread = np.mean([np.ptp(scores[begin:end]) for begin, end in lists])
    still = RelativeMargin(bound=spread / 8, step=0.0, bound_step=0.0, scale_start=True)
    found = still.update(start, pool, PlainBleu(), round_number=1)
    assert found.weights == pytest.approx(start / 8)
    assert found.report["score"] == Mira(step=0.0).update(start, pool, PlainBleu()).report["score"]
    # Later rounds, and weights within the bound, are left as they are.
    assert (still.update(start, pool, PlainBleu(), round_number=2).weights == start).all()
    wide = replace(still, bound=spread * 2)
    assert (wide.update(start, pool, PlainBleu()).weights == start).all()
    given = replace(still, scale_start=False)
    assert (given.update(start, pool, PlainBleu()).weights == start).all()
