"""One parse tree as flat lists: its leaves, and the labelled spans above them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BRACKETS", "UNTAGGED", "Tree"]

# Penn treebanks write brackets within the text by name, since their own would be ambiguous.
BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
BRACKETS |= {name.lower(): bracket for name, bracket in BRACKETS.items()}

UNTAGGED = "X"  # Universal Dependencies' tag for words of no other class


@dataclass(frozen=True, slots=True)
class Tree:
    """Constituents are half-open spans of leaves in pre-order, one list per field."""

    line: int  # where the tree begins in its file
    words: list[str]
    tags: list[str]  # one per word
    begins: list[int]
    ends: list[int]
    labels: list[str]
    holes: int = 0  # subtrees that cover no contiguous span
    widened: int = 0  # boundaries moved to the end of a multiword token
