"""Forest MIRA: its steps are optimal, it learns, and outputs that grow without end are noticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic.errors import ModelError
from demotic.learn import ForestEvidence, ForestMira
from demotic.learn.learner import pool_score
from demotic.metrics import PseudoDocument
from demotic.testing.plain_metrics import PlainBleu, PlainTer
from tests.forest.small_forests import NAMES, SmallForest, forest_of, small_forests
from tests.learn.small_evidence import enumerated, evidence_of, separable_evidence
from tests.oracle import forest as oracle

REFERENCE = "w0 w1 w1 w0 w1"


@given(drawn=small_forests(), seed=st.integers(0, 99), mu=st.sampled_from([0.0, 0.5, 0.8]))
@settings(max_examples=100, deadline=None)
def test_a_step_is_optimal_over_all_derivations(drawn: SmallForest, seed: int, mu: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = _with_one_word_per_edge(drawn)
    covered = np.full(drawn.forest.nodes, 5, np.int32)
    evidence = evidence_of([drawn.forest], [REFERENCE], [covered])
    pool = enumerated([drawn], evidence.bleu)
    words = [oracle.words(t, drawn.targets) for t in oracle.derivations(drawn.nodes, drawn.root)]
    assume(len(words) >= 2)
    assert len(set(words)) == len(words)
    weights = rng.normal(size=len(NAMES))
    dense, gains = pool.dense.astype(float), PseudoDocument().gain(pool.statistics, 5.0)
    value = (1 - mu) * gains + mu * (dense @ weights)
    best = int(np.argmax(value))
    assume(np.sort(value)[-2] < value[best] - 1e-6)

    def objective(new: np.ndarray) -> float:
        slack = gains[best] - gains - (dense[best] - dense) @ new
        return 0.5 * float(np.sum((new - weights) ** 2)) + 0.05 * float(slack.max())

    learner = ForestMira(step=0.05, candidates=300, mu=mu, tolerance=1e-10, max_steps=10000)
    found = learner.update(weights, evidence, PlainBleu()).weights
    # The objective is convex, so a point that no small step improves is its minimum.
    lowest = objective(found)
    for size in (1e-3, 1e-2, 1e-1):
        for step in rng.normal(size=(60, len(NAMES))):
            assert objective(found + size * step) >= lowest - 1e-9


def _with_one_word_per_edge(drawn: SmallForest) -> SmallForest:
    """Makes all yields distinct, since lists keep only one derivation per yield."""
    tails = [[tails for _, tails in node] for node in drawn.nodes]
    targets = [[10 + edge, *target] for edge, target in enumerate(drawn.targets)]
    forest = forest_of(tails, targets or None, list(drawn.forest.edge_features) or None)
    return SmallForest(forest, drawn.nodes, drawn.scores, targets)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"oracle": "max-bleu"},
        {"oracle": "local"},
        {"oracle": "local", "loss_augmented": False},
        {"oracle": "bold"},
    ],
)
def test_learns_what_can_be_learnt(options: dict[str, Any]) -> None:
    evidence, metric = separable_evidence(3), PlainBleu()
    weights = start = np.array([-0.1, 0.2, 0.1, 0.0])
    assert pool_score(start, evidence, metric) < 0.5
    for number in range(1, 4):
        learner = ForestMira(passes=4, **options)
        result = learner.update(weights, evidence, metric, round_number=number)
        weights = result.weights
    assert result.report["score"] == pytest.approx(1.0, abs=0.02)
    assert not result.refused
    assert result.report["runaway"] == 0.0
    assert result.report["length_ratio"] == pytest.approx(1.0)


def test_bold_updates_skip_forests_without_the_reference() -> None:
    """Two translations; the better one is the reference only in the second case."""
    forest = forest_of([[(), ()]], [[0, 1, 2], [0, 9, 9]], [{0: 1.0}, {1: 1.0}])
    start = np.array([0.0, 0.5, 0.0, 0.0])
    for reference, learns in (("w0 w1 w2 w3", False), ("w0 w1 w2", True)):
        evidence = evidence_of([forest], [reference])
        bold = ForestMira(oracle="bold", step=1.0).update(start, evidence, PlainBleu())
        assert bool((bold.weights != start).any()) == learns
        mixed = ForestMira(oracle="max-bleu", step=1.0).update(start, evidence, PlainBleu())
        assert (mixed.weights != start).any()


def test_is_the_same_for_a_seed_and_any_threads() -> None:
    evidence, start = separable_evidence(5), np.array([-0.4, 0.3, 0.2, 0.1])
    results = [
        ForestMira().update(start, evidence, PlainBleu(), seed=4, round_number=2, threads=threads)
        for threads in (1, 1, 3)
    ]
    for result in results[1:]:
        assert result.weights.tobytes() == results[0].weights.tobytes()
        assert result.report == results[0].report
    other = ForestMira().update(start, evidence, PlainBleu(), seed=5, round_number=2)
    assert other.weights.tobytes() != results[0].weights.tobytes()


def test_averages_the_last_pass_only() -> None:
    evidence, start = separable_evidence(5, count=1), np.array([-0.4, 0.3, 0.2, 0.1])
    for passes in (1, 2, 3):
        result = ForestMira(passes=passes).update(start, evidence, PlainBleu())
        # With one sentence per pass, the average over the last pass is the last weights.
        np.testing.assert_allclose(result.weights, result.report["last_weights"], atol=1e-15)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shards": 3},
        {"shards": 3, "scheme": "independent"},
        {"shards": 3, "scheme": "shared"},
        {"shards": 3, "scheme": "minibatch"},
    ],
)
def test_rounds_are_parts_of_one_run(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three rounds of a pass, with the state carried over, are one round of three passes."""
    evidence, start = separable_evidence(5), np.array([-0.4, 0.3, 0.2, 0.1])
    same_order = np.random.default_rng(7)
    orders = [same_order.permutation(len(evidence)) for _ in range(3)]

    class Drawn:
        def __init__(self, seed: tuple[int, int]) -> None:
            self.next = seed[1] - 1

        def permutation(self, _: int) -> np.ndarray:
            self.next += 1
            return orders[self.next - 1]

    monkeypatch.setattr(np.random, "default_rng", Drawn)
    whole = ForestMira(passes=3, **options).update(start, evidence, PlainBleu())
    weights, state = start, None
    for number in (1, 2, 3):
        result = ForestMira(**options).update(
            weights, evidence, PlainBleu(), round_number=number, state=state
        )
        weights, state = result.weights, result.state
    assert result.weights.tobytes() == whole.weights.tobytes()
    assert result.report["last_weights"] == whole.report["last_weights"]
    assert result.state is not None
    assert whole.state is not None
    for name, values in whole.state.items():
        assert result.state[name].tobytes() == values.tobytes()
    fresh = ForestMira(**options).update(weights, evidence, PlainBleu(), round_number=3)
    assert fresh.weights.tobytes() != whole.weights.tobytes()


