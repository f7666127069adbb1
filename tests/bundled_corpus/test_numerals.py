"""Numbers: Chinese groups by ten thousands, English by thousands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundled_corpus import numerals

VALUES = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
          "九": 9}  # fmt: skip
UNITS = {"十": 10, "百": 100, "千": 1000}


def read_chinese(text: str) -> int:
    """The value of a Chinese numeral, from the definition: an oracle for `chinese`."""
    for scale, value in (("亿", 10**8), ("万", 10**4)):
        if scale in text:
            high, _, low = text.partition(scale)
            return read_chinese(high) * value + read_chinese(low)
    total = digit = 0
    for character in text:
        if character in UNITS:
            total += (digit or 1) * UNITS[character]
            digit = 0
        else:
            digit = VALUES[character]
    return total + digit


@pytest.mark.parametrize(
    ("number", "chinese", "english"),
    [
        (2, "二", "two"),
        (10, "十", "ten"),
        (15, "十五", "fifteen"),
        (105, "一百零五", "one hundred and five"),
        (250, "二百五十", "two hundred and fifty"),
        (20_000, "两万", "twenty thousand"),
        (35_000, "三万五千", "thirty-five thousand"),
        (120_000, "十二万", "one hundred and twenty thousand"),
        (8_000_000, "八百万", "eight million"),
        (1_300_000_000, "十三亿", "one billion three hundred million"),
    ],
)
def test_known_numbers(number: int, chinese: str, english: str) -> None:
    assert numerals.chinese(number) == chinese
    assert numerals.english(number) == english


@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_chinese_reads_back(number: int) -> None:
    assert read_chinese(numerals.chinese(number)) == number


@given(st.integers(min_value=0, max_value=10**6), st.integers(min_value=0, max_value=10**6))
def test_english_is_distinct(one: int, two: int) -> None:
    assert (numerals.english(one) == numerals.english(two)) == (one == two)


def test_counting_and_years() -> None:
    assert numerals.counted(2) == "两"
    assert numerals.counted(12) == "十二"
    assert numerals.year(1998) == "一九九八年"
    assert numerals.digits(35_000) == "35,000"
    assert numerals.figures(8_900_000) == "8.9 million"
