"""The best gold and the best bad derivation of every bin: where the search loses the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence

from demotic.report.axis import Axis
from demotic.report.markup import Html
from demotic.report.svg import responsive_svg, svg_text, text_width, title

__all__ = ["violation_chart"]

# Name of a bin, scores of d+ and d- (-inf: none), and whether something gold is in the beam.
Bin = tuple[str, float, float, bool]

_LEFT, _TOP = 12.0, 34.0


def violation_chart(bins: Sequence[Bin], *, chosen: int, across: str, height: float = 220) -> Html:
    """One column per bin: d- minus d+, upwards if it is a violation; `chosen` is ringed."""
    gaps = [bad - gold for _, gold, bad, _ in bins]
    known = [gap for gap in gaps if math.isfinite(gap)]
    axis = Axis.over([0.0, *known], begin=_TOP + height, end=_TOP)
    left = _LEFT * min(1.0, 10 / max(len(bins), 1))  # a wide drawing needs less
    step = (100 - left) / max(len(bins), 1)
    parts = [svg_text("0%", 14, "points by which d- is above d+", ' class="tick"')]
    for y, label in axis.labels():
        kind = "axis" if label.strip("0.,-") == "" else "grid"
        parts.append(f'<line class="{kind}" x1="0%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(svg_text("0%", y - 4, label, ' class="tick"'))
    for i, (one, gap) in enumerate(zip(bins, gaps, strict=True)):
        parts.append(_column(one, gap, left + i * step, step, axis, chosen == i))
    parts.append(svg_text("100%", axis.begin + 52, across, ' class="tick" text-anchor="end"'))
    widest = max([34.0, *(text_width(name) + 8 for name, *_ in bins)])
    return responsive_svg(
        axis.begin + 60, parts, "violations by bin", least=widest * len(bins) * 1.15
    )


def _column(one: Bin, gap: float, x: float, step: float, axis: Axis, chosen: bool) -> str:
    name, gold, bad, holds = one
    label = svg_text(
        f"{x + step / 2:.2f}%", axis.begin + 20, name, ' class="tick" text-anchor="middle"'
    )
    if not math.isfinite(gap):
        missing = "no gold derivation" if gold == -math.inf else "no other derivation"
        return f"<g>{title(f'bin {name}: {missing}')}{label}</g>"
    zero, y = axis.at(0.0), axis.at(gap)
    kind = "violation" if gap >= 0 else "safe"
    beam = "in the beam" if holds else "not in the beam any more"
    hover = title(
        f"bin {name}: d+ {gold:.3f}, d- {bad:.3f}, difference {gap:+.3f}; the reference is {beam}"
    )
    rect = (
        f'<rect class="{kind}" x="{x + 0.2 * step:.2f}%" y="{min(y, zero):.1f}" '
        f'width="{0.6 * step:.2f}%" height="{max(2.0, abs(y - zero)):.1f}" rx="2"/>'
    )
    mark = "ring" if chosen else "hollow" if holds else "lost"
    dot = (
        f'<circle class="{mark}" cx="{x + step / 2:.2f}%" cy="{axis.begin + 30:.1f}" r="4"/>'
        if chosen or not holds
        else ""
    )
    return f"<g>{hover}{rect}{dot}{label}</g>"
