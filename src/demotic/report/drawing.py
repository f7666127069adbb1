"""Drawings as SVG text: bars, an alignment grid, a tree.  Colours come from the page's style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["alignment_grid", "bars", "svg", "svg_text", "text_width", "tree"]

_CHARACTER = 7.5  # width of a Latin letter at 12 px; CJK characters take twice that


def text_width(text: str) -> float:
    return sum(2 if ord(c) > 0x2E80 else 1 for c in text) * _CHARACTER


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    body = "".join(parts)
    return (
        f'<svg role="img" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">{body}</svg>'
    )


def svg_text(x: float, y: float, text: str, extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{escape(text)}</text>'


def bars(values: Sequence[tuple[str, float]], *, height: float = 120) -> str:
    """A column for each (label, value); values are not negative."""
    top = max((value for _, value in values), default=0) or 1
    step = max([26.0, *(text_width(label) + 6 for label, _ in values)])
    parts = []
    for i, (label, value) in enumerate(values):
        size = height * value / top
        x = i * step
        parts.append(
            f'<rect class="bar" x="{x + 2:.1f}" y="{16 + height - size:.1f}" '
            f'width="{step - 4:.1f}" height="{size:.1f}"><title>{value:g}</title></rect>'
        )
        parts.append(svg_text(x + step / 2, height + 32, label, ' text-anchor="middle"'))
    return svg(step * len(values), height + 40, parts)


def alignment_grid(
    source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]]
) -> str:
    """Source words down the side, target words across the top, a dot for each link."""
    cell = 22.0
    left = max(map(text_width, source), default=0) + 10
    top = max(map(text_width, target), default=0) * 0.75 + 14
    parts = []
    for j, word in enumerate(target):
        x, y = left + (j + 0.6) * cell, top - 6
        parts.append(svg_text(x, y, word, f' transform="rotate(-45 {x:.1f} {y:.1f})"'))
    for i, word in enumerate(source):
        y = top + i * cell
        parts.append(svg_text(left - 6, y + 15, word, ' text-anchor="end"'))
        parts += (
            f'<rect class="cell" x="{left + j * cell:.1f}" y="{y:.1f}" '
            f'width="{cell}" height="{cell}"/>'
            for j in range(len(target))
        )
    parts += (
        f'<circle class="dot" cx="{left + (j + 0.5) * cell:.1f}" '
        f'cy="{top + (i + 0.5) * cell:.1f}" r="6"/>'
        for i, j in links
    )
    width = left + len(target) * cell + top
    return svg(width, top + len(source) * cell + 4, parts)


class _Branch:
    """A node of a bracketed tree with its place in the drawing."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[_Branch] = []
        self.x = 0.0
        self.depth = 0


def _parse(text: str) -> _Branch:
    root = _Branch("")
    stack = [root]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append(_Branch(""))
        elif token == ")":
            done = stack.pop()
            stack[-1].children.append(done)
        elif not stack[-1].label and len(stack) > 1:
            stack[-1].label = token
        else:
            stack[-1].children.append(_Branch(token))
    return root.children[0]


def _place(node: _Branch, depth: int, left: float) -> float:
    """Gives every node its place; returns the right edge."""
    node.depth = depth
    own = text_width(node.label) + 12
    right = left
    for child in node.children:
        right = _place(child, depth + 1, right)
    right = max(right, left + own)
    ends = node.children
    node.x = (ends[0].x + ends[-1].x) / 2 if ends else left + own / 2
    return right


def tree(brackets: str) -> str:
    """A Penn-style bracketed tree, drawn from the root down."""
    root = _parse(brackets)
    width = _place(root, 0, 0)
    step = 38.0
    parts: list[str] = []
    deepest = 0
    todo = [root]
    while todo:
        node = todo.pop()
        deepest = max(deepest, node.depth)
        y = node.depth * step + 16
        parts.append(svg_text(node.x, y, node.label, ' text-anchor="middle"'))
        for child in node.children:
            line = f"M{node.x:.1f} {y + 4:.1f}L{child.x:.1f} {y + step - 13:.1f}"
            parts.append(f'<path class="edge" d="{line}"/>')
        todo += node.children
    return svg(width, deepest * step + 28, parts)
