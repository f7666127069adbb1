"""An explanation as plain text, with tables in columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from demotic.explain.explanation import Explanation
from demotic.explain.sections import Section, sections
from demotic.explain.source_tree import source_tree_text
from demotic.explain.tree import tree_text

__all__ = ["grid", "picture", "plain_table", "plain_text"]


def plain_text(of: Explanation) -> str:
    return "\n".join(_section(of, section) for section in sections(of))


def _section(of: Explanation, section: Section) -> str:
    parts = [section.title.upper(), *section.texts]
    if section.rows:
        parts.append(plain_table(section.header, section.rows))
    if section.title == "Derivation" and of.words:
        parts += ["", picture(of)]
    return "\n".join(parts) + "\n"


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns separated by two spaces; numbers are right-aligned."""
    widths = [max(map(_width, column)) for column in zip(header, *rows, strict=True)]
    right = [all(_numeric(row[i]) for row in rows) for i in range(len(header))]
    return "\n".join(
        "  ".join(map(_padded, row, widths, right)).rstrip() for row in (header, *rows)
    )


def picture(of: Explanation) -> str:
    """The parse tree, the tree of a Hiero derivation, then the links between words."""
    parts = (source_tree_text(of), tree_text(of), grid(of))
    return "\n\n".join(part for part in parts if part)


def grid(of: Explanation) -> str:
    """Source words down, numbers of target words across, # for a link."""
    linked = set(of.links)
    left = max([0, *map(_width, of.source)])
    numbers = " ".join(f"{j:>2}" for j in range(len(of.words)))
    lines = [f"{'':{left}} {numbers}"]
    for i, word in enumerate(of.source):
        cells = " ".join(" #" if (i, j) in linked else " ." for j in range(len(of.words)))
        lines.append(f"{_padded(word, left)} {cells}")
    named = " ".join(f"{j}:{word}" for j, word in enumerate(of.words))
    return "\n".join([*lines, named])


def _padded(text: str, width: int, right: bool = False) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two and combining marks none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _numeric(text: str) -> bool:
    digits = text.strip("+-").replace(".", "").replace(",", "")
    return not digits or digits.isdigit()
