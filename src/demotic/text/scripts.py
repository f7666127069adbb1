"""The main script of a text, from the Unicode names of its letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

from demotic.text.languages import base_language

__all__ = ["main_script", "scripts_of"]

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

# One character of these counts as much as three letters of the others.
_DENSE = ("Han", "Kana", "Hangul")

# The scripts of languages that use one or two; Latin for most others.
_LANGUAGES = {
    "Han": "zh wuu nan hak gan lzh",
    "Han Kana": "ja",
    "Hangul": "ko",
    "Cyrillic": "ru uk be bg mk ba cv kk ky mn tg tt os ab ce kv",
    "Greek": "el",
    "Arabic": "ar fa ur ps sd ug ckb",
    "Hebrew": "he yi",
    "Devanagari": "hi mr ne sa",
    "Bengali": "bn as",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Oriya": "or",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Khmer": "km",
    "Myanmar": "my shn mnw",
    "Tibetan": "bo dz",
    "Georgian": "ka",
    "Armenian": "hy",
    "Ethiopic": "am ti",
    "Latin": "en de fr es it pt nl sv da nb nn no fi is et lv lt pl cs sk sl hr hu ro tr ca eu gl "
    "ga cy mt sq af sw id ms vi tl eo la lb oc br fo so zu xh yo ig",
}

# With fewer letters a line does not decide anything.
MIN_LETTERS = 4


@cache
def _script(letter: str) -> str:
    """The script is the first word of a letter's Unicode name."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return _NAMES.get(first, first.capitalize())


def main_script(text: str) -> str:
    """The script of more than half the letters; empty if there is none or too few letters."""
    if text.isascii():
        return "Latin" if sum(map(str.isalpha, text)) >= MIN_LETTERS else ""
    counts = Counter(_script(c) for c in text if c.isalpha())
    for script in _DENSE:
        counts[script] *= 3
    letters = counts.total()
    script, count = counts.most_common(1)[0]
    return script if letters >= MIN_LETTERS and 2 * count > letters else ""


def scripts_of(language: str) -> frozenset[str]:
    """The scripts of a language; empty if unknown or if there are many."""
    if "-" in language or "_" in language:  # sr-Latn, zh-Latn: the tag may name another script
        return frozenset()
    base = base_language(language)
    for scripts, languages in _LANGUAGES.items():
        if base in languages.split():
            return frozenset(scripts.split())
    return frozenset()
