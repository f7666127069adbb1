"""Pruning keeps edges of good derivations, with all their attributes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.forest import Forest
from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.oracle import forest as oracle

MANY = settings(max_examples=150, deadline=None)


def _kept(part: Forest, whole: Forest) -> list[int]:
    """The numbers of the edges, which `forest_of` stores as their spans."""
    assert part.edge_rule.tolist() == whole.edge_rule[part.edge_begin].tolist()
    for new, old in enumerate(part.edge_begin):
        assert part.edge_target[new].tolist() == whole.edge_target[old].tolist()
        assert part.edge_features[new] == whole.edge_features[old]
    return part.edge_begin.tolist()


@given(drawn=small_forests(), threshold=st.sampled_from([0, 0.5, 1.5, 4, math.inf]))
@MANY
def test_threshold_keeps_edges_of_good_derivations(drawn: SmallForest, threshold: float) -> None:
    trees = drawn.trees()
    best = max(map(drawn.score, trees), default=-math.inf)
    good = [tree for tree in trees if drawn.score(tree) >= best - threshold]
    part = drawn.forest.prune(drawn.scores, threshold=threshold)
    kept = _kept(part, drawn.forest)
    assert kept == sorted({edge for tree in good for edge in oracle.edges(tree)})
    again = part.kbest(1000, np.array(drawn.scores)[kept])
    lists = {tuple(part.edge_begin[edges].tolist()) for edges in again}
    assert lists >= {tuple(oracle.edges(tree)) for tree in good}
    assert part.prune(np.array(drawn.scores)[kept], threshold=threshold) == part


@given(drawn=small_forests(), density=st.sampled_from([0, 1, 1.5, 2, 10]))
@MANY
def test_density_bounds_edges_and_never_loses_the_best(drawn: SmallForest, density: float) -> None:
    part = drawn.forest.prune(drawn.scores, density=density)
    kept = _kept(part, drawn.forest)
    best = drawn.forest.viterbi(drawn.scores)
    if len(best) == 0:
        assert part.edges == 0
        assert part.nodes == 1
        return
    assert set(best[0].tolist()) <= set(kept)
    length = len(best[0])
    assert len(kept) <= max(density * length, len(set(best[0].tolist())))
    found = part.viterbi(np.array(drawn.scores)[kept])
    assert part.edge_begin[found[0]].tolist() == best[0].tolist()


def test_unused_edges_are_removed() -> None:
    forest = forest_of([[()], [], [(0,), (1,)], [()], [(2,)]])
    part = forest.prune(np.zeros(5))
    assert part.edge_begin.tolist() == [0, 1, 4]
    assert part.node_bin.tolist() == [0, 1, 2]
    assert forest.prune(np.full(5, -math.inf)).nodes == 1


def test_limits_below_zero_are_refused() -> None:
    for limits in ({"threshold": -1.0}, {"density": math.nan}):
        with pytest.raises(ValueError, match="limits of pruning"):
            forest_of([[()]]).prune([0], **limits)
