"""Character classes for regular expressions that `re` has no names for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

__all__ = ["APOSTROPHES", "FLAG", "HYPHENS", "UNSPACED", "Classes", "classes", "is_plain", "marks"]

APOSTROPHES = "'\u2019"
HYPHENS = "\\-\u2010\u2011"
FLAG = "[\U0001f1e6-\U0001f1ff]{2}"  # two regional indicators: the flag of a country

# Scripts without spaces between words: Thai, Lao, Myanmar, Tai Le and New Tai Lue, Khmer, Tai Tham,
# Balinese, Hiragana and Katakana, Bopomofo, Han, Javanese, Tai Viet.  One character with its marks
# is a unit.
UNSPACED = (
    "\u0e00-\u0e3a\u0e40-\u0e4e\u0e80-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109f"
    "\u1780-\u17d3\u17d7\u17dc-\u17dd\u1950-\u197f\u1980-\u19cf\u1a20-\u1a7c\u1b00-\u1b4c"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u3099-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua980-\ua9c0"
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaac2\uf900-\ufaff\uff66-\uff9f"
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)

# Marks and lower-case letters occur up to here and among the supplementary variation selectors.
_LAST = 0x1F000
# Joiners belong to the word around them; skin tones and tags to the emoji before them.
_LIKE_MARKS = (
    *(0xAD, 0x200C, 0x200D, 0x2060),
    *range(0x1F3FB, 0x1F400),
    *range(0xE0020, 0xE0080),
    *range(0xE0100, 0xE01F0),
)


# Latin letters and general punctuation without joiners: no marks, no scripts without spaces.
is_plain = re.compile("[!-\xac\xae-\u02ff\u2010-\u205f]+").fullmatch
_PLAIN_END = 0x300


@dataclass(frozen=True)
class Classes:
    """The insides of bracket expressions."""

    marks: str
    unspaced: str
    lowercase: str


@cache
def classes(*, plain: bool) -> Classes:
    """For all text, or for text that `is_plain`, whose small classes are compiled faster."""
    if plain:  # has no character of the first two
        return Classes("\u0300", "\u0e00", _lowercase(_PLAIN_END))
    return Classes(marks(), UNSPACED, _lowercase(_LAST))


@cache
def marks() -> str:
    """Combining marks of all scripts, and whatever else attaches to the preceding character."""
    found = (c for c in range(0x300, _LAST) if unicodedata.category(chr(c))[0] == "M")
    return _ranges({*found, *_LIKE_MARKS})


def _lowercase(end: int) -> str:
    return _ranges(c for c in range(0x61, end) if unicodedata.category(chr(c)) == "Ll")


def _ranges(codes: Iterable[int]) -> str:
    """Code points as the inside of a bracket expression."""
    parts: list[list[int]] = []
    for code in sorted(codes):
        if parts and code == parts[-1][1] + 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in parts)
