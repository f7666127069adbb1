"""A single HTML file built from top to bottom: headings, paragraphs, tables, drawings.

All external text is escaped here; fragments (`Html`) come only from this package.  The page has no
scripts and loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from demotic.lines import PathLike, write_text
from demotic.report.markup import Html, element
from demotic.report.style import STYLE

__all__ = ["Page", "table"]

_NARROW = 3  # columns that fit a phone; rows of wider tables become cards there


class Page:
    """A page to append to and then write."""

    def __init__(self, title: str, *, subtitle: str = "") -> None:
        self.title = title
        self._parts = [element("h1", title)]
        if subtitle:
            self.add(element("p", subtitle, class_="lede"))

    def add(self, fragment: Html) -> None:
        self._parts.append(fragment)

    def heading(self, text: str, meaning: str = "") -> None:
        """A section; `meaning` is one plain sentence about what it shows."""
        self.add(element("h2", text))
        if meaning:
            self.text(meaning)

    def text(self, text: object) -> None:
        self.add(element("p", text))

    def note(self, text: object) -> None:
        """A paragraph in small print."""
        self.add(element("p", text, class_="note"))

    def table(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[object]],
        *,
        cards: bool | None = None,
    ) -> None:
        self.add(table(header, rows, cards=cards))

    def figure(self, drawing: str, caption: str = "") -> None:
        """A drawing made by this package; it scrolls separately if wider than the page."""
        label = [element("figcaption", caption)] if caption else []
        self.add(element("figure", Html(drawing), *label, tabindex="0"))

    @contextmanager
    def fold(self, title: str) -> Iterator[None]:
        """Everything added inside the `with` block is collapsed at first."""
        with self.inside("details"):
            self.add(element("summary", title))
            yield

    @contextmanager
    def inside(self, name: str, class_: str = "") -> Iterator[None]:
        """Everything added inside the `with` block goes into one element."""
        before, self._parts = self._parts, []
        try:
            yield
        finally:
            content = Html("\n".join(self._parts))
            self._parts = before
            self.add(element(name, content, class_=class_ or None))

    def fragment(self) -> Html:
        """Everything below the title, to be shown inside another page."""
        return Html("\n".join(self._parts[1:]))

    def html(self) -> str:
        body = "\n".join(self._parts)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n</head>\n"
            f"<body>\n{body}\n</body>\n</html>\n"
        )

    def write(self, path: PathLike) -> None:
        with write_text(path) as file:
            file.write(self.html())


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    cards: bool | None = None,
    class_: str = "",
) -> Html:
    """A table; with `cards`, each row becomes a card on a phone (default: if it is wide)."""
    as_cards = len(header) > _NARROW if cards is None else cards
    numeric = [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(len(header))]
    head = [
        element("th", name, scope="col", class_="number" if right else None)
        for name, right in zip(header, numeric, strict=True)
    ]
    labels = header if as_cards else [""] * len(header)
    body = [
        element("tr", *(_cell(*one) for one in zip(row, labels, numeric, strict=True)))
        for row in rows
    ]
    names = " ".join(name for name in (class_, "cards" if as_cards else "") if name)
    inner = element("tbody", element("tr", *head, class_="head"), Html("\n"), Html("\n".join(body)))
    return element("div", element("table", inner, class_=names or None), class_="scroll")


def _cell(value: object, label: str, right: bool) -> Html:
    text: object = value
    if isinstance(value, float):
        text = f"{value:,.4g}"
    elif isinstance(value, int):
        text = f"{value:,}"
    direction = None if isinstance(value, (int, float, Html)) else "auto"
    return element(
        "td",
        text,
        class_="number" if right else None,
        data_label=label or None,
        dir=direction,
    )


def _is_number(value: object) -> bool:
    if isinstance(value, Html):
        return False
    # With a deviation, and stars of significance.
    parts = str(value).rstrip("*").split(" ± ")
    texts = [one.lstrip("+-−").replace(",", "").replace(".", "").rstrip(" %") for one in parts]
    return value == "" or all(text.isdigit() for text in texts)
