"""The characters of a text by which the leaves of its tree are found: without spaces and case.

Folding works character by character, so that `fold(a + b) == fold(a) + fold(b)`; a character may
become several ("ß" becomes "ss"), and positions count the folded characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from demotic.text.trees.tree import BRACKETS

__all__ = ["fold", "folded"]

# Parsers write quotation marks and dots in their own way; ı and İ depend on the language.
_SIGNS = str.maketrans(
    {
        "`": "'",
        "‘": "'",
        "’": "'",
        '"': "''",
        "“": "''",
        "”": "''",
        "…": "...",
        "ı": "i",
        "İ": "i",
    }
)
_DOT_ABOVE = "\u0307"  # left over where İ became lower case by the rules of other languages


def fold(text: str) -> str:
    """Text without spaces, invisible characters, letter case and the style of quotation marks."""
    if not _all_visible(text):
        text = "".join(filter(_is_visible, text))
    return text.translate(_SIGNS).casefold()


def folded(words: Sequence[str]) -> tuple[str, list[int]]:
    """The folded text of words, and the position of each boundary: before, between and after."""
    plain = [BRACKETS.get(word, word) for word in words]
    joined = "".join(plain)
    text = fold(joined)
    if len(text) != len(joined) or not _all_visible(joined):
        plain = [fold(word) for word in plain]
    return text, list(accumulate(map(len, plain), initial=0))


def _all_visible(text: str) -> bool:
    return text.isprintable() and " " not in text and _DOT_ABOVE not in text


def _is_visible(character: str) -> bool:
    if character == _DOT_ABOVE:
        return False
    return not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf")
