"""The beam as a grid: bins across, ranks down, colour by score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from demotic.report.markup import Html
from demotic.report.svg import svg, svg_text, title, word_width

__all__ = ["BeamCell", "BeamColumn", "beam_grid"]

_ROW, _TOP, _LEFT = 16.0, 34.0, 34.0
_WIDTH = 44.0  # of a column
_PALEST = 0.12  # opacity of the worst cell
_FATES = {
    "dead": "pruned",
    "alive": "kept, but in no complete translation",
    "goal": "in a complete translation",
    "winner": "in the best translation",
}


@dataclass(frozen=True)
class BeamCell:
    """A hypothesis: its rank, points behind the best, fate, merged derivations, text."""

    rank: int
    behind: float
    state: str  # dead, alive, goal or winner
    merged: int
    agrees: bool  # with the reference
    text: str


@dataclass(frozen=True)
class BeamColumn:
    """A bin: how many hypotheses entered and survived, and those that are drawn, by rank."""

    name: str
    entered: int
    survived: int
    cells: Sequence[BeamCell]


def beam_grid(
    columns: Sequence[BeamColumn], *, across: str = "", lost_at: int | None = None
) -> Html:
    """`lost_at` is the first column without any way to the reference."""
    rows = max((len(column.cells) for column in columns), default=0)
    texts = [text for column in columns for text in (column.name, _kept(column))]
    width = max([_WIDTH, *(word_width(text) + 10 for text in texts)])
    widest = max((cell.behind for column in columns for cell in column.cells), default=1.0) or 1.0
    bottom = _TOP + rows * _ROW
    parts = [svg_text(0, 14, "rank", ' class="tick"')]
    parts += [
        svg_text(
            _LEFT - 8, _TOP + (row + 0.75) * _ROW, str(row + 1), ' class="tick" text-anchor="end"'
        )
        for row in range(0, rows, 5 if rows > 10 else 1)
    ]
    path: list[tuple[float, float]] = []
    for i, column in enumerate(columns):
        x = _LEFT + i * width
        parts.append(_column(i, column, x, width, widest))
        path += _winner(column, x + width / 2)
    parts += [_line(*ends) for ends in pairwise(path)]
    if lost_at is not None:
        x = _LEFT + lost_at * width
        parts.append(
            f'<line class="lost" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 14}" y2="{bottom + 6:.1f}">'
            f"{title('from here on, nothing in the beam leads to the reference')}</line>"
        )
    parts.append(svg_text(_LEFT, bottom + 34, across, ' class="tick"'))
    return svg(_LEFT + len(columns) * width + 4, bottom + 42, parts, "the beam, by bin and rank")


def _kept(column: BeamColumn) -> str:
    return f"{column.survived}/{column.entered}"


def _column(i: int, column: BeamColumn, x: float, width: float, widest: float) -> str:
    middle = x + width / 2
    parts = [
        svg_text(middle, _TOP - 8, column.name, ' class="tick" text-anchor="middle"'),
        *(_cell(row, cell, x, width, widest) for row, cell in enumerate(column.cells)),
        svg_text(
            middle,
            _TOP + len(column.cells) * _ROW + 14,
            _kept(column),
            ' class="tick" text-anchor="middle"',
        ),
    ]
    hover = title(f"{column.entered:,} entered, {column.survived:,} kept")
    return f'<g class="hit bin" data-bin="{i}" tabindex="0">{hover}{"".join(parts)}</g>'


def _cell(row: int, cell: BeamCell, x: float, width: float, widest: float) -> str:
    y = _TOP + row * _ROW
    pale = max(_PALEST, 1 - 0.85 * cell.behind / widest)
    merged = f"; {cell.merged} derivations recombined" if cell.merged > 1 else ""
    hover = title(
        f"{cell.rank}. {cell.text}\n{cell.behind:.3f} points behind the best; "
        f"{_FATES[cell.state]}{merged}{'; agrees with the reference' if cell.agrees else ''}"
    )
    marks = ""
    if cell.merged > 1:
        marks += f'<circle class="merged" cx="{x + 9:.1f}" cy="{y + _ROW / 2:.1f}" r="2.5"/>'
    if cell.agrees:
        marks += f'<path class="agrees" d="M{x + width - 15:.1f} {y + 8:.1f}l3.5 3.5 5-7.5"/>'
    opacity = f' fill-opacity="{pale:.2f}"' if cell.state != "dead" else ""
    return (
        f'<g>{hover}<rect class="beam {cell.state}" x="{x + 2:.1f}" y="{y + 1:.1f}" '
        f'width="{width - 4:.1f}" height="{_ROW - 2}" rx="3"{opacity}/>{marks}</g>'
    )


def _winner(column: BeamColumn, x: float) -> list[tuple[float, float]]:
    return [
        (x, _TOP + (row + 0.5) * _ROW)
        for row, cell in enumerate(column.cells)
        if cell.state == "winner"
    ]


def _line(begin: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="path thin" x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" '
        f'x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
    )
