"""The tags of HTML, also in messages and subtitles: found with their places, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

__all__ = ["Markup", "attributes_of", "tokens_of"]

# No alternative can fail after its first characters, so every character is looked at once: what
# is unterminated ends with the document, as in browsers.
_TOKEN = re.compile(
    r"""<!--.*?(?:-->|\Z)
    | <!\[CDATA\[.*?(?:\]\]>|\Z)
    | <[!?][^>]*(?:>|\Z)
    | <(?P<slash>/?)(?P<name>[A-Za-z][^\s/>]*)(?:[^>"']|"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))*+(?:>|\Z)""",
    re.S | re.X,
)
# A quotation mark without a name before it begins a string as well, as in _TOKEN.
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?|"[^"]*"?|'[^']*'?""", re.S
)

_MAX_ATTRIBUTES = 1000


class Markup(NamedTuple):
    """A tag, a comment or a declaration; the latter two have no name."""

    begin: int
    end: int
    name: str
    closing: bool
    empty: bool  # <br/>


class Attribute(NamedTuple):
    """The place is that of the value without its quotation marks."""

    begin: int
    end: int
    value: str
    quoted: bool


def tokens_of(text: str, begin: int = 0, end: int | None = None) -> Iterator[Markup]:
    for match in _TOKEN.finditer(text, begin, len(text) if end is None else end):
        name = (match["name"] or "").lower()
        empty = match[0].endswith("/>")
        yield Markup(match.start(), match.end(), name, bool(match["slash"]), empty)


def attributes_of(text: str, tag: Markup) -> dict[str, Attribute]:
    """By name in lower case; the first of equal names counts. No tag needs as many as are read."""
    found: dict[str, Attribute] = {}
    matches = _ATTRIBUTE.finditer(text, tag.begin + 1 + len(tag.name), tag.end - 1)
    for match in islice(matches, _MAX_ATTRIBUTES):
        if match[1] is None:
            continue
        group = match.lastindex or 1
        value = match[group] if group > 1 else ""
        place = match.span(group) if group > 1 else (match.end(), match.end())
        found.setdefault(match[1].lower(), Attribute(*place, value, group in (2, 3)))
    return found
