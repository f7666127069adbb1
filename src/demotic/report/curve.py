"""A curve of figures by round, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.report.drawing import svg, svg_text, text_width

__all__ = ["curve"]


def curve(values: Sequence[float], *, kept: int, first: int = 0, height: float = 120) -> str:
    """A point for each value from left to right, the first at round `first`; `kept` has a ring."""
    low, high = min(values), max(values)
    labels = [f"{high:.2f}", f"{low:.2f}"]
    left, step = max(map(text_width, labels)) + 14, 44.0
    size = (high - low) or 1.0
    points = [
        (left + i * step, 14 + height * (high - value) / size) for i, value in enumerate(values)
    ]
    parts = [svg_text(0, y, text) for text, y in zip(labels, (18, 18 + height), strict=True)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline class="path" points="{line}"/>')
    for i, ((x, y), value) in enumerate(zip(points, values, strict=True)):
        label = f"<title>round {first + i}: {value:.2f}</title>"
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4">{label}</circle>')
        parts.append(svg_text(x, height + 38, str(first + i), ' text-anchor="middle"'))
    x, y = points[kept]
    parts.append(f'<circle class="hollow" cx="{x:.1f}" cy="{y:.1f}" r="8"/>')
    return svg(left + step * len(values), height + 46, parts)
