"""Drawings of a search: bins with their hypotheses, and the order of the phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from demotic.report.axis import Axis
from demotic.report.markup import Html
from demotic.report.svg import responsive_svg, svg, svg_text, text_width, title, word_width

__all__ = ["Dot", "bins_chart", "phrase_order"]

# Points behind the best of the bin, and the state: dead, alive, goal or winner.
Dot = tuple[float, str]

_SHAPES = {
    "dead": ("hollow", 3.0),
    "alive": ("faint", 3.0),
    "goal": ("full", 3.5),
    "winner": ("dot", 6.0),
}
_FATES = {
    "dead": "pruned",
    "alive": "kept, but in no complete translation",
    "goal": "in a complete translation",
    "winner": "in the best translation",
}
_SPREAD = 5  # dots of a bin are spread over this many columns, so that they overlap less
_LEFT, _TOP = 9.0, 30.0
_BOX = 34.0  # height of a phrase's box
_BESIDE = 6.0  # pixels between boxes
_ROWS = (4.0, 94.0)  # tops of source and target boxes


def bins_chart(
    bins: Sequence[tuple[str, Sequence[Dot]]], *, across: str = "", height: float = 260
) -> Html:
    """One column per bin (name, dots), the best on top, with the path of the winner."""
    lowest = _lowest([dots for _, dots in bins])
    axis = Axis.over([0.0, lowest], begin=_TOP, end=_TOP + height)
    step = (100 - _LEFT) / max(len(bins), 1)
    parts = [*_frame(axis)]
    path: list[tuple[float, float]] = []
    drawn: list[str] = []
    for i, (name, dots) in enumerate(bins):
        middle = _LEFT + (i + 0.5) * step
        place = ' class="tick" text-anchor="middle"'
        parts.append(svg_text(f"{middle:.2f}%", axis.end + 22, name, place))
        for j, (behind, state) in enumerate(dots):
            aside = 0.0 if state == "winner" else (j % _SPREAD - _SPREAD // 2) * 0.13 * step
            at = middle + aside, axis.at(behind)
            drawn.append(_dot(*at, behind, state))
            if state == "winner":
                path.append(at)
    parts += [_segment(*ends) for ends in pairwise(path)]
    if across:
        parts.append(svg_text("100%", axis.end + 42, across, ' class="tick" text-anchor="end"'))
    widest = max([44.0, *(text_width(name) + 12 for name, _ in bins)])
    return responsive_svg(
        axis.end + 50, [*parts, *drawn], "hypotheses by bin", least=widest * len(bins) * 1.1
    )


def _frame(axis: Axis) -> Iterator[str]:
    yield svg_text("0%", 14, "points behind the best of the bin", ' class="tick"')
    for y, label in axis.labels():
        yield f'<line class="grid" x1="0%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield svg_text("0%", y + 14, label, ' class="tick"')


def _dot(x: float, y: float, behind: float, state: str) -> str:
    shape, radius = _SHAPES[state]
    hover = title(f"{behind:.3f} points behind the best; {_FATES[state]}")
    return f'<circle class="{shape}" cx="{x:.2f}%" cy="{y:.1f}" r="{radius}">{hover}</circle>'


def _segment(begin: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="path" x1="{begin[0]:.2f}%" y1="{begin[1]:.1f}" '
        f'x2="{end[0]:.2f}%" y2="{end[1]:.1f}"/>'
    )


def phrase_order(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    source_order: Sequence[int],
    hovers: Sequence[str] = (),
) -> Html:
    """Phrases as boxes: source above in its own order, target below, and a band between them.

    Phrase i of `target` translates phrase i of `source`; `source_order` lists the phrases in the
    order of the source sentence, `hovers` their hover texts.
    """
    rows = [" ".join(source[i]) for i in source_order], [" ".join(words) for words in target]
    width = max(map(_row_width, rows))
    above, below = (_boxes(row, width) for row in rows)
    at = {phrase: above[place] for place, phrase in enumerate(source_order)}
    parts = []
    for phrase, bottom in enumerate(below):
        top = at[phrase]
        drawn = [_band(top, bottom)] if target[phrase] else []
        drawn += [_box(top, _ROWS[0], "box"), _box(bottom, _ROWS[1], "box target")]
        hover = title(hovers[phrase]) if hovers else ""
        parts.append(f'<g class="hit" tabindex="0">{hover}{"".join(drawn)}</g>')
    return svg(width + 4, _ROWS[1] + _BOX + 4, parts, "order of the phrases")


def _band(top: tuple[float, float, str], bottom: tuple[float, float, str]) -> str:
    (a, wide, _), (x, width, _) = top, bottom
    high, low = _ROWS[0] + _BOX, _ROWS[1]
    corners = f"M{a:.1f} {high}L{a + wide:.1f} {high}L{x + width:.1f} {low}L{x:.1f} {low}Z"
    return f'<path class="band" d="{corners}"/>'


def _box(box: tuple[float, float, str], y: float, class_: str) -> str:
    x, width, label = box
    rect = (
        f'<rect class="{class_}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BOX}" rx="5"/>'
    )
    return rect + svg_text(x + width / 2, y + 22, label, ' text-anchor="middle"')


def _row_width(labels: Sequence[str]) -> float:
    return sum(word_width(label) + 18 for label in labels) + _BESIDE * max(len(labels) - 1, 0)


def _boxes(labels: Sequence[str], room: float) -> list[tuple[float, float, str]]:
    """Boxes centred in the available width."""
    boxes, x = [], 2.0 + (room - _row_width(labels)) / 2
    for label in labels:
        width = word_width(label) + 18
        boxes.append((x, width, label))
        x += width + _BESIDE
    return boxes


def _lowest(bins: Sequence[Sequence[Dot]]) -> float:
    """The lower end of the axis: below 90 % of the dots and below every winner."""
    all_ = sorted(behind for dots in bins for behind, _ in dots)
    winners = [behind for dots in bins for behind, state in dots if state == "winner"]
    return max([1e-9, *winners, *all_[len(all_) * 9 // 10 :][:1]])
