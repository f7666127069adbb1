"""The upper envelope of a forest is that of the lines of all its derivations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.errors import ModelError
from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.near import near
from tests.oracle import forest as oracle


@given(drawn=small_forests(), data=st.data())
@settings(max_examples=250, deadline=None)
def test_equals_the_lines_of_all_derivations(drawn: SmallForest, data: st.DataObject) -> None:
    count = drawn.forest.edges
    slopes = data.draw(st.lists(st.integers(-3, 3), min_size=count, max_size=count))
    used = [oracle.edges(tree) for tree in drawn.trees()]
    lines = [(oracle.total(e, slopes), oracle.total(e, drawn.scores)) for e in used]
    found = drawn.forest.envelope(drawn.scores, slopes)
    segments = list(zip(found.slope.tolist(), found.intercept.tolist(), strict=True))
    assert segments == oracle.highest(lines)
    for segment, edges in zip(segments, found.derivations, strict=True):
        assert edges.tolist() in used
        assert lines[used.index(edges.tolist())] == segment
    points = [*np.linspace(-15, 15, 31), *found.left[1:], *(found.left[1:] + 1e-3)]
    for x in points if used else []:
        slope, intercept = segments[found.at(x)]
        highest = max(b + x * a for a, b in lines)
        assert intercept + x * slope == near(highest, abs=1e-9)


@given(drawn=small_forests(), x=st.floats(-5, 5))
@settings(max_examples=200, deadline=None)
def test_agrees_with_viterbi_at_any_point_for_real_numbers(drawn: SmallForest, x: float) -> None:
    """As learners use it: intercepts are scores, slopes come from a random direction."""
    rng = np.random.default_rng(drawn.forest.edges)
    scores = np.where(np.isinf(drawn.scores), -np.inf, rng.normal(size=drawn.forest.edges))
    slopes = rng.normal(size=drawn.forest.edges)
    found = drawn.forest.envelope(scores, slopes)
    best = drawn.forest.viterbi(scores + x * slopes)
    assert len(found) == 0 if len(best) == 0 else found.left[0] == -math.inf
    assert (np.diff(found.left) > 0).all()
    if len(best):
        i = found.at(x)
        assert found.intercept[i] + x * found.slope[i] == near(best.scores[0], abs=1e-9)


def test_three_lines_through_one_point_are_two_segments() -> None:
    found = forest_of([[(), (), ()]]).envelope([0.0, 0.0, 0.0], [-1.0, 0.0, 1.0])
    assert found.left.tolist() == [-math.inf, 0.0]
    assert found.slope.tolist() == [-1.0, 1.0]
    assert [row.tolist() for row in found.derivations] == [[0], [2]]


def test_the_first_of_equal_derivations_is_kept() -> None:
    found = forest_of([[(), ()], [(0,), (0,)]]).envelope(np.zeros(4), np.zeros(4))
    assert [row.tolist() for row in found.derivations] == [[2, 0]]


def test_slopes_must_be_finite() -> None:
    with pytest.raises(ModelError, match="slope"):
        forest_of([[()]]).envelope([0.0], [-math.inf])
    with pytest.raises(IndexError):
        forest_of([[]]).envelope([], []).at(0.0)
