"""Numerals in both languages: Chinese groups by ten thousands (万), English by thousands."""

from __future__ import annotations

DIGITS = "零一二三四五六七八九"
UNITS = ("", "十", "百", "千")
SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"))


def chinese(n: int) -> str:
    """35000 as 三万五千; n from 0 to below 10**12."""
    if n < 10_000:
        return _four(n)
    scale, name = (100_000_000, "亿") if n >= 100_000_000 else (10_000, "万")
    high, low = divmod(n, scale)
    # A leading two is 两 only if it stands alone: 两万, but 十二万.
    head = "两" if high == 2 else chinese(high)
    if low == 0:
        return head + name
    return head + name + ("零" if low < scale // 10 else "") + chinese(low)


def _four(n: int) -> str:
    if n < 10:
        return DIGITS[n]
    text, gap = "", False
    for position in range(3, -1, -1):
        digit = n // 10**position % 10
        if digit == 0:
            gap = bool(text)
            continue
        text += ("零" if gap else "") + _digit(digit, position) + UNITS[position]
        gap = False
    return text[1:] if text.startswith("一十") else text


def _digit(digit: int, position: int) -> str:
    return "两" if digit == 2 and position == 3 else DIGITS[digit]


def counted(n: int) -> str:
    """The number as it stands before a measure word: 两 for two."""
    return "两" if n == 2 else chinese(n)


def year(n: int) -> str:
    """1998 as 一九九八年, digit by digit."""
    return "".join(DIGITS[int(digit)] for digit in str(n)) + "年"


def english(n: int) -> str:
    """35000 as thirty-five thousand; n from 0 to below 10**12."""
    for scale, name in SCALES:
        if n >= scale:
            high, low = divmod(n, scale)
            head = f"{english(high)} {name}"
            return head if low == 0 else f"{head} {'and ' if low < 100 else ''}{english(low)}"
    if n >= 100:
        head = f"{SMALL[n // 100]} hundred"
        return head if n % 100 == 0 else f"{head} and {english(n % 100)}"
    if n < 20:
        return SMALL[n]
    return TENS[n // 10] + (f"-{SMALL[n % 10]}" if n % 10 else "")


def digits(n: int) -> str:
    """35000 as 35,000."""
    return f"{n:,}"


def figures(n: int) -> str:
    """How newspapers write large round numbers: 8 million, 1.2 million, 35,000."""
    for scale, name in SCALES[:2]:
        if n >= scale and n % (scale // 10) == 0:
            whole, tenth = divmod(n // (scale // 10), 10)
            return f"{whole}{f'.{tenth}' if tenth else ''} {name}"
    return digits(n)
