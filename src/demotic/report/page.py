"""One HTML file built from top to bottom: headings, paragraphs, tables, drawings.

Everything that comes from outside is escaped here; drawings come as SVG from this package alone.
The page has no script and loads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from demotic.lines import PathLike, write_text

__all__ = ["Page"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1b19; --paper: #fdfcf9; --line: #d8d3c8;
  --accent: #a4502f; --soft: #f0ebe0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1d1c1a; --line: #45423c;
  --accent: #e08a63; --soft: #2a2825; } }
body { font: 16px/1.5 Georgia, "Noto Serif", "Noto Serif CJK SC", serif; color: var(--ink);
  background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { font-weight: normal; line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; overflow-x: auto; }
figcaption { font-size: .9rem; opacity: .8; }
svg text { font: 12px sans-serif; fill: var(--ink); }
svg .bar, svg .dot { fill: var(--accent); }
svg .cell { fill: var(--soft); stroke: var(--line); }
svg .edge { stroke: var(--ink); stroke-opacity: .5; fill: none; }
svg .path { stroke: var(--accent); stroke-width: 2; fill: none; }
svg .box { fill: var(--soft); stroke: var(--ink); stroke-opacity: .4; }
svg .band { fill: var(--accent); fill-opacity: .25; }
svg .faint { fill: var(--ink); fill-opacity: .35; }
svg .full { fill: var(--ink); fill-opacity: .8; }
svg .hollow { fill: none; stroke: var(--ink); stroke-opacity: .35; }
"""


class Page:
    """Append to it, then write it."""

    def __init__(self, title: str, *, subtitle: str = "") -> None:
        self.title = title
        self._parts = [f"<h1>{escape(title)}</h1>"]
        if subtitle:
            self.text(subtitle)

    def heading(self, text: str) -> None:
        self._parts.append(f"<h2>{escape(text)}</h2>")

    def text(self, text: str) -> None:
        self._parts.append(f"<p>{escape(text)}</p>")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        head = "".join(f"<th>{escape(name)}</th>" for name in header)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
        self._parts.append(f"<table>\n<tr>{head}</tr>\n{body}</table>")

    def figure(self, svg: str, caption: str = "") -> None:
        """A drawing of `demotic.report.drawing`."""
        label = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
        self._parts.append(f"<figure>{svg}{label}</figure>")

    def html(self) -> str:
        body = "\n".join(self._parts)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
            f"<body>\n{body}\n</body>\n</html>\n"
        )

    def write(self, path: PathLike) -> None:
        with write_text(path) as file:
            file.write(self.html())


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f'<td class="number">{value:,}</td>'
    if isinstance(value, float):
        return f'<td class="number">{value:,.4g}</td>'
    return f"<td>{escape(str(value))}</td>"
