"""Normalises the characters of a line before tokenisation.

White space and control characters become spaces, by the same list as in text files (lines.h), for
text from other sources: TMX, PO, strings of a caller.  Unless normalisation is off, characters that
only control the display (direction marks, soft hyphens) are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from demotic.text.tokenize.characters import marks

__all__ = ["Normalization", "clean"]

Normalization = Literal["nfc", "nfkc", "none"]

_SPACES = re.compile("[\x00-\x20\x7f-\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_INVISIBLE = re.compile("[\xad\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]+")
_SURROGATES = re.compile("[\ud800-\udfff]")

# Normalising sorts runs of marks in quadratic time; no language has runs this long.
_MANY_MARKS = 200


def clean(text: str, normalization: Normalization) -> str:
    """The line with single spaces and well-formed characters."""
    if not (text.isascii() and text.isprintable()):
        if normalization != "none":
            text = _normalized(text, normalization)
        text = _SURROGATES.sub("\ufffd", text)
    return _SPACES.sub(" ", text).strip(" ")


def _normalized(text: str, normalization: Normalization) -> str:
    text = _INVISIBLE.sub("", text)
    if len(text) > _MANY_MARKS and re.search(f"[{marks()}]{{{_MANY_MARKS}}}", text):
        return text
    return unicodedata.normalize(normalization.upper(), text)  # type: ignore[arg-type]
