"""Intervals and tests: sums by hand, agreement with sacrebleu, and what must hold at the ends."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest as TheirTest

from demotic import _core
from demotic.errors import Error
from demotic.metrics import Bleu, EvaluateOptions, References, Ter, evaluate
from demotic.metrics.significance import bootstrap, compare, interval
from tests.metrics.texts import damaged

LINES = [
    " ".join(f"w{(i * 7 + j * (1 + i % 5)) % 43}" for j in range(4 + i % 9)) for i in range(300)
]
REFERENCES = References.from_streams([LINES])


def rows_of(metric: Bleu | Ter, *runs: list[str]) -> np.ndarray:
    return np.stack([metric.statistics(run) for run in runs], axis=1)


def test_bootstrap_sums() -> None:
    """A column that says which sentence it is shows what was drawn."""
    size, samples = 17, 4000
    values = np.eye(size, dtype=np.int64)
    drawn = _core.bootstrap_sums(values.reshape(-1), size, 1, samples, 5, 1).reshape(samples, size)
    assert (drawn.sum(axis=1) == size).all()
    assert drawn.mean(axis=0) == pytest.approx(np.ones(size), abs=0.08)
    assert drawn.var(axis=0) == pytest.approx(np.full(size, 1 - 1 / size), rel=0.15)
    for threads in (1, 3):
        again = _core.bootstrap_sums(values.reshape(-1), size, 1, samples, 5, threads)
        assert (again.reshape(samples, size) == drawn).all()
    other = _core.bootstrap_sums(values.reshape(-1), size, 1, samples, 6, 1)
    assert (other.reshape(samples, size) != drawn).any()


@pytest.mark.parametrize(("runs", "picked"), [(2, 1), (5, 2), (3, 3), (3, 0)])
def test_shuffle_sums(runs: int, picked: int) -> None:
    """Of every sentence so many runs, each as often as the others, each set as often."""
    size, trials = 4, 5000
    values = np.eye(size * runs, dtype=np.int64)
    drawn = _core.shuffle_sums(values.reshape(-1), size * runs, runs, picked, trials, 3, 2)
    chosen = drawn.reshape(trials, size, runs)
    assert (chosen.sum(axis=2) == picked).all()
    assert chosen.mean(axis=0) == pytest.approx(np.full((size, runs), picked / runs), abs=0.03)
    patterns, often = np.unique(chosen[:, 0], axis=0, return_counts=True)
    assert often == pytest.approx(np.full(len(patterns), trials / len(patterns)), rel=0.2)


def test_bad_shapes() -> None:
    values = np.arange(6, dtype=np.int64)
    for columns, runs in ((4, 1), (0, 1), (2, 2), (1, 0)):
        with pytest.raises(ValueError, match="incomplete rows"):
            _core.bootstrap_sums(values, columns, runs, 10, 1, 1)
    with pytest.raises(ValueError, match="no statistics"):
        _core.bootstrap_sums(values[:0], 1, 1, 10, 1, 1)
    with pytest.raises(ValueError, match="more runs"):
        _core.shuffle_sums(values, 3, 2, 3, 10, 1, 1)


def test_interval() -> None:
    scores = np.arange(1000.0)
    assert interval(scores, 95.0).low == 25
    assert interval(scores, 95.0).high == 974
    assert interval(scores, 95.0).mean == pytest.approx(499.5)
    assert interval(np.array([3.0]), 95.0).low == 3.0


@pytest.mark.parametrize("baseline", [damaged(LINES, 9), [*damaged(LINES[:280], 8), *LINES[280:]]])
def test_p_values_are_sacrebleus(baseline: list[str]) -> None:
    """Up to what chance makes of so many samples."""
    system = damaged(LINES, 1)
    result = evaluate(
        system,
        REFERENCES,
        baselines={"other": baseline},
        options=EvaluateOptions(samples=4000, trials=4000),
    )["bleu"]
    test = result.systems[0].against["other"]
    for kind, ours in (("bs", test.p_bootstrap), ("ar", test.p_randomisation)):
        theirs = TheirTest(
            [("base", baseline), ("sys", system)], {"BLEU": BLEU(force=True)}, [LINES],
            test_type=kind, n_samples=4000,
        )()[1]["BLEU"][1]  # fmt: skip
        spread = (theirs.p_value * (1 - theirs.p_value) / 4000) ** 0.5
        assert ours == pytest.approx(theirs.p_value, abs=5 * spread + 1e-3)
        if kind == "bs":
            between = result.systems[0].interval
            assert between.mean == pytest.approx(theirs.mean, abs=0.1)
            assert (between.high - between.low) / 2 == pytest.approx(theirs.ci, rel=0.1)


def test_equal_systems_do_not_differ() -> None:
    lines = damaged(LINES, 2)
    test = evaluate(lines, REFERENCES, baselines={"same": lines})["bleu"].systems[0].against["same"]
    assert (test.difference, test.wins) == (0, 0)
    assert (test.p_bootstrap, test.p_randomisation) == (1, 1)


def test_lower_ter_wins() -> None:
    result = evaluate(LINES, REFERENCES, baselines={"bad": damaged(LINES, 3)}, metrics=["ter"])
    test = result["ter"].systems[0].against["bad"]
    assert test.difference < 0
    assert test.wins == 1.0
    assert test.p_randomisation < 0.01


def test_two_draws_of_one_system_rarely_differ() -> None:
    """Under the null hypothesis p is uniform: about one in ten is below 0.1."""
    bleu = Bleu(REFERENCES)
    small = 0
    for seed in range(60):
        a, b = (rows_of(bleu, damaged(LINES, 100 + 2 * seed + k)) for k in (0, 1))
        scores = [bootstrap(bleu, rows, samples=50, seed=1) for rows in (a, b)]
        test = compare(bleu, (a, scores[0]), (b, scores[1]), trials=200, seed=seed)
        small += test.p_randomisation < 0.1
    assert small <= 15


def test_several_runs() -> None:
    good = [damaged(LINES[:], seed) for seed in (1, 2, 3)]
    bad = [damaged(damaged(LINES, seed), seed + 10) for seed in (4, 5)]
    result = evaluate(good, REFERENCES, baselines={"bad": bad}, metrics=["bleu", "ter"])
    for metric in result.metrics.values():
        first, second = metric.systems
        assert len(first.runs) == 3
        assert len(second.runs) == 2
        assert first.score == pytest.approx(np.mean(first.runs))
        assert first.deviation == pytest.approx(np.std(first.runs, ddof=1))
        assert first.against["bad"].p_randomisation < 0.01
        assert second.against == {}
    # Three times the same run is that run.
    once = evaluate(good[0], REFERENCES)["bleu"].systems[0]
    thrice = evaluate([good[0]] * 3, REFERENCES)["bleu"].systems[0]
    assert thrice.score == pytest.approx(once.score)
    assert thrice.interval.low == pytest.approx(once.interval.low)
    assert thrice.deviation == pytest.approx(0)


def test_bad_calls() -> None:
    with pytest.raises(Error, match="no metric 'bert'"):
        evaluate(LINES, REFERENCES, metrics=["bert"])
    with pytest.raises(ValueError, match="two systems are called system"):
        evaluate(LINES, REFERENCES, baselines={"system": LINES})
    with pytest.raises(ValueError, match="299 candidates, but references for 300"):
        evaluate(LINES[1:], REFERENCES)
    with pytest.raises(ValueError, match="no sentences"):
        evaluate([], References.from_streams([[]]))
