"""What ARCHITECTURE.md says in tables."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@lru_cache
def rows(first: str, second: str) -> list[list[str]]:
    """The cells of the one table whose header begins with these two columns."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.findall(rf"^\| {first} \| {second} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert len(found) == 1, f"expected one table '{first} | {second}' in ARCHITECTURE.md"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[0].splitlines()]


def names(cell: str) -> list[str]:
    """What stands in backquotes."""
    return re.findall(r"`([^`]+)`", cell)
