"""Points over two axes, some of them with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from demotic.report.axis import Axis
from demotic.report.markup import Html
from demotic.report.svg import responsive_svg, svg_text

__all__ = ["Point", "scatter"]

_LEFT, _RIGHT, _TOP, _HEIGHT = 8.0, 94.0, 34.0, 240.0


@dataclass(frozen=True)
class Point:
    """With a name it is marked."""

    x: float
    y: float
    name: str = ""
    kind: str = "faint"


def scatter(points: Sequence[Point], *, across: str, up: str) -> Html:
    """Larger values are to the right and higher up."""
    x = Axis.over([one.x for one in points], begin=_LEFT, end=_RIGHT)
    y = Axis.over([one.y for one in points], begin=_TOP + _HEIGHT, end=_TOP)
    parts = [svg_text("0%", 14, up, ' class="tick"')]
    for at, label in y.labels():
        parts.append(f'<line class="grid" x1="0%" x2="100%" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(svg_text("0%", at - 4, label, ' class="tick"'))
    for at, label in x.labels():
        place = ' class="tick" text-anchor="middle"'
        parts.append(svg_text(f"{at:.2f}%", y.begin + 20, label, place))
    parts.append(svg_text("100%", y.begin + 42, across, ' class="tick" text-anchor="end"'))
    for one in points:
        parts += _drawn(one, x.at(one.x), y.at(one.y))
    return responsive_svg(y.begin + 50, parts, f"{up} by {across}")


def _drawn(point: Point, x: float, y: float) -> list[str]:
    kind, radius = ("dot", 6) if point.name or point.kind == "dot" else (point.kind, 3)
    circle = f'<circle class="{kind}" cx="{x:.2f}%" cy="{y:.1f}" r="{radius}"/>'
    if not point.name:
        return [circle]
    end = x > 50
    place = f' class="strong" text-anchor="{"end" if end else "start"}" dx="{-10 if end else 10}"'
    return [circle, svg_text(f"{x:.2f}%", y + 4, point.name, place)]
