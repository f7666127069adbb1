"""The grid of links between words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demotic.report.markup import Html
from demotic.report.svg import svg, svg_text, title, word_width

__all__ = ["link_grid"]


def link_grid(
    source: Sequence[str], target: Sequence[str], links: Iterable[tuple[int, int]]
) -> Html:
    """Source words down the side, target words across the top, one dot per link."""
    cell = 26.0
    left = max(map(word_width, source), default=0) + 10
    top = max(map(word_width, target), default=0) * 0.75 + 16
    parts = []
    for j, word in enumerate(target):
        x, y = left + (j + 0.6) * cell, top - 6
        parts.append(svg_text(x, y, word, f' transform="rotate(-45 {x:.1f} {y:.1f})"'))
    for i, word in enumerate(source):
        y = top + i * cell
        parts.append(svg_text(left - 6, y + 18, word, ' text-anchor="end"'))
        parts += (
            f'<rect class="cell" x="{left + j * cell:.1f}" y="{y:.1f}" '
            f'width="{cell}" height="{cell}"/>'
            for j in range(len(target))
        )
    for i, j in links:
        x, y = left + (j + 0.5) * cell, top + (i + 0.5) * cell
        words = title(f"{source[i]} – {target[j]}")
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="7">{words}</circle>')
    width = left + len(target) * cell + top
    return svg(width, top + len(source) * cell + 4, parts, "links between words")
