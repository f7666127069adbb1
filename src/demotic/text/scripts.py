"""The script that a text is mostly written in, from the names of its letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

__all__ = ["main_script"]

_NAMES = {
    "CJK": "Han",
    "IDEOGRAPHIC": "Han",
    "HIRAGANA": "Kana",
    "KATAKANA": "Kana",
    "KATAKANA-HIRAGANA": "Kana",
    "HALFWIDTH": "Kana",
    "FULLWIDTH": "Latin",
    "FEMININE": "Latin",
    "MASCULINE": "Latin",
    "ANGSTROM": "Latin",
}

# A character of these says as much as three letters of others.
_DENSE = ("Han", "Kana", "Hangul")

# With fewer letters a line says nothing about its language.
MIN_LETTERS = 4


@cache
def _script(letter: str) -> str:
    """The first word of a letter's name is its script."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return _NAMES.get(first, first.capitalize())


def main_script(text: str) -> str:
    """The script of more than half the letters; empty if there is none or hardly a letter."""
    if text.isascii():
        return "Latin" if sum(map(str.isalpha, text)) >= MIN_LETTERS else ""
    counts = Counter(_script(c) for c in text if c.isalpha())
    for script in _DENSE:
        counts[script] *= 3
    letters = counts.total()
    script, count = counts.most_common(1)[0]
    return script if letters >= MIN_LETTERS and 2 * count > letters else ""
