"""A forest as a layered drawing: nodes in columns, edges as curves, the best derivation on top."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from demotic.report.markup import Html
from demotic.report.svg import svg, svg_text, text_width, title

__all__ = ["DrawnEdge", "DrawnNode", "forest_drawing"]

_ROW, _TOP, _COLUMN, _STUB = 46.0, 26.0, 130.0, 110.0

Point = tuple[float, float]


@dataclass(frozen=True)
class DrawnNode:
    """A node: its column, its label, and the share of probability that passes through it."""

    column: int
    label: str
    posterior: float
    best: bool
    hover: str = ""


@dataclass(frozen=True)
class DrawnEdge:
    """An edge from tails to a head."""

    head: int
    tails: Sequence[int]
    label: str
    posterior: float
    best: bool
    hover: str = ""


def forest_drawing(
    nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge], *, one_start: bool = True
) -> Html:
    """Thick lines are likely; labels are those of the best derivation, others show on hover.

    Edges without tails begin at the left (`one_start`), or just before their heads.
    """
    places = _places(nodes)
    labels: list[str] = []
    paths: list[str] = []
    for edge in sorted(edges, key=lambda one: (one.best, one.posterior)):
        begins = [places[tail] for tail in edge.tails]
        x, y = places[edge.head]
        begins = begins or [(12.0 if one_start else x - _STUB, y)]
        path, label = _edge(edge, (x, y), begins)
        paths.append(path)
        labels.append(label)
    dots = [_node(node, *place) for node, place in zip(nodes, places, strict=True)]
    width = max((x for x, _ in places), default=0.0) + 60
    height = max((y for _, y in places), default=0.0) + 40
    return svg(width, height, [*paths, *dots, *labels], "forest of translations")


def _places(nodes: Sequence[DrawnNode]) -> list[Point]:
    """Columns from left to right, the likely nodes of each on top."""
    columns: dict[int, list[int]] = defaultdict(list)
    for i, node in enumerate(nodes):
        columns[node.column].append(i)
    places = [(0.0, 0.0)] * len(nodes)
    for place, column in enumerate(sorted(columns), 1):
        ranked = sorted(columns[column], key=lambda i: (-nodes[i].best, -nodes[i].posterior))
        first = 0 if nodes[ranked[0]].best else 1  # the top row is that of the best derivation
        for row, i in enumerate(ranked, first):
            places[i] = (12 + place * _COLUMN, _TOP + row * _ROW)
    return places


def _edge(edge: DrawnEdge, end: Point, begins: Sequence[Point]) -> tuple[str, str]:
    x, y = end
    width = 1 + 5 * edge.posterior
    kind = "flow best" if edge.best else "flow"
    curves = "".join(
        f"M{a + 9:.1f} {b:.1f}C{(a + x) / 2:.1f} {b:.1f} {(a + x) / 2:.1f} {y:.1f} "
        f"{x - 9:.1f} {y:.1f}"
        for a, b in begins
    )
    hover = title(edge.hover or edge.label)
    path = (
        f'<g class="hit" tabindex="0">{hover}<path class="{kind}" d="{curves}" '
        f'stroke-width="{width:.1f}" stroke-opacity="{0.25 + 0.75 * edge.posterior:.2f}"/></g>'
    )
    if not edge.best or not edge.label:
        return path, ""
    a, b = begins[-1]
    return path, svg_text(
        (a + x) / 2,
        (b + y) / 2 - 7,
        _cut(edge.label, x - a),
        ' class="strong" text-anchor="middle"',
    )


def _cut(label: str, room: float) -> str:
    while label and text_width(label, 15) > room:
        label = f"{label[:-2].rstrip()}…" if len(label) > 2 else ""
    return label


def _node(node: DrawnNode, x: float, y: float) -> str:
    kind = "dot" if node.best else "full" if node.posterior > 0.1 else "faint"
    hover = title(node.hover or node.label)
    label = svg_text(x, y + 21, node.label, ' class="tick" text-anchor="middle"')
    radius = 5 + 4 * node.posterior
    circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
    return f'<g class="hit" tabindex="0">{hover}{circle}{label}</g>'
