"""Axes have round numbers, and values have the right positions."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.report.axis import Axis, number, ticks

SIZES = st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) > 1e-6)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (27.3, 31.4, [27, 28, 29, 30, 31, 32]),
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (0.1, 0.2, [0.1, 0.12, 0.14, 0.16, 0.18, 0.2]),
        (-3, 4, [-4, -2, 0, 2, 4]),
        (31.4, 31.4, [29, 30, 31, 32, 33]),
    ],
)
def test_ticks_by_hand(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == expected


@given(SIZES, SIZES, st.integers(2, 10))
def test_ticks_are_round_even_and_cover_the_values(a: float, b: float, wanted: int) -> None:
    low, high = min(a, b), max(a, b)
    found = ticks(low, high, wanted)
    step = (found[-1] - found[0]) / (len(found) - 1)
    assert 2 <= len(found) <= 2 * wanted + 2
    assert found[0] <= low + 1e-6 * step
    assert found[-1] >= high - 1e-6 * step
    for one, other in pairwise(found):
        assert other - one == pytest.approx(step)
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - f) for f in (1, 2, 5, 10)) < 1e-6


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 100), st.floats(0, 100))
def test_values_keep_their_order_between_the_ends(
    values: list[float], begin: float, end: float
) -> None:
    axis = Axis.over(values, begin=begin, end=end)
    places = [axis.at(value) for value in sorted(values)]
    assert places == sorted(places, reverse=end < begin)
    low, high = min(begin, end), max(begin, end)
    assert all(low - 1e-9 <= place <= high + 1e-9 for place in places)
    assert [axis.at(axis.ticks[0]), axis.at(axis.ticks[-1])] == pytest.approx([begin, end])


def test_labels_have_the_same_number_of_places() -> None:
    assert [label for _, label in Axis((28.5, 29.0, 29.5)).labels()] == ["28.5", "29.0", "29.5"]
    assert [label for _, label in Axis((0, 5000, 10000)).labels()] == ["0", "5,000", "10,000"]
    assert [number(x) for x in (0.0, -0.0, 12.5, 1e4, 0.001)] == [
        "0",
        "0",
        "12.5",
        "10,000",
        "0.001",
    ]
