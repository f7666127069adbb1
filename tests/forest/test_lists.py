"""Lists of derivations: complete, in order, without duplicates; distinct yields; samples."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from demotic.errors import ModelError
from demotic.forest import Rows
from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.near import near
from tests.oracle import forest as oracle

MANY = settings(max_examples=150, deadline=None)


@given(drawn=small_forests())
@MANY
def test_kbest_lists_every_derivation_of_every_node_in_order(drawn: SmallForest) -> None:
    for node in range(drawn.root + 1):
        trees = drawn.trees(node)
        found = drawn.forest.kbest(len(trees) + 5, drawn.scores, node=node)
        assert found.scores.tolist() == sorted(map(drawn.score, trees), reverse=True)
        listed = [tuple(edges.tolist()) for edges in found]
        assert sorted(listed) == sorted(tuple(oracle.edges(tree)) for tree in trees)
        for edges, score in zip(listed, found.scores, strict=True):
            assert oracle.total(edges, drawn.scores) == score


@given(drawn=small_forests())
@MANY
def test_a_shorter_list_is_the_beginning_of_a_longer_one(drawn: SmallForest) -> None:
    long, short = (drawn.forest.kbest(k, drawn.scores) for k in (40, 7))
    assert [e.tolist() for e in short] == [e.tolist() for e in long][:7]
    best = drawn.forest.viterbi(drawn.scores)
    assert [e.tolist() for e in best] == [e.tolist() for e in long][:1]


@given(drawn=small_forests())
@MANY
def test_distinct_lists_the_best_derivation_of_every_yield(drawn: SmallForest) -> None:
    for node in range(drawn.root + 1):
        best: dict[tuple[int, ...], float] = {}
        for tree in drawn.trees(node):
            target = oracle.words(tree, drawn.targets)
            best[target] = max(drawn.score(tree), best.get(target, -math.inf))
        found = drawn.forest.kbest(500, drawn.scores, distinct=True, node=node)
        assert found.complete
        target = [tuple(row.tolist()) for row in drawn.forest.yields(found)]
        assert dict(zip(target, found.scores.tolist(), strict=True)) == best
        assert len(target) == len(best)
        assert found.scores.tolist() == sorted(best.values(), reverse=True)


def uses_all_tails(drawn: SmallForest, tree: oracle.Tree) -> bool:
    """Whether no edge omits one of its tails."""
    edge, below = tree
    gaps = sum(symbol < 0 for symbol in drawn.targets[edge])
    return gaps == len(below) and all(uses_all_tails(drawn, part) for part in below)


@given(drawn=small_forests())
@MANY
def test_the_best_derivation_with_a_given_yield(drawn: SmallForest) -> None:
    best: dict[tuple[int, ...], float] = {}
    for tree in drawn.trees():
        if uses_all_tails(drawn, tree):
            target = oracle.words(tree, drawn.targets)
            best[target] = max(drawn.score(tree), best.get(target, -math.inf))
    for target, score in best.items():
        edges = drawn.forest.best_with_yield(target, drawn.scores)
        assert oracle.total(edges.tolist(), drawn.scores) == score
        assert tuple(drawn.forest.yields(Rows.of([edges.tolist()]))[0].tolist()) == target
        longer = (*target, 99)
        assert drawn.forest.best_with_yield(longer, drawn.scores).size == 0


def test_distinct_reports_when_it_gave_up() -> None:
    forest = forest_of([[()] * 9, [(0, 0)]], [[1]] * 9 + [[-1, -2]])
    scores = -np.arange(10.0)
    whole = forest.kbest(5, scores, distinct=True)
    assert (len(whole), whole.complete) == (1, True)
    assert 0 < whole.examined < 30
    cut = forest.kbest(5, scores, distinct=True, max_examined=whole.examined - 1)
    assert (len(cut), cut.complete, cut.examined) == (1, False, whole.examined - 1)
    assert "incomplete" in repr(cut)


def test_distinct_is_fast_if_every_node_has_one_yield() -> None:
    """2^200 derivations and one yield: filtering at the root would never end."""
    chain = [[()] * 2, *([(node,)] * 2 for node in range(199))]
    forest = forest_of(chain, [[7]] * 2 + [[-1, 7]] * 398)
    found = forest.kbest(10, np.zeros(400), distinct=True)
    assert (len(found), found.complete) == (1, True)
    assert found.examined == 400


@given(drawn=small_forests())
@MANY
def test_yields_and_features_are_those_of_the_tree(drawn: SmallForest) -> None:
    trees = drawn.trees()
    rows = Rows.of([oracle.edges(tree) for tree in trees])
    target = drawn.forest.yields(rows)
    assert [tuple(row.tolist()) for row in target] == [
        oracle.words(tree, drawn.targets) for tree in trees
    ]
    for tree, features in zip(trees, drawn.forest.derivation_features(rows), strict=True):
        expected: dict[int, float] = {}
        for edge in oracle.edges(tree):
            for id_, value in drawn.forest.edge_features[edge].items():
                expected[id_] = expected.get(id_, 0.0) + value
        assert features == expected
        assert list(features) == sorted(features)


@given(drawn=small_forests())
@MANY
def test_the_score_of_a_derivation_is_weights_times_features(drawn: SmallForest) -> None:
    weights = np.array([0.5, -1.0, 2.0, 0.25])
    scores = drawn.forest.scores(weights)
    found = drawn.forest.kbest(20, scores)
    sums = drawn.forest.derivation_features(found)
    products = [sum(weights[i] * v for i, v in row.items()) for row in sums]
    assert found.scores == near(products, abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 0.0, 0.3, -0.5])
def test_samples_are_as_frequent_as_they_are_likely(scale: float) -> None:
    """Pearson's statistic of 7 cells, 20,000 draws: over 30 about once in 25,000 seeds."""
    forest = forest_of([[(), (), ()], [(0,), (0, 0), ()], [(1,), (0,)]])
    scores = np.array([0.0, -1.0, -math.inf, 0.5, -0.5, 1.0, 0.0, -1.5])
    trees = forest.kbest(100, scores)
    count = 20_000
    drawn = forest.sample(count, scores, seed=11, scale=scale)
    seen = Counter(tuple(edges.tolist()) for edges in drawn)
    likely = np.exp(scale * trees.scores - np.logaddexp.reduce(scale * trees.scores))
    expected = {tuple(e.tolist()): count * p for e, p in zip(trees, likely, strict=True)}
    assert set(seen) <= set(expected)
    assert sum((seen[d] - n) ** 2 / n for d, n in expected.items()) < 30
    for edges, score in zip(drawn, drawn.scores, strict=True):
        assert score == near(scores[edges].sum())


