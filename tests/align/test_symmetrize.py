"""Symmetrisation equals its definition, also for directions with several links per word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.align import Alignments, symmetrize
from tests.oracle import symmetrize as oracle

KINDS = ["gdfa", "gdf", "gd", "intersection", "union", "forward", "backward"]
LINKS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=16)


@st.composite
def functions(draw: st.DrawFn) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Links as aligners produce them: at most one source word per target word, and the reverse."""
    source, target = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    forward = draw(st.lists(st.integers(-1, source - 1), min_size=target, max_size=target))
    backward = draw(st.lists(st.integers(-1, target - 1), min_size=source, max_size=source))
    return (
        {(s, t) for t, s in enumerate(forward) if s >= 0},
        {(s, t) for s, t in enumerate(backward) if t >= 0},
    )


def _equal(kind: str, forward: set[tuple[int, int]], backward: set[tuple[int, int]]) -> None:
    sides = [Alignments.from_lists([sorted(links)]) for links in (forward, backward)]
    found = symmetrize(*sides, kind)[0]  # type: ignore[arg-type]
    assert found == sorted(oracle.symmetrize(kind, forward, backward))


@pytest.mark.parametrize("kind", KINDS)
@given(pair=functions())
@settings(max_examples=300, deadline=None)
def test_equals_definition(
    kind: str, pair: tuple[set[tuple[int, int]], set[tuple[int, int]]]
) -> None:
    _equal(kind, *pair)


@pytest.mark.parametrize("kind", KINDS)
@given(forward=LINKS, backward=LINKS)
@settings(max_examples=200, deadline=None)
def test_equals_definition_for_any_links(
    kind: str, forward: set[tuple[int, int]], backward: set[tuple[int, int]]
) -> None:
    _equal(kind, forward, backward)


def test_by_hand() -> None:
    """A cross in the middle grows to its neighbours; a distant link is added by the final step."""
    forward = Alignments.from_lists([[(0, 0), (1, 1), (1, 2), (4, 4)]])
    backward = Alignments.from_lists([[(0, 0), (1, 1), (2, 1), (5, 0)]])
    assert symmetrize(forward, backward, "intersection")[0] == [(0, 0), (1, 1)]
    assert symmetrize(forward, backward, "gd")[0] == [(0, 0), (1, 1), (1, 2), (2, 1)]
    assert symmetrize(forward, backward, "gdfa")[0] == [(0, 0), (1, 1), (1, 2), (2, 1), (4, 4)]
    assert symmetrize(forward, backward, "gdf")[0] == [
        (0, 0),
        (1, 1),
        (1, 2),
        (2, 1),
        (4, 4),
        (5, 0),
    ]


def test_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="1 and 2 sentence pairs"):
        symmetrize(Alignments.from_lists([[]]), Alignments.from_lists([[], []]))
