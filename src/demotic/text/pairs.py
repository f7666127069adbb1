"""A sentence pair with its provenance: the one thing every reader of parallel text yields."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pair"]


@dataclass(frozen=True, slots=True)
class Pair:
    """`line` is the line of a text file or the number of a unit in TMX, PO or XLIFF, from 1."""

    source: str
    target: str
    origin: str
    line: int
