"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, name: str) -> str:
    """The number and the noun, in the plural unless it is one: "1 line", "2,000 lines"."""
    return f"{number:,} {name}{'s' * (number != 1)}"
