"""Segments of a document: text with inline tags, and how a translation is written back.

A document is never taken apart and put together again.  It stays one string, and each translation
replaces a stretch of it (`Splice`), so everything else is untouched.  Inline tags are stretches of
the document too: a translation has them in another place, but letter for letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from demotic.constraints.placeholders import cut, may_have_placeholders
from demotic.constraints.tokens import Word

__all__ = ["Piece", "Segment", "Span", "Splice", "Tag", "has_words", "matched", "plain_text"]


class Span(NamedTuple):
    """A stretch of the document, copied as it is."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Tag:
    """An inline tag or a placeholder; `open` and `close` come in properly nested pairs."""

    kind: Literal["open", "close", "empty"]
    code: str | Span  # its text before the format's escapes, or its place in the document
    key: str = ""  # what an opening and a closing tag of one pair have in common
    fixed: bool = True  # always a pair, as elements are; other tags may lack their partner


Piece = str | Tag
"""Text without the escapes of its format, or a tag."""


class Splice(NamedTuple):
    """Replaces a stretch of the document."""

    begin: int
    end: int
    parts: tuple[str | Span, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A paragraph, cell, message or subtitle: what can be translated without the rest."""

    pieces: tuple[Piece, ...]
    write: Callable[[Sequence[Piece]], Iterable[Splice]]
    translated: bool = False  # has a translation, which is kept unless asked otherwise
    spaced: bool = False  # white space is part of the text: line breaks separate sentences


def plain_text(pieces: Iterable[Piece]) -> str:
    return "".join(piece for piece in pieces if isinstance(piece, str))


def has_words(pieces: Iterable[Piece]) -> bool:
    """Other than variables and addresses, which come out as they are."""
    text = plain_text(pieces)
    if not may_have_placeholders(text):  # as most
        return any(map(str.isalpha, text))
    parts = cut(text)
    return any(not isinstance(part, Word) and any(map(str.isalpha, part)) for part in parts)


def matched(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces, in which tags without a partner, or not nested properly, are `empty` tags."""
    matcher = _Matcher()
    for piece in pieces:
        matcher.add(piece)
    matcher.demote(0)
    return tuple(matcher.found)


class _Matcher:
    """Keeps the open tags; in a fixed pair, only tags opened inside it can be closed."""

    def __init__(self) -> None:
        self.found: list[Piece] = []
        self._open: list[tuple[int, Tag]] = []
        self._scopes: list[Counter[str]] = [Counter()]  # keys of open tags that are not fixed

    def add(self, piece: Piece) -> None:
        self.found.append(piece)
        if isinstance(piece, Tag) and piece.kind == "open":
            self._open.append((len(self.found) - 1, piece))
            if piece.fixed:
                self._scopes.append(Counter())
            else:
                self._scopes[-1][piece.key] += 1
        elif isinstance(piece, Tag) and piece.kind == "close":
            self._close(piece)

    def _close(self, closing: Tag) -> None:
        if not closing.fixed and not self._scopes[-1][closing.key]:
            self.found[-1] = replace(closing, kind="empty")
            return
        depth = len(self._open) - 1
        while (self._open[depth][1].key, self._open[depth][1].fixed) != (
            closing.key,
            closing.fixed,
        ):
            depth -= 1
        self.demote(depth + 1)
        self._open.pop()
        if closing.fixed:
            self._scopes.pop()
        else:
            self._scopes[-1][closing.key] -= 1

    def demote(self, depth: int) -> None:
        """Open tags from this depth on have no partner."""
        for place, tag in self._open[depth:]:
            self.found[place] = replace(tag, kind="empty")
            self._scopes[-1][tag.key] -= 1
        del self._open[depth:]
