"""Several series over a common axis: curves of systems, or clouds of points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from demotic.report.axis import Axis, number
from demotic.report.markup import Html, element, joined
from demotic.report.standalone import standalone_svg
from demotic.report.style import SERIES
from demotic.report.svg import responsive_svg, svg_text, title

__all__ = ["LineChart", "Series"]

_LEFT, _RIGHT = 9.0, 96.0  # horizontal extent of the plot, in per cent of the width
_ROW = 21.0  # height of a line of the legend
_SHAPES = 4
_TOP = 46.0  # height above the plot, for the unit
_WHOLE = 12  # ticks of an axis of whole numbers


@dataclass(frozen=True)
class Series:
    """A name and its points (x, y)."""

    label: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class LineChart:
    """A line and marks per series; with `categories`, x is the index of one of them."""

    series: Sequence[Series]
    across: str
    unit: str
    categories: Sequence[str] = ()
    lines: bool = True
    height: float = 260

    def html(self) -> Html:
        """For a page: the legend is text that wraps, above the drawing."""
        names = [element("li", self._key(i), " ", one.label) for i, one in enumerate(self.series)]
        drawing = responsive_svg(self._bottom(_TOP), self._parts(_TOP), self._label)
        return joined([element("ul", *names, class_="legend"), drawing])

    def file(self, caption: str = "") -> str:
        """A drawing with its legend as a file of its own, in the colours of the light page."""
        head = [svg_text(0, 18, caption, ' class="strong"')] if caption else []
        begin = 44.0 if caption else 16.0
        top = begin + _ROW * math.ceil(len(self.series) / 2) + _TOP - 10
        parts = [*head, *self._legend(begin), *self._parts(top)]
        return standalone_svg(responsive_svg(self._bottom(top), parts, self._label))

    @property
    def _label(self) -> str:
        return f"{self.unit} by {self.across}"

    def _bottom(self, top: float) -> float:
        return top + self.height + 48

    def _parts(self, top: float) -> list[str]:
        points = [point for one in self.series for point in one.points]
        down = Axis.over([y for _, y in points], begin=top + self.height, end=top)
        right = _across(points, self.categories)
        parts = [svg_text("0%", top - 24, self.unit, ' class="tick"')]
        parts += _frame(down, right, self.categories)
        for i, one in enumerate(self.series):
            places = [(right.at(x), down.at(y)) for x, y in one.points]
            parts += [_segment(ends, i) for ends in pairwise(places)] if self.lines else []
            for (x, y), point in zip(places, one.points, strict=True):
                value = f"{_named(point[0], self.categories)}, {point[1]:.2f}"
                parts.append(_mark(f"{x:.2f}%", y, i, f"{one.label}: {value}"))
        place = ' class="tick" text-anchor="end"'
        return [*parts, svg_text("100%", down.begin + 40, self.across, place)]

    def _key(self, i: int) -> Html:
        """A piece of the line and the mark of a series."""
        line = f'<line class="{_class(i)}" x1="0" x2="24" y1="8" y2="8"/>' if self.lines else ""
        drawn = f"{line}{_mark('12', 8, i, '')}"
        return Html(f'<svg width="24" height="16" aria-hidden="true">{drawn}</svg>')

    def _legend(self, begin: float) -> Iterator[str]:
        """Two columns above the plot."""
        for i, one in enumerate(self.series):
            left, y = 50 * (i % 2), begin + _ROW * (i // 2) - 8
            name = svg_text(32, 13, one.label)
            yield f'<svg x="{left}%" y="{y:.1f}" overflow="visible">{self._key(i)}{name}</svg>'


def _across(points: Sequence[tuple[float, float]], categories: Sequence[str]) -> Axis:
    if categories:
        ends = (-0.3, max(len(categories) - 0.7, 0.3))
        return Axis(ends, _LEFT, _RIGHT)
    values = [x for x, _ in points]
    if all(float(x).is_integer() for x in values) and max(values) - min(values) <= _WHOLE:
        first, last = int(min(values)), int(max(values))
        return Axis(tuple(range(first, max(last, first + 1) + 1)), _LEFT, _RIGHT)
    return Axis.over(values, wanted=7, begin=_LEFT, end=_RIGHT)


def _frame(down: Axis, right: Axis, categories: Sequence[str]) -> list[str]:
    parts = [
        f'<line class="grid" x1="0%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        + svg_text("0%", y - 4, label, ' class="tick"')
        for y, label in down.labels()
    ]
    labels = [(right.at(i), name) for i, name in enumerate(categories)] or right.labels()
    for x, label in labels:
        place = ' class="tick" text-anchor="middle"'
        parts.append(svg_text(f"{x:.2f}%", down.begin + 20, label, place))
    return parts


def _class(i: int) -> str:
    return f"series series-{i % SERIES}" + (" dashed" if i >= SERIES else "")


def _segment(ends: tuple[tuple[float, float], tuple[float, float]], i: int) -> str:
    (x, y), (right, below) = ends
    return (
        f'<line class="{_class(i)}" x1="{x:.2f}%" y1="{y:.1f}" x2="{right:.2f}%" y2="{below:.1f}"/>'
    )


def _mark(x: str, y: float, i: int, hover: str) -> str:
    """A shape per series, so that they differ without colours; drawn around the origin."""
    shapes = (
        '<circle class="{0}" r="4.5">{1}</circle>',
        '<rect class="{0}" x="-4" y="-4" width="8" height="8">{1}</rect>',
        '<path class="{0}" d="M0 -5.5L5.5 4.5L-5.5 4.5Z">{1}</path>',
        '<path class="{0}" d="M0 -6L6 0L0 6L-6 0Z">{1}</path>',
    )
    drawn = shapes[i % _SHAPES].format(f"mark series-{i % SERIES}", title(hover))
    return f'<svg x="{x}" y="{y:.1f}" overflow="visible">{drawn}</svg>'


def _named(x: float, categories: Sequence[str]) -> str:
    return categories[int(x)] if categories else number(round(x, 3))
