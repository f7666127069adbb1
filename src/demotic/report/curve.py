"""A learning curve: one value per round, over an axis with round numbers, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from demotic.report.axis import Axis
from demotic.report.markup import Html
from demotic.report.svg import responsive_svg, svg_text, title

__all__ = ["curve"]

_LEFT, _RIGHT, _TOP = 12.0, 95.0, 42.0
_LABELS = 12  # maximum number of labelled rounds


def curve(
    values: Sequence[float],
    *,
    kept: int,
    first: int = 0,
    unit: str = "BLEU",
    across: str = "round",
    mark: str = "kept",
    height: float = 180,
) -> Html:
    """One point per value, left to right, the first at round `first`; `kept` has a ring, named
    `mark`."""
    axis = Axis.over(values, begin=_TOP + height, end=_TOP)
    step = (_RIGHT - _LEFT) / max(len(values) - 1, 1)
    points = [(_LEFT + i * step, axis.at(value)) for i, value in enumerate(values)]
    parts = [*_frame(axis, unit), *map(_segment, pairwise(points))]
    every = -(-len(values) // _LABELS)
    for i, ((x, y), value) in enumerate(zip(points, values, strict=True)):
        hover = title(f"{across} {first + i}: {value:.2f} {unit}")
        parts.append(f'<circle class="dot" cx="{x:.2f}%" cy="{y:.1f}" r="4">{hover}</circle>')
        if i % every == 0:
            place = ' class="tick" text-anchor="middle"'
            parts.append(svg_text(f"{x:.2f}%", axis.begin + 20, str(first + i), place))
    parts += _kept(points[kept], f"{mark}: {values[kept]:.2f}")
    parts.append(svg_text("100%", axis.begin + 40, across, ' class="tick" text-anchor="end"'))
    return responsive_svg(axis.begin + 48, parts, f"{unit} by {across}")


def _frame(axis: Axis, unit: str) -> list[str]:
    lines = [
        f'<line class="grid" x1="0%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        + svg_text("0%", y - 4, label, ' class="tick"')
        for y, label in axis.labels()
    ]
    return [*lines, svg_text("0%", _TOP - 26, unit, ' class="tick"')]


def _segment(ends: tuple[tuple[float, float], tuple[float, float]]) -> str:
    (x, y), (right, below) = ends
    return f'<line class="path" x1="{x:.2f}%" y1="{y:.1f}" x2="{right:.2f}%" y2="{below:.1f}"/>'


def _kept(point: tuple[float, float], label: str) -> list[str]:
    x, y = point
    anchor = "start" if x < 30 else "end" if x > 70 else "middle"
    return [
        f'<circle class="ring" cx="{x:.2f}%" cy="{y:.1f}" r="8"/>',
        svg_text(f"{x:.2f}%", y - 14, label, f' class="strong" text-anchor="{anchor}"'),
    ]
