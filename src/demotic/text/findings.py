"""Findings of a check of text: the count of each kind, and the first examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Example", "Findings"]

_SHOWN_CHARACTERS = 72


@dataclass(frozen=True)
class Example:
    line: int
    side: str  # "source", "target", or empty for both
    text: str


@dataclass
class Kind:
    count: int = 0
    examples: list[Example] = field(default_factory=list)


class Findings:
    """Counts all findings and keeps `show` examples of each kind."""

    def __init__(self, show: int) -> None:
        self.show = show
        self.kinds: dict[str, Kind] = {}

    def add(self, kind: str, line: int, side: str, text: str) -> None:
        self.add_many(kind, 1, side, ((line, text),))

    def add_many(
        self, kind: str, count: int, side: str, examples: Iterable[tuple[int, str]]
    ) -> None:
        """`examples` are some of the `count` findings, with their line numbers."""
        known = self.kinds.setdefault(kind, Kind())
        known.count += count
        for line, text in examples:
            if len(known.examples) >= self.show:
                break
            known.examples.append(Example(line, side, _shown(text)))

    def __getitem__(self, kind: str) -> int:
        return self.kinds[kind].count if kind in self.kinds else 0

    def as_dict(self) -> dict[str, Any]:
        return {
            name: {"count": kind.count, "examples": [vars(one) for one in kind.examples]}
            for name, kind in self.kinds.items()
        }


def _shown(text: str) -> str:
    """The beginning of a text, safe to print on a terminal."""
    short = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in short)
