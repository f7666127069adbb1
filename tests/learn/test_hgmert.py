"""Hypergraph MERT gives what MERT gives on lists of all derivations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic.errors import ModelError
from demotic.forest.union import union_of
from demotic.learn import HypergraphMert, Mert, Pool
from demotic.learn.forest_evidence import ForestEvidence, joined
from demotic.learn.learner import form_of, pool_score
from demotic.metrics import Bleu, BleuOptions, References
from demotic.testing.plain_metrics import PlainBleu, PlainTer
from tests.forest.small_forests import NAMES, SmallForest, forest_of, small_forests
from tests.learn.small_evidence import enumerated, evidence_of, separable_evidence
from tests.oracle import forest as oracle
from tests.oracle.line_search import best_on_line

TEXTS = st.lists(st.sampled_from(["w0", "w1"]), max_size=8).map(
    lambda ws: " ".join(["w0", "w1", *ws])
)
FORESTS = st.lists(small_forests(), min_size=1, max_size=4)


@given(drawn=FORESTS, data=st.data(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_a_line_search_is_that_over_all_derivations(
    drawn: list[SmallForest], data: st.DataObject, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    drawn = [_with_real_features(one, rng) for one in drawn]
    evidence = evidence_of([one.forest for one in drawn], [data.draw(TEXTS) for _ in drawn])
    pool = enumerated(drawn, evidence.bleu)
    weights, direction = rng.normal(size=(2, len(NAMES)))
    assume(len(pool) > 0 and _lines_identify_statistics(pool, weights, direction))
    step, score, segments = evidence.native.line_search(
        form_of(evidence.metric), weights, direction, 1
    )
    assert segments >= len(pool)
    # Among equally good intervals, rounding may decide.
    _, expected = pool.native.line_search(form_of(PlainBleu()), weights, direction)
    assert score == pytest.approx(expected, abs=1e-12)
    there = weights + step * direction
    if _lines_identify_statistics(pool, there, there):
        assert score == pytest.approx(pool_score(there, pool, PlainBleu()), abs=1e-12)
    if pool.candidates <= 30:
        assert score == pytest.approx(
            best_on_line(pool, PlainBleu(), weights, direction)[1], abs=1e-12
        )


@given(drawn=FORESTS, seed=st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_the_reported_score_is_that_of_the_weights(drawn: list[SmallForest], seed: int) -> None:
    """It is measured on all derivations, and not below that of the initial weights.

    Weights may differ from those learnt on lists: rounding decides between equally good steps.
    """
    rng = np.random.default_rng(seed)
    drawn = [_with_real_features(one, rng) for one in drawn]
    evidence = evidence_of([one.forest for one in drawn], ["w0 w1 w0 w0 w1 w1"] * len(drawn))
    pool = enumerated(drawn, evidence.bleu)
    start = rng.normal(size=len(NAMES))
    assume(len(pool) > 0 and _lines_identify_statistics(pool, start, start))
    found = HypergraphMert(restarts=2, random_directions=3).update(start, evidence, PlainBleu())
    assume(_lines_identify_statistics(pool, found.weights, found.weights))
    score = pool_score(found.weights, pool, PlainBleu())
    assert found.report["score"] == pytest.approx(score, abs=1e-12)
    assert score >= pool_score(start, pool, PlainBleu()) - 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_learns_what_mert_learns_from_all_derivations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    forests = [_chain(rng) for _ in range(4)]
    evidence = evidence_of([one.forest for one in forests], ["w0 w1 w0 w0 w1 w1"] * 4)
    pool = enumerated(forests, evidence.bleu)
    start = rng.normal(size=len(NAMES))
    options = {"restarts": 2, "random_directions": 3}
    found = HypergraphMert(**options).update(start, evidence, PlainBleu(), seed=seed)
    expected = Mert(**options).update(start, pool, PlainBleu(), seed=seed)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-4)
    assert found.report["score"] == pytest.approx(expected.report["score"], abs=1e-12)


def _chain(rng: np.random.Generator) -> SmallForest:
    """A chain of four choices among three pairs of words."""
    tails = [[(node - 1,) if node else ()] * 3 for node in range(4)]
    targets = [
        [*([-1] if node else []), *rng.integers(0, 2, size=2).tolist()]
        for node in range(4)
        for _ in range(3)
    ]
    nodes = [[(3 * node + i, tails[node][i]) for i in range(3)] for node in range(4)]
    return _with_real_features(
        SmallForest(forest_of(tails, targets), nodes, [0.0] * 12, targets), rng
    )


def _with_real_features(drawn: SmallForest, rng: np.random.Generator) -> SmallForest:
    """Random features, so that different derivations have different lines."""
    rows = rng.normal(size=(drawn.forest.edges, len(NAMES))).astype(np.float32).tolist()
    tails = [[tails for _, tails in node] for node in drawn.nodes]
    features = [dict(enumerate(row)) for row in rows]
    forest = forest_of(tails, drawn.targets or None, features or None)
    return SmallForest(forest, drawn.nodes, [0.0] * forest.edges, drawn.targets)


def _lines_identify_statistics(pool: Pool, weights: np.ndarray, direction: np.ndarray) -> bool:
    """Whether candidates of a list with the same line have the same statistics."""
    for begin, end in pairwise(pool.offsets.tolist()):
        lines = pool.dense[begin:end].astype(float) @ np.stack([weights, direction], axis=1)
        rows = pool.statistics[begin:end].tolist()
        seen: dict[tuple[float, ...], list[int]] = {}
        for line, row in zip(map(tuple, lines.round(4).tolist()), rows, strict=True):
            if seen.setdefault(line, row) != row:
                return False
    return True


def test_solves_what_can_be_solved() -> None:
    evidence, metric = separable_evidence(3), PlainBleu()
    start = np.array([-0.5, 0.3, 0.2, 0.0])
    assert pool_score(start, evidence, metric) < 0.5
    result = HypergraphMert(restarts=3).update(start, evidence, metric)
    assert result.report["score"] == pytest.approx(1.0)
    assert np.abs(result.weights).sum() == pytest.approx(1)
    assert not result.refused


def test_is_the_same_for_a_seed_and_any_threads() -> None:
    evidence, start = separable_evidence(5), np.array([-0.4, 0.3, 0.2, 0.1])
    learner = HypergraphMert(restarts=2)
    results = [
        learner.update(start, evidence, PlainBleu(), seed=7, round_number=2, threads=threads)
        for threads in (1, 1, 2, 5)
    ]
    for result in results[1:]:
        assert result.weights.tobytes() == results[0].weights.tobytes()
        assert result.report == results[0].report


def test_changes_nothing_without_evidence() -> None:
    weights = np.array([0.25, -0.5, 0.125, 0.125])
    alone = evidence_of([forest_of([[()]], [[0]], [{0: 1.0}])], ["w0 w1 w2 w3"])
    none = evidence_of([forest_of([[]])], ["w0"])
    for evidence in (alone, none, evidence_of([], ["w0"])):
        result = HypergraphMert().update(weights, evidence, PlainBleu())
        assert result.weights.tolist() == weights.tolist()
        assert not result.refused


def test_refuses_weights_and_metrics_that_do_not_fit() -> None:
    evidence = separable_evidence(1)
    for bad, why in (([np.nan, 0, 0, 0], "lm"), ([1.0], "4 features")):
        with pytest.raises(ModelError, match=why):
            HypergraphMert().update(bad, evidence, PlainBleu())
    with pytest.raises(ModelError, match="plain TER for forests"):
        HypergraphMert().update(np.ones(4), evidence, PlainTer())


@given(drawn=st.lists(small_forests(), min_size=2, max_size=3))
@settings(max_examples=60, deadline=None)
def test_a_union_has_the_derivations_of_all(drawn: list[SmallForest]) -> None:
    union = union_of([one.forest for one in drawn])
    counts = [sum(1 for _ in oracle.derivations(one.nodes, one.root)) for one in drawn]
    assert union.number_of_derivations == sum(counts)
    found = union.kbest(1000, np.zeros(union.edges))
    yields = sorted(tuple(words.tolist()) for words in union.yields(found))
    expected = [
        oracle.words(tree, one.targets)
        for one in drawn
        for tree in oracle.derivations(one.nodes, one.root)
    ]
    assert yields == sorted(expected)
    scores = union.scores([1.0, 2.0, -1.0, 0.5])
    best = [one.forest.viterbi(one.forest.scores([1.0, 2.0, -1.0, 0.5])).scores for one in drawn]
    highest = max((score[0] for score in best if len(score)), default=None)
    if highest is not None:
        assert union.viterbi(scores).scores[0] == pytest.approx(highest)


def test_rounds_are_joined_by_sentence() -> None:
    first, second = separable_evidence(3), separable_evidence(3)
    both = joined([first, second])
    assert len(both) == len(first)
    assert both.edges == first.edges + second.edges + 2 * len(first)
    weights = np.array([0.2, 0.5, -0.3, 0.0])
    assert both.best_statistics(weights).tolist() == first.best_statistics(weights).tolist()
    assert joined([first]).forests == first.forests


def test_evidence_must_fit_together() -> None:
    one = separable_evidence(2)
    with pytest.raises(ValueError, match="differ in length"):
        ForestEvidence(one.forests, one.sentences[:3], one.covered, one.bleu, one.names)
    with pytest.raises(ValueError, match="features"):
        ForestEvidence(one.forests, one.sentences, one.covered, one.bleu, ("a", "b"))
    with pytest.raises(IndexError, match="references"):
        _ = ForestEvidence(one.forests, one.sentences + 1, one.covered, one.bleu, one.names).native


def test_average_reference_lengths_count_in_words() -> None:
    """Statistics then count fractions of a word, which the sweep must allow for."""
    one = separable_evidence(4, count=3)
    texts = [[text, f"{text} w1 w2 w3"] for text in one.bleu.references.texts]
    options = BleuOptions(tokenize="none", reference_length="average")
    metric = Bleu(References.from_sentences(texts), options)
    evidence = ForestEvidence(one.forests, one.sentences, one.covered, metric, one.names)
    weights, direction = np.array([0.1, 0.2, -0.1, 0.0]), np.array([1.0, 0.0, 0.5, 0.0])
    step, score, _ = evidence.native.line_search(form_of(metric), weights, direction, 1)
    sums = evidence.best_statistics(weights + step * direction)
    assert score == pytest.approx(metric.corpus_score(sums) / 100, abs=1e-12)
    assert 0.1 < score < 0.9  # shorter than the average, so the brevity penalty applies
