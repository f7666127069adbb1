"""A sentence pair with its origin: what every reader of parallel text yields."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pair"]


@dataclass(frozen=True, slots=True)
class Pair:
    """`line` is the line number in a text file or the unit number in TMX, PO or XLIFF, from 1."""

    source: str
    target: str
    origin: str
    line: int
