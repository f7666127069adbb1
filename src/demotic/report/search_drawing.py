"""Drawings of a search: the bins with all that competed in them, and the order of the phrases."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.report.drawing import svg, svg_text, text_width

__all__ = ["Dot", "bins_chart", "phrase_order"]

# Points behind the best of the bin, and what became of it: dead, alive, goal or winner.
Dot = tuple[float, str]

_SHAPES = {
    "dead": ("hollow", 2.5),
    "alive": ("faint", 2.5),
    "goal": ("full", 3.0),
    "winner": ("dot", 5.0),
}
_SPREAD = 5  # dots of a bin stand in so many columns, so that they do not hide each other


def bins_chart(bins: Sequence[tuple[str, Sequence[Dot]]], *, height: float = 260) -> str:
    """A column for each bin (name, dots), the best at the top; the winner's path goes through."""
    left, top = 64.0, 14.0
    step = max([44.0, *(text_width(name) + 8 for name, _ in bins)])
    lowest = _lowest([dots for _, dots in bins])
    parts = [
        svg_text(left - 8, top + 4, "best", ' text-anchor="end"'),
        svg_text(left - 8, top + height + 4, f"-{lowest:.2g}", ' text-anchor="end"'),
    ]
    path: list[str] = []
    for i, (name, dots) in enumerate(bins):
        middle = left + (i + 0.5) * step
        label = ' text-anchor="middle"'
        parts.append(svg_text(middle, top + height + 24, name, label))
        for j, (behind, state) in enumerate(dots):
            shape, radius = _SHAPES[state]
            y = top + height * min(behind / lowest, 1.0)
            x = middle if state == "winner" else middle + (j % _SPREAD - _SPREAD // 2) * 6.0
            parts.append(
                f'<circle class="{shape}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">'
                f"<title>{behind:.3f} behind</title></circle>"
            )
            if state == "winner":
                path.append(f"{x:.1f} {y:.1f}")
    if path:
        parts.insert(0, f'<path class="path" d="M{"L".join(path)}"/>')
    return svg(left + step * len(bins) + 10, top + height + 32, parts)


def phrase_order(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    source_order: Sequence[int],
) -> str:
    """Phrases as boxes: source above in its own order, target below, and a band between them.

    Phrase i of `target` translates phrase i of `source`; `source_order` has the numbers of the
    phrases in the order of the source sentence.
    """
    above = _boxes([" ".join(source[i]) for i in source_order])
    below = _boxes([" ".join(words) for words in target])
    at = {phrase: above[place] for place, phrase in enumerate(source_order)}
    parts = []
    for phrase, (x, width, _) in enumerate(below):
        if target[phrase]:
            a, wide, _ = at[phrase]
            corners = f"M{a:.1f} 30L{a + wide:.1f} 30L{x + width:.1f} 96L{x:.1f} 96Z"
            parts.append(f'<path class="band" d="{corners}"/>')
    for boxes, y in ((above, 4.0), (below, 96.0)):
        for x, width, label in boxes:
            parts.append(
                f'<rect class="box" x="{x:.1f}" y="{y}" width="{width:.1f}" height="26" rx="4"/>'
            )
            parts.append(svg_text(x + width / 2, y + 17, label, ' text-anchor="middle"'))
    ends = [x + width for x, width, _ in (*above, *below)]
    return svg(max(ends, default=0) + 4, 126, parts)


def _boxes(labels: Sequence[str]) -> list[tuple[float, float, str]]:
    boxes, x = [], 2.0
    for label in labels:
        width = text_width(label) + 14
        boxes.append((x, width, label))
        x += width + 6
    return boxes


def _lowest(bins: Sequence[Sequence[Dot]]) -> float:
    """The bottom of the chart: what all but the last tenth are above, and every winner."""
    all_ = sorted(behind for dots in bins for behind, _ in dots)
    winners = [behind for dots in bins for behind, state in dots if state == "winner"]
    return max([1e-9, *winners, *all_[len(all_) * 9 // 10 :][:1]])
