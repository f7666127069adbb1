"""What comes out of a translation as it is: numbers, addresses, variables.

cut("Send {count} files to a@b.org")   # ["Send ", Word("{count}"), " files to ", Word("a@b.org")]
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from demotic.constraints.tokens import Word, cut_around
from demotic.lines import split_words
from demotic.text.addresses import ADDRESS
from demotic.text.tokenize.characters import UNSPACED

__all__ = ["PLACEHOLDER_KINDS", "PlaceholderKind", "Placeholders", "cut", "may_have_placeholders"]

PlaceholderKind = Literal["address", "variable", "number"]
PLACEHOLDER_KINDS: tuple[PlaceholderKind, ...] = ("address", "variable", "number")

_BRACES = r"\{\{[\w.:!/\[\]-]+\}\}|\$?\{[\w.:!/\[\]-]*\}"
# A letter of another script may follow: Chinese writes no space there.
_PRINTF = (
    r"(?<![\d%])%(?:\d+\$|\(\w+\))?[-+0#]*+\d*+(?:\.\d+)?(?:hh|h|ll|l|z)?"
    r"[sdiufFeEgGxXoc@](?![A-Za-z0-9_])"
)
# Characters of scripts without spaces may be next to a number. Some change its value or make it a
# name, such as ten thousand or the month: 3\u6708 is March.
_UNITS = "\u6708\u5341\u767e\u5343\u4e07\u842c\u4ebf\u5104\u5146"
_INNER = r":/'\u2019\u00a0\u202f-"
_NUMBER = (
    rf"(?:(?<![\w.,])(?<!\d[{_INNER}])|(?<=[{UNSPACED}]))"
    rf"[+-]?\d++(?:[.,{_INNER}]\d++)*+(?:(?!\w)|(?=[{UNSPACED}])(?![{_UNITS}]))"
)
_VARIABLE = "|".join((_BRACES, _PRINTF, r"\[X\d+X\]"))  # the last one is Weblate's
_PATTERNS: dict[PlaceholderKind, str] = {
    "address": ADDRESS,
    "variable": _VARIABLE,
    "number": _NUMBER,
}
_DIGIT = re.compile(r"\d")


class Placeholders:
    """Finds placeholders of some kinds; immutable and safe to share."""

    def __init__(self, kinds: Collection[PlaceholderKind] = PLACEHOLDER_KINDS) -> None:
        self._pattern = re.compile("|".join(_PATTERNS[kind] for kind in _PATTERNS if kind in kinds))
        self._has_numbers = "number" in kinds

    def may_occur(self, text: str) -> bool:
        """Whether to look more closely; for most sentences this is the only cost."""
        return (
            "%" in text
            or "{" in text
            or "@" in text
            or "://" in text
            or "www." in text
            or "[X" in text
            or (self._has_numbers and _DIGIT.search(text) is not None)
        )

    def cut(self, text: str) -> list[str]:
        """The text in pieces; those to protect are of the class Word."""
        return cut_around(self._pattern.finditer(text), text)

    def cut_tokens(self, text: str) -> list[str]:
        """The same for a text of tokens, which stay as they are: only whole ones are protected."""
        tokens = split_words(text)
        return [Word(one) if self._pattern.fullmatch(one) else one for one in tokens]


_ALL = Placeholders()


def cut(text: str) -> list[str]:
    """The text in pieces; placeholders of all kinds are of the class Word."""
    return _ALL.cut(text)


def may_have_placeholders(text: str) -> bool:
    """If not, `cut` gives the text in one piece."""
    return _ALL.may_occur(text)
