"""What comes out of a translation as it is: numbers, addresses, variables.

cut("Send {count} files to a@b.org")   # ["Send ", Word("{count}"), " files to ", Word("a@b.org")]
"""

from __future__ import annotations

import re

from demotic.constraints.tokens import Word
from demotic.text.addresses import ADDRESS
from demotic.text.tokenize.characters import UNSPACED

__all__ = ["cut", "is_positional"]

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
_PLACEHOLDER = re.compile("|".join((ADDRESS, _BRACES, _PRINTF, _NUMBER)))
_POSITIONAL = re.compile(r"%[-+0#\d.]*[a-zA-Z@]+|\{\}")


def cut(text: str) -> list[str]:
    """The text in pieces; those to protect are of the class Word."""
    pieces: list[str] = []
    end = 0
    for found in _PLACEHOLDER.finditer(text):
        if found.start() > end:
            pieces.append(text[end : found.start()])
        pieces.append(Word(found[0]))
        end = found.end()
    if end < len(text):
        pieces.append(text[end:])
    return pieces


def is_positional(placeholder: str) -> bool:
    """Whether its place among its like says what it stands for: %s, %d, {}."""
    return _POSITIONAL.fullmatch(placeholder) is not None