def test_changes_nothing_without_evidence() -> None:
    weights = np.array([0.25, -0.5, 0.125, 0.125])
    alone = evidence_of([forest_of([[()]], [[0]], [{0: 1.0}])], ["w0 w1 w2 w3"])
    none = evidence_of([forest_of([[]])], ["w0"])
    for evidence in (alone, none, evidence_of([], ["w0"])):
        result = ForestMira().update(weights, evidence, PlainBleu())
        assert result.weights.tolist() == weights.tolist()
        assert not result.refused


def test_refuses_weights_and_metrics_that_do_not_fit() -> None:
    evidence = separable_evidence(1)
    with pytest.raises(ModelError, match="lm"):
        ForestMira().update([np.nan, 0, 0, 0], evidence, PlainBleu())
    with pytest.raises(ModelError, match="plain TER for forests"):
        ForestMira().update(np.ones(4), evidence, PlainTer())


def wordy_evidence(*, knows_matches: bool) -> ForestEvidence:
    """Four right words, then four choices: nothing, one right word, or it and four wrong words.

    Feature 1 is the number of words; feature 0, if it exists, the number of right words.
    """
    tails: list[list[tuple[int, ...]]] = [[()]]
    targets, features = [[0, 1, 2, 3]], [{0: 4.0 * knows_matches, 1: 4.0}]
    for place in range(4):
        tails.append([(place,)] * 3)
        for more in ([], [4 + place], [4 + place, 9, 9, 9, 9]):
            targets.append([-1, *more])
            features.append({0: float(knows_matches and len(more) > 0), 1: float(len(more))})
    forest = forest_of(tails, targets, features)
    covered = np.arange(1, forest.nodes + 1, dtype=np.int32)
    return evidence_of([forest], ["w0 w1 w2 w3 w4 w5 w6 w7"], [covered])


def test_outputs_that_grow_without_end_are_noticed() -> None:
    """Only the number of words can be learnt here, and no fear opposes longer outputs."""
    start, poor = np.array([0.0, -0.01, 0.0, 0.0]), wordy_evidence(knows_matches=False)
    options = {"step": 1.0, "candidates": 3, "loss_augmented": False}
    lost = ForestMira(**options).update(start, poor, PlainBleu())
    assert lost.report["length_ratio_before"] == pytest.approx(0.5)
    assert lost.report["length_ratio"] == pytest.approx(3.0)
    assert lost.report["runaway"] == 1.0
    patient = ForestMira(**options, runaway_ratio=3.5).update(start, poor, PlainBleu())
    assert patient.report["runaway"] == 0.0
    afraid = ForestMira(step=1.0, candidates=3).update(start, poor, PlainBleu())
    assert afraid.report["runaway"] == 0.0
    rich = ForestMira(step=1.0, passes=5).update(
        start, wordy_evidence(knows_matches=True), PlainBleu()
    )
    assert rich.report["length_ratio"] == pytest.approx(1.0)
    assert rich.report["runaway"] == 0.0
