"""Rows of numbers: the native reader equals `float`, and stops at the first line that is none."""

from __future__ import annotations

import math

from hypothesis import example, given
from hypothesis import strategies as st

from demotic._core import Lines

words = st.one_of(
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["1e400", "-1e-400", "+1", "1_0", "0x1p3", "1e", ".5", "5.", "-", "x", "1,5"]),
)
rows = st.lists(st.tuples(st.lists(words, max_size=4), st.sampled_from([" ", "  "])), max_size=6)


def _is_plain(word: str) -> bool:
    """What the native reader takes: finite decimal numbers that doubles hold."""
    try:
        value = float(word)
    except ValueError:
        return False
    tiny = value == 0 and any(digit in word.lower().split("e")[0] for digit in "123456789")
    return math.isfinite(value) and not tiny and "_" not in word and not word.startswith("+")


@given(rows, st.integers(1, 3))
@example([(["1"], " "), (["2"], " ")], 1)
@example([(["1", "2"], " "), (["3"], " ")], 2)
@example([(["1"], " "), (["nan"], " ")], 1)
def test_numbers_up_to_the_first_other_line(rows: list[tuple[list[str], str]], width: int) -> None:
    lines = Lines()
    expected: list[float] = []
    good = True
    for row, separator in rows:
        lines.append(separator + separator.join(row) + separator)
        good = good and len(row) == width and all(map(_is_plain, row))
        if good:
            expected += map(float, row)
    assert lines.numbers(0, len(lines), width).tolist() == expected
