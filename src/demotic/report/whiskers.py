"""Values with intervals: a dot and a whisker per row, over a shared axis."""

from __future__ import annotations

from demotic.report.axis import Axis
from demotic.report.markup import Html
from demotic.report.svg import responsive_svg, svg_text, title

__all__ = ["axis_row", "interval_axis", "interval_row"]

_HEIGHT = 28.0


def interval_axis(values: list[tuple[float, float, float]]) -> Axis:
    """For rows of (value, low, high)."""
    ends = [end for _, low, high in values for end in (low, high)]
    return Axis.over(ends, wanted=4, begin=8.0, end=92.0)


def interval_row(axis: Axis, value: float, low: float, high: float, label: str = "") -> Html:
    """The whisker from low to high, the dot at the value, gridlines of the axis behind."""
    middle = _HEIGHT / 2
    parts = [_gridline(x, _HEIGHT) for x, _ in axis.labels()]
    ends = [axis.at(low), axis.at(high)]
    parts.append(
        f'<line class="whisker" x1="{ends[0]:.2f}%" x2="{ends[1]:.2f}%" y1="{middle}" '
        f'y2="{middle}"/>'
    )
    parts += [
        f'<line class="whisker" x1="{x:.2f}%" x2="{x:.2f}%" y1="{middle - 5}" y2="{middle + 5}"/>'
        for x in ends
    ]
    hover = title(f"{value:.1f}, 95 % interval {low:.1f} to {high:.1f}")
    x = axis.at(value)
    parts.append(f'<circle class="dot" cx="{x:.2f}%" cy="{middle}" r="5.5">{hover}</circle>')
    return responsive_svg(_HEIGHT, parts, label)


def axis_row(axis: Axis) -> Html:
    """The tick labels below the last row."""
    parts = [
        _gridline(x, 5) + svg_text(f"{x:.2f}%", 18, label, ' class="tick" text-anchor="middle"')
        for x, label in axis.labels()
    ]
    return responsive_svg(22, parts)


def _gridline(x: float, height: float) -> str:
    return f'<line class="grid" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="{height:.0f}"/>'
