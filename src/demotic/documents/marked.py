"""Pieces as a string with the inline elements of XLIFF, which translators of tagged text take."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import pairwise

from demotic.documents.segment import Piece, Tag

__all__ = ["ATTACHING", "from_marked", "spaced_as", "to_marked"]

ATTACHING = "/-=#@\\"  # signs without spaces in paths, options and names
_ELEMENT = re.compile(r'<g id="(\d+)">|<x id="(\d+)"/>|(</g>)')
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def to_marked(pieces: Sequence[Piece]) -> tuple[str, list[Tag]]:
    """`<g id="0">` and `</g>` for a pair, `<x id="1"/>` for an empty tag; tags by id.

    The closing tag of a pair has the id after that of the opening tag.
    """
    parts: list[str] = []
    tags: list[Tag] = []
    open_: list[int] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(html.escape(_CONTROLS.sub(" ", piece), quote=False))
        elif piece.kind == "close":
            tags[open_.pop() + 1] = piece
            parts.append("</g>")
        elif piece.kind == "open":
            open_.append(len(tags))
            parts.append(f'<g id="{len(tags)}">')
            tags += [piece, piece]
        else:
            parts.append(f'<x id="{len(tags)}"/>')
            tags.append(piece)
    return "".join(parts), tags


def from_marked(text: str, tags: Sequence[Tag]) -> list[Piece]:
    """The inverse, for a translation. Raises ValueError unless it has every tag exactly once."""
    pieces: list[Piece] = []
    open_: list[int] = []
    found: list[int] = []
    at = 0
    for match in _ELEMENT.finditer(text):
        if match.start() > at:
            pieces.append(html.unescape(text[at : match.start()]))
        at = match.end()
        if match[3]:
            number = open_.pop() + 1
        else:
            number = int(match[1] or match[2])
            if match[1]:
                open_.append(number)
        pieces.append(tags[number])
        found.append(number)
    if at < len(text):
        pieces.append(html.unescape(text[at:]))
    if sorted(found) != list(range(len(tags))):
        raise ValueError(f"expected tags 0 to {len(tags) - 1} once each, got {found}")
    return pieces


def spaced_as(source: Sequence[Piece], target: Sequence[Piece]) -> list[Piece]:
    """The target, in which empty tags are separated from words where they were in the source, and
    attached to signs where they were.

    They may stand for something visible, such as a picture or a variable.
    """
    before = {id(b): a[-1:] for a, b in pairwise(source) if isinstance(a, str)}
    after = {id(a): b[:1] for a, b in pairwise(source) if isinstance(b, str)}
    found = list(target)
    for i, piece in enumerate(target):
        if not isinstance(piece, Tag) or piece.kind != "empty":
            continue
        if i > 0 and isinstance(left := found[i - 1], str):
            found[i - 1] = _ending(left, before.get(id(piece), ""))
        if i + 1 < len(found) and isinstance(right := found[i + 1], str):
            found[i + 1] = _ending(right[::-1], after.get(id(piece), ""))[::-1]
    return found


def _ending(text: str, sign: str) -> str:
    """A text before a tag that has `sign` before it in the source."""
    if sign.isspace():
        return f"{text} " if text[-1:].isalnum() else text
    if sign and sign in ATTACHING and text[-1:] == " " and text[-2:-1] == sign:
        return text[:-1]
    return text
