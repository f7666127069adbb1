"""Trees of boxes with several lines of text, drawn from the root down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from demotic.report.markup import Html
from demotic.report.svg import svg, svg_text, title, word_width

__all__ = ["Line", "TreeBox", "box_tree", "lay_out"]

# Pieces of text, and whether each is a gap; gaps are drawn as chips.
Line = tuple[tuple[str, bool], ...]

_BETWEEN = 12.0  # pixels between neighbours
_LINE = 24.0  # height of a line in a box
_SPACE = 5.0  # pixels between pieces of a line
_RISE = 34.0  # from a box to its children


@dataclass
class TreeBox:
    """A node: its lines of text, its hover text, and its children."""

    lines: tuple[Line, ...]
    children: list[TreeBox] = field(default_factory=list)
    hover: str = ""
    gap: str = ""
    """The gap of its parent that it fills."""
    x: float = 0.0  # of its middle
    y: float = 0.0  # of its top

    @property
    def width(self) -> float:
        return max(map(_line_width, self.lines), default=0.0) + 16

    @property
    def height(self) -> float:
        return _LINE * len(self.lines) + 6


def lay_out(root: TreeBox) -> tuple[float, float]:
    """Positions all boxes, parents centred over their children; returns width and height."""
    sizes: dict[int, float] = {}
    for node in reversed([*_all(root)]):
        below = sum(sizes[id(child)] for child in node.children)
        below += _BETWEEN * max(len(node.children) - 1, 0)
        sizes[id(node)] = max(node.width, below)
    root.x, root.y = sizes[id(root)] / 2, 8.0
    for node in _all(root):
        below = sum(sizes[id(child)] for child in node.children)
        left = node.x - (below + _BETWEEN * max(len(node.children) - 1, 0)) / 2
        for child in node.children:
            child.x, child.y = left + sizes[id(child)] / 2, node.y + node.height + _RISE
            left += sizes[id(child)] + _BETWEEN
    return sizes[id(root)], max(node.y + node.height for node in _all(root))


def box_tree(root: TreeBox, label: str = "tree") -> Html:
    """Boxes with lines between them; a box fills the gap whose number is above it."""
    width, height = lay_out(root)
    parts = [_edge(node, child) for node in _all(root) for child in node.children]
    parts += map(_box, _all(root))
    return svg(width + 4, height + 8, ['<g transform="translate(2 0)">', *parts, "</g>"], label)


def _all(root: TreeBox) -> Iterator[TreeBox]:
    """In pre-order."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(node.children)


def _edge(node: TreeBox, child: TreeBox) -> str:
    top, bottom = node.y + node.height, child.y
    middle = (top + bottom) / 2
    path = f"M{node.x:.1f} {top:.1f}C{node.x:.1f} {middle:.1f} {child.x:.1f} {middle:.1f} "
    return f'<path class="edge" d="{path}{child.x:.1f} {bottom:.1f}"/>'


def _box(node: TreeBox) -> str:
    left = node.x - node.width / 2
    parts = [
        f'<rect class="box" x="{left:.1f}" y="{node.y:.1f}" width="{node.width:.1f}" '
        f'height="{node.height:.1f}" rx="5"/>'
    ]
    for i, line in enumerate(node.lines):
        parts += _line(line, node.x, node.y + 4 + i * _LINE, "side" if i else "strong")
    if node.gap:
        parts += _line(((node.gap, True),), node.x, node.y - _RISE / 2 - 11, "")
    return f'<g class="hit" tabindex="0">{title(node.hover)}{"".join(parts)}</g>'


def _line(line: Line, middle: float, top: float, class_: str) -> list[str]:
    x = middle - _line_width(line) / 2
    parts = []
    for text, gap in line:
        width = _piece_width(text, gap)
        if gap:
            parts.append(
                f'<rect class="chip" x="{x:.1f}" y="{top + 1:.1f}" width="{width:.1f}" '
                f'height="{_LINE - 3}" rx="8"/>'
            )
        style = f' text-anchor="middle" class="{class_}"'
        parts.append(svg_text(x + width / 2, top + 17, text, style))
        x += width + _SPACE
    return parts


def _line_width(line: Sequence[tuple[str, bool]]) -> float:
    return sum(_piece_width(*piece) for piece in line) + _SPACE * max(len(line) - 1, 0)


def _piece_width(text: str, gap: bool) -> float:
    return word_width(text) + (10 if gap else 0)