@given(drawn=small_forests())
@MANY
def test_samples_are_derivations_and_depend_only_on_seed_and_index(drawn: SmallForest) -> None:
    trees = [oracle.edges(tree) for tree in drawn.trees()]
    found = [e.tolist() for e in drawn.forest.sample(20, drawn.scores, seed=3)]
    assert len(found) == (20 if trees else 0)
    assert all(edges in trees for edges in found)
    again = [e.tolist() for e in drawn.forest.sample(5, drawn.scores, seed=3)]
    assert again == found[:5]


def test_rows_that_are_not_derivations_are_refused() -> None:
    forest = forest_of([[()], [(0,)]])
    for row in ([1], [0, 0], [0, 1], [7], [-1]):
        with pytest.raises(ModelError, match="one derivation in pre-order"):
            forest.yields(Rows.of([row]))
    with pytest.raises(ModelError, match="edge 7"):
        forest.derivation_features(Rows.of([[7]]))
    assert len(forest.yields(Rows.of([[]]))[0]) == 0


def test_a_chain_of_ten_thousand_nodes() -> None:
    count = 10_000
    chain = [[()] * 2, *([(node,)] * 2 for node in range(count - 1))]
    forest = forest_of(chain, [[5], [6]] + [[-1, 5], [-1, 6]] * (count - 1))
    scores = np.tile([0.0, -1.0], count)
    for distinct in (False, True):
        found = forest.kbest(50, scores, distinct=distinct, max_examined=10**7)
        assert found.scores.tolist() == [0.0] + [-1.0] * 49
        assert all(len(words) == count for words in forest.yields(found))
    assert len(forest.envelope(scores, np.tile([0.0, 1.0], count))) == 2
    assert len(forest.sample(1, scores, seed=1)[0]) == count
