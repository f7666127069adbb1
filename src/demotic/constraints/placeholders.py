"""What comes out of a translation as it is: numbers, addresses, variables.

cut("Send {count} files to a@b.org")   # ["Send ", Word("{count}"), " files to ", Word("a@b.org")]
"""

from __future__ import annotations

import re

from demotic.constraints.tokens import Word
from demotic.text.addresses import ADDRESS

__all__ = ["cut", "is_positional"]

_BRACES = r"\{\{[\w.:!/\[\]-]+\}\}|\$?\{[\w.:!/\[\]-]*\}"
# A letter of another script may follow: Chinese writes no space there.
_PRINTF = (
    r"(?<![\d%])%(?:\d+\$|\(\w+\))?[-+0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?"
    r"[sdiufFeEgGxXoc@](?![A-Za-z0-9_])"
)
_NUMBER = r"(?<![\w.,])[+-]?\d+(?:[.,:/'\u2019\u00a0\u202f-]\d+)*(?![\w])"
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
