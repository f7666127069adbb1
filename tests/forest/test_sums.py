"""Best scores, sums, posteriors and counts of a forest are those of the list of derivations."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.near import near
from tests.oracle import forest as oracle

MANY = settings(max_examples=150, deadline=None)


@given(drawn=small_forests())
@MANY
def test_viterbi_is_the_best_derivation_of_every_node(drawn: SmallForest) -> None:
    best, first = drawn.forest.best_of_nodes(drawn.scores)
    for node in range(drawn.root + 1):
        trees = drawn.trees(node)
        assert best[node] == max(map(drawn.score, trees), default=-math.inf)
        found = drawn.forest.viterbi(drawn.scores, node=node)
        if not trees:
            assert first[node] == -1
            assert len(found) == 0
            continue
        assert found.scores.tolist() == [best[node]]
        assert found[0].tolist() in [oracle.edges(tree) for tree in trees]
        assert oracle.total(found[0].tolist(), drawn.scores) == best[node]
        starts = [tree[0] for tree in trees if drawn.score(tree) == best[node]]
        assert found[0][0] == first[node] == min(starts)  # the first edge wins


@given(drawn=small_forests())
@MANY
def test_inside_and_outside_sum_over_derivations_and_contexts(drawn: SmallForest) -> None:
    inside, outside = drawn.forest.inside(drawn.scores), drawn.forest.outside(drawn.scores)
    for node in range(drawn.root + 1):
        expected = oracle.log_sum([drawn.score(tree) for tree in drawn.trees(node)])
        assert inside[node] == near(expected, abs=1e-9)
        around = oracle.contexts(drawn.nodes, drawn.root, node)
        expected = oracle.log_sum([oracle.total(used, drawn.scores) for used in around])
        assert outside[node] == near(expected, abs=1e-9)


@given(drawn=small_forests())
@MANY
def test_posteriors_are_expected_counts(drawn: SmallForest) -> None:
    trees = drawn.trees()
    whole = math.fsum(math.exp(drawn.score(tree)) for tree in trees)
    expected: Counter[int] = Counter()
    for tree in trees:
        for edge in oracle.edges(tree):
            expected[edge] += math.exp(drawn.score(tree)) / whole  # type: ignore[assignment]
    found = drawn.forest.edge_posteriors(drawn.scores)
    assert found == near([expected[e] for e in range(drawn.forest.edges)], abs=1e-9)
    by_node = [sum(expected[edge] for edge, _ in node) for node in drawn.nodes]
    assert drawn.forest.node_posteriors(drawn.scores) == near(by_node, abs=1e-9)


@given(drawn=small_forests())
@MANY
def test_derivations_are_counted(drawn: SmallForest) -> None:
    count = sum(1 for _ in oracle.derivations(drawn.nodes, drawn.root))
    assert drawn.forest.number_of_derivations == count


def test_more_derivations_than_an_integer_holds() -> None:
    chain = [[()] * 2, *([(node,)] * 2 for node in range(99))]
    assert forest_of(chain).number_of_derivations == 2.0**100
    chain += [[(node,)] * 2 for node in range(99, 5000)]
    assert forest_of(chain).number_of_derivations == math.inf


def test_repeated_tails_count_twice() -> None:
    forest = forest_of([[(), ()], [(0, 0)]])
    scores = np.log([0.25, 0.75, 1.0])
    assert forest.node_posteriors(scores) == near([2, 1])
    assert forest.edge_posteriors(scores) == near([0.5, 1.5, 1])
    assert forest.outside(scores)[0] == near(math.log(2))


def test_scores_that_cannot_be_compared_are_refused() -> None:
    from demotic.errors import ModelError

    forest = forest_of([[(), ()]])
    for bad in (math.nan, math.inf):
        with pytest.raises(ModelError, match="of edge 1; expected a finite number"):
            forest.inside([0, bad])
    with pytest.raises(ValueError, match="3 scores for 2 edges"):
        forest.viterbi([0, 0, 0])
    with pytest.raises(IndexError):
        forest.viterbi([0, 0], node=1)
