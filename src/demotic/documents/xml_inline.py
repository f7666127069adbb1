"""Inline elements of XLIFF and TMX as tags, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from demotic.documents.placeholders import string_pieces
from demotic.documents.segment import Piece, Span, Tag, matched
from demotic.documents.xml_tree import Element, Text, escaped

__all__ = ["inline_parts", "inline_pieces", "space_before"]

# Elements around text, unless they protect it.
_AROUND = frozenset({"g", "pc", "mrk", "hi"})
# Halves of a pair, with the attributes that name it; what they contain is code.
_OPENING = {"bpt": ("rid", "i", "id"), "bx": ("rid", "id"), "sc": ("id",), "sm": ("id",)}
_CLOSING = {
    "ept": ("rid", "i", "id"),
    "ex": ("rid", "id"),
    "ec": ("startRef", "id"),
    "em": ("startRef",),
}
_PARTNERS = {"ept": "bpt", "ex": "bx", "ec": "sc", "em": "sm"}


def inline_pieces(element: Element, *, spaced: bool) -> tuple[Piece, ...]:
    """The content of <source>, <seg> and the like; `spaced`: white space is part of the text."""
    return matched(_content(element, spaced))


def inline_parts(pieces: Sequence[Piece]) -> tuple[str | Span, ...]:
    """The content of an element."""
    parts: list[str | Span] = []
    for piece in pieces:
        code = piece if isinstance(piece, str) else piece.code
        parts.append(code if isinstance(code, Span) else escaped(code))
    return tuple(parts)


def _content(element: Element, spaced: bool) -> Iterator[Piece]:
    for child in element.children:
        if isinstance(child, Text):
            text = child.text if spaced else re.sub(r"\s+", " ", child.text)
            yield from string_pieces(text)
        elif not isinstance(child, Element):
            yield Tag("empty", Span(child.begin, child.end))
        elif child.name in _AROUND and child.children and not _protected(child):
            yield Tag("open", Span(child.begin, child.open_end), str(child.begin))
            yield from _content(child, spaced)
            yield Tag("close", Span(child.close_begin, child.end), str(child.begin))
        else:
            yield _code(child)


def _code(element: Element) -> Tag:
    place = Span(element.begin, element.end)
    if element.name in _OPENING:
        return Tag("open", place, _key(element, element.name, _OPENING), fixed=False)
    if element.name in _CLOSING:
        partner = _PARTNERS[element.name]
        return Tag("close", place, _key(element, partner, _CLOSING), fixed=False)
    return Tag("empty", place)


def _key(element: Element, kind: str, names: dict[str, tuple[str, ...]]) -> str:
    given = (element.attributes.get(name) for name in names[element.name])
    return f"{kind} {next(filter(None, given), '')}"


def _protected(element: Element) -> bool:
    given = element.attributes
    return given.get("translate") == "no" or given.get("mtype") == "protected"


def space_before(text: str, place: int) -> str:
    """The white space before a tag, so that a new element is indented like it."""
    begin = place
    while begin and text[begin - 1].isspace():
        begin -= 1
    return text[begin:place]
