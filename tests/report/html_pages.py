"""Checks pages for tests: well-formed, self-contained, fit for a phone."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

__all__ = ["Tags", "check_page", "parsed"]

_VOID = {"meta"}


class Tags(HTMLParser):
    """Which tags a page has, whether all are closed, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.classes: Counter[str] = Counter()
        self.headings: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._meet(tag, attrs)
        if tag not in _VOID:
            self.open.append(tag)
        if tag in {"h1", "h2", "h3", "summary"}:
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._meet(tag, attrs)

    def _meet(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.classes.update((dict(attrs).get("class") or "").split())
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice: {attrs}"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)
        if {"h1", "h2", "h3", "summary"} & set(self.open):
            self.headings[-1] += data


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert tags.open == []
    return tags


def check_page(html: str) -> Tags:
    """A page loads nothing, runs nothing, and nothing on it is wider than a phone by itself."""
    tags = parsed(html)
    assert not {"script", "img", "link", "iframe", "object", "embed"} & set(tags.seen)
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert not {"src", "href", "srcset", "action", "xlink:href"} & tags.attributes
    style = html.partition("<style>")[2].partition("</style>")[0]
    for outside in ("http", "url(", "@import"):
        assert outside not in style
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html
    body = html.partition("<body>")[2]
    for figure in re.findall(r"<figure.*?</figure>", body, re.S):  # these scroll by themselves
        body = body.replace(figure, "")
    assert not re.search(r'(width="[\d.]+"|[ ";]width:\s*[\d.]+(px|rem|em))', body)
    assert len(re.findall("<table", body)) == len(
        re.findall('<div class="scroll"><table', body)
    ) + len(re.findall('<table class="stages cards"', body))
    return tags
