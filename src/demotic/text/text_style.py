"""Guesses from a text whether it is tokenised and whether it is lower-cased.

Scores against references that were prepared differently measure the preparation rather than the
translation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["TextStyle", "differences"]

_MARKS = frozenset(".,!?;:。，！？；：")
_SAMPLE = 2000  # lines
_FEW = 10  # fewer occurrences do not decide anything


@dataclass(frozen=True)
class TextStyle:
    """Counts over the first lines of a text."""

    apart: int
    """Punctuation marks that are separate tokens."""
    glued: int
    """Words that end in a punctuation mark."""
    cased: int
    """Lines with letters that have case."""
    lower: int
    """Lines with cased letters but without a capital letter."""

    @classmethod
    def of(cls, lines: Sequence[str]) -> TextStyle:
        apart = glued = cased = lower = 0
        for line in lines[:_SAMPLE]:
            marked = [len(token) for token in line.split() if token[-1] in _MARKS]
            apart += marked.count(1)
            glued += len(marked) - marked.count(1)
            if line.lower() != line.upper():
                cased += 1
                lower += line == line.lower()
        return cls(apart, glued, cased, lower)

    @property
    def tokenised(self) -> bool | None:
        """None if it cannot be decided."""
        return _decided(self.apart, self.apart + self.glued)

    @property
    def lower_cased(self) -> bool | None:
        return _decided(self.lower, self.cased)


def _decided(part: int, whole: int) -> bool | None:
    """True for nearly all, False for few, None in between or if there is too little text."""
    if whole < _FEW or 0.3 * whole < part < 0.9 * whole:
        return None
    return part >= 0.9 * whole


def differences(first: TextStyle, second: TextStyle, *, case: bool = True) -> list[str]:
    """The properties in which the two texts differ, worded for the first text."""
    pairs = [(first.tokenised, second.tokenised, "tokenised")]
    pairs += [(first.lower_cased, second.lower_cased, "lower-cased")] if case else []
    return [
        word if here else f"not {word}"
        for here, there, word in pairs
        if None not in (here, there) and here != there
    ]
