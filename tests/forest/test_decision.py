"""Decisions over forests equal those over all derivations."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic.forest import Forest
from demotic.search.decision import DecisionForest, DecisionOptions
from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.near import near
from tests.oracle import decision as oracle
from tests.oracle import forest as trees

SCALES = st.sampled_from([1e-6, 0.3, 1.0, 2.0])


def derivations(small: SmallForest) -> list[tuple[float, oracle.Words]]:
    return [(small.score(tree), trees.words(tree, small.targets)) for tree in small.trees()]


def words_of(forest: Forest, edges: np.ndarray) -> oracle.Words:
    from demotic.forest import Rows

    rows = Rows(np.array([0, len(edges)]), edges)
    return tuple(forest.yields(rows)[0].tolist())


@settings(max_examples=60, deadline=None)
@given(small=small_forests(), scale=SCALES)
def test_expected_counts(small: SmallForest, scale: float) -> None:
    every = derivations(small)
    assume(every)
    scores = np.array(small.scores)
    prepared = DecisionForest(small.forest, scores, math.inf)
    found = prepared.expected_counts(scale)
    length, counts = oracle.expected_counts(every, scale)
    assert found[0] == near(length, abs=1e-9)
    for gram, count in counts.items():
        assert found[prepared.number(gram)] == near(count, rel=1e-9)
    known = {prepared.number(gram) for gram in counts}
    assert 0 not in known
    assert all(found[i] == 0 for i in set(range(1, len(found))) - known)


@settings(max_examples=60, deadline=None)
@given(
    small=small_forests(),
    scale=SCALES,
    precision=st.sampled_from([0.3, 0.85]),
    ratio=st.sampled_from([0.5, 0.9]),
)
def test_minimum_risk(small: SmallForest, scale: float, precision: float, ratio: float) -> None:
    every = derivations(small)
    assume(every)
    prepared = DecisionForest(small.forest, np.array(small.scores), math.inf)
    options = DecisionOptions(risk_precision=precision, risk_ratio=ratio)
    edges = prepared.minimum_risk(prepared.expected_counts(scale), options)
    words = words_of(small.forest, edges)
    _, counts = oracle.expected_counts(every, scale)
    best = max(oracle.linear_gain(one, counts, precision, ratio) for _, one in every)
    assert oracle.linear_gain(words, counts, precision, ratio) == near(best, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(small=small_forests(), scale=SCALES)
def test_consensus(small: SmallForest, scale: float) -> None:
    every = derivations(small)
    assume(every)
    scores = np.array(small.scores)
    prepared = DecisionForest(small.forest, scores, math.inf)
    candidates = small.forest.kbest(50, scores, distinct=True)
    best, gains = prepared.consensus(prepared.expected_counts(scale), candidates)
    length, counts = oracle.expected_counts(every, scale)
    for i, words in enumerate(small.forest.yields(candidates)):
        wanted = oracle.consensus_gain(tuple(words.tolist()), length, counts)
        assert gains[i] == near(wanted, rel=1e-9, abs=1e-30)
    assert gains[best] == gains.max()


def test_minimum_risk_differs_from_the_best_derivation() -> None:
    """The best derivation has probability 0.4; the others agree with each other."""
    forest = forest_of([[(), (), ()]], [[7, 8], [1, 2, 3], [1, 2, 4]])
    scores = np.log([0.4, 0.3, 0.3])
    prepared = DecisionForest(forest, scores, math.inf)
    counts = prepared.expected_counts(1.0)
    assert counts[prepared.number((1, 2))] == near(0.6)
    assert counts[0] == near(2.6)
    options = DecisionOptions(risk_precision=0.3)
    assert words_of(forest, prepared.minimum_risk(counts, options)) == (1, 2, 3)
    sharp = prepared.expected_counts(50.0)
    assert words_of(forest, prepared.minimum_risk(sharp, options)) == (7, 8)


def test_a_large_forest_is_pruned() -> None:
    """Sixty words of which each has twelve spellings: 12^60 derivations."""
    tails: list[list[tuple[int, ...]]] = [[() for _ in range(12)]]
    targets = [[i] for i in range(12)]
    for step in range(1, 60):
        tails.append([(step - 1,) for _ in range(12)])
        targets += [[-1, 100 * step + i] for i in range(12)]
    forest = forest_of(tails, targets)
    scores = -np.tile(np.arange(12.0), 60)
    prepared = DecisionForest(forest, scores, 1e6)
    counts = prepared.expected_counts(1.0)
    assert counts[0] == near(60)
    assert len(prepared.minimum_risk(counts, DecisionOptions())) == 60
