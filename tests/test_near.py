"""The quick comparison agrees with that of pytest."""

from __future__ import annotations

import itertools
import math
from operator import eq
from typing import Any

import numpy as np
import pytest

from tests.near import near

NUMBERS = (0.0, -0.0, 1e-13, 1.0, 1 + 9e-7, 1 + 2e-6, -1.0, 1e300, math.inf, -math.inf, math.nan, 3)


@pytest.mark.parametrize("tolerance", [{}, {"abs": 1e-5}, {"rel": 1e-9}, {"rel": 0.1, "abs": 2}])
def test_numbers(tolerance: dict[str, float]) -> None:
    for a, b in itertools.product(NUMBERS, NUMBERS):
        expected = a == pytest.approx(b, **tolerance)
        assert (a == near(b, **tolerance)) == expected, (a, b)
        assert (np.float64(a) == near(b, **tolerance)) == expected, (a, b)


@pytest.mark.parametrize(
    ("found", "expected", "equal"),
    [
        ([1, 2], [1 + 1e-7, 2], True),
        ([1, 2], [1 + 1e-5, 2], False),
        ([1, 2], [1], False),
        ({"a": 1}, {"a": 1 + 1e-7}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        (np.array([1, 2]), np.array([1 + 1e-7, 2]), True),
        (np.array([1, 2]), [1, 3], False),
    ],
)
def test_several_numbers(found: Any, expected: Any, equal: bool) -> None:
    assert eq(found, near(expected)) == equal
