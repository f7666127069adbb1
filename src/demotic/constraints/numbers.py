"""Times, dates, fractions and other numbers with signs inside, translated by rule.

A model of words knows few of them, and may take them apart.  They come out once each, as they are
written or with the decimal sign of the target language:

    rule = NumberRule("de", "en")
    rule.cut("um 12:30 Uhr")     # ["um ", Word("12:30"), " Uhr"]
    rule.written("1.234,56")     # "1,234.56"

Whole numbers such as 5 are words like others: their translation depends on the words around them
(five men, the 5th floor).
"""

from __future__ import annotations

import re

from demotic.constraints.tokens import cut_around
from demotic.text.languages import base_language
from demotic.text.tokenize.characters import UNSPACED

__all__ = ["NumberRule", "decimal_sign"]

_COMMA = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no "
    "pl pt ro ru sk sl sq sr sv tr uk vi".split()
)
_POINT = frozenset("bn cy en ga he hi ja ko mr ms mt ne pa si ta te th tl ur yue zh".split())
_POINT_REGIONS = frozenset("CH DO GT HN LI MX NI PA PR SV US".split())  # de-CH, es-MX and others

# Characters of scripts without spaces may be next to a number, except those that multiply it: ten,
# hundred, thousand, ten thousand, hundred million.
_UNITS = "\u5341\u767e\u5343\u4e07\u842c\u4ebf\u5104\u5146"
_SIGNS = ".,:/'\u2019\u00a0\u202f-"
_ATTACHED = "/:'\u2019-"  # a word that one of these joins to a number is part of the same word
_NUMBER = re.compile(
    rf"(?:(?<![\w.,])(?<!\w[{_ATTACHED}])|(?<=[{UNSPACED}]))"
    rf"[+-]?\d++(?:[{_SIGNS}]\d++)++"
    rf"(?:(?!\w)(?![{_ATTACHED}]\w)|(?=[{UNSPACED}])(?![{_UNITS}]))"
)
_HINT = re.compile(rf"\d[{_SIGNS}]\d")

_OF_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?|\d+,\d+)")
_OF_POINT = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SWAPPED = str.maketrans(".,\u00a0\u202f", ",.,,")
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_HOST = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
# 3.5 may be a decimal, a section or the version of a program; the latter keep their point.
_AMBIGUOUS = re.compile(r"[+-]?\d+\.\d+")
_PLAIN = re.compile(r"[+-]?\d+(?:[.,]\d+)+")


def decimal_sign(language: str) -> str | None:
    """The sign before decimals; None for a language about which nothing is known here."""
    if not language:
        return None
    base, region = base_language(language), language.rpartition("-")[2].upper()
    if base in _POINT or (base in _COMMA and region in _POINT_REGIONS):
        return "."
    return "," if base in _COMMA else None


class NumberRule:
    """For one pair of languages; immutable and safe to share."""

    def __init__(self, source: str, target: str) -> None:
        signs = decimal_sign(source), decimal_sign(target)
        self._converted = {(",", "."): _OF_COMMA, (".", ","): _OF_POINT}.get(signs)  # type: ignore[arg-type]
        self._left = None
        if None in signs:
            self._left = _PLAIN
        elif self._converted is _OF_POINT:
            self._left = _AMBIGUOUS

    def may_occur(self, text: str) -> bool:
        """Whether to look more closely; for most sentences this is the only cost."""
        return _HINT.search(text) is not None

    def cut(self, text: str) -> list[str]:
        """The text in pieces; the numbers that are translated by rule are of the class Word."""
        found = _NUMBER.finditer(text)
        left = self._left
        return cut_around((one for one in found if not (left and left.fullmatch(one[0]))), text)

    def written(self, number: str) -> str:
        """The number in the target language."""
        converts = self._converted is not None and self._converted.fullmatch(number)
        return number.translate(_SWAPPED) if converts and not _HOST.fullmatch(number) else number
