"""Bar charts: amounts by name, signed contributions, distributions in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from demotic.report.axis import Axis
from demotic.report.markup import Html, element
from demotic.report.svg import responsive_svg, svg_text, text_width, title

__all__ = ["bars", "columns", "signed_bars"]

_LAPTOP, _PHONE = 800.0, 285.0  # width in pixels available for columns
_TOP = 42.0
_LEFT, _RIGHT = 11.0, 99.0  # horizontal extent of the columns, in per cent of the width


def bars(
    values: Sequence[tuple[str, float]],
    *,
    shown: Callable[[float], str] = "{:,g}".format,
    titles: Sequence[str] = (),
) -> Html:
    """One horizontal bar per (label, value); values must not be negative."""
    top = max((value for _, value in values), default=0) or 1
    rows = []
    for i, (label, value) in enumerate(values):
        size = 100 * value / top
        fill = element("span", class_="fill", style=f"left:0;width:{size:.2f}%")
        hover = titles[i] if titles else None
        rows += [
            element("span", label, class_="label", title=hover),
            element("span", fill, class_="track", title=f"{label}: {shown(value)}"),
            element("span", shown(value), class_="value"),
        ]
    return element("div", *rows, class_="bars")


def signed_bars(values: Sequence[tuple[str, str, float]]) -> Html:
    """One bar to the right or left of zero per (label, meaning, value)."""
    numbers = [value for _, _, value in values]
    low, high = min([0.0, *numbers]), max([0.0, *numbers])
    size = (high - low) or 1.0
    zero = 100 * (0.0 - low) / size
    rows = []
    for label, meaning, value in values:
        begin, width = (100 * (min(value, 0) - low) / size, 100 * abs(value) / size)
        sign = "minus" if value < 0 else "plus"
        fill = element("span", class_=f"fill {sign}", style=f"left:{begin:.2f}%;width:{width:.2f}%")
        line = element("span", class_="zero", style=f"left:{zero:.2f}%")
        rows += [
            element("span", label, class_="label", title=meaning or None),
            element("span", fill, line, class_="track", title=f"{label}: {value:+.3f}"),
            element("span", f"{value:+.2f}", class_="value"),
        ]
    return element("div", *rows, class_="bars")


def columns(
    values: Sequence[tuple[str, float]],
    *,
    across: str = "",
    unit: str = "",
    height: float = 200,
) -> Html:
    """One column per (label, value), in order, over an axis from zero with round numbers."""
    numbers = [value for _, value in values]
    axis = Axis.over(numbers, from_zero=True, begin=_TOP + height, end=_TOP)
    step = (_RIGHT - _LEFT) / max(len(values), 1)
    parts = [*_grid(axis, unit), *_names([label for label, _ in values], step, axis.begin + 20)]
    for i, (label, value) in enumerate(values):
        x, y = _LEFT + i * step, axis.at(value)
        hover = title(f"{across} {label}: {value:,g} {unit}".strip())
        parts.append(
            f'<rect class="bar" x="{x + 0.1 * step:.2f}%" y="{y:.1f}" width="{0.8 * step:.2f}%" '
            f'height="{axis.begin - y:.1f}">{hover}</rect>'
        )
    end = ' class="tick" text-anchor="end"'
    parts += [svg_text(f"{_RIGHT}%", axis.begin + 40, across, end)] if across else []
    return responsive_svg(axis.begin + 48, parts, f"{unit} by {across}" if across else unit)


def _grid(axis: Axis, unit: str) -> list[str]:
    parts = []
    for y, label in axis.labels():
        class_ = "axis" if y == axis.begin else "grid"
        parts.append(
            f'<line class="{class_}" x1="0%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
            + svg_text("0%", y - 4, label, ' class="tick"')
        )
    return [*parts, svg_text("0%", 14, unit, ' class="tick"')] if unit else parts


def _names(labels: Sequence[str], step: float, y: float) -> list[str]:
    """Labels under the columns, as many as fit; some of them only on wide screens."""
    laptop, phone = _every(labels, _LAPTOP), _every(labels, _PHONE)
    parts = []
    for i in range(0, len(labels), laptop):
        class_ = "tick" if i % (laptop * -(-phone // laptop)) == 0 else "tick roomy"
        x = f"{_LEFT + (i + 0.5) * step:.2f}%"
        parts.append(svg_text(x, y, labels[i], f' class="{class_}" text-anchor="middle"'))
    return parts


def _every(labels: Sequence[str], room: float) -> int:
    """The n such that every n-th label fits into this many pixels."""
    widest = max(map(text_width, labels), default=0) + 6
    return max(1, -(-int(len(labels) * widest) // int(room)))
