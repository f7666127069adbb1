"""Translates text with tags.

    translate_marked_up(model, "<p>Das <b>Haus</b> ist klein.</p>", "html")
    translator = MarkupTranslator(model, threads=2)       # to translate more than one text
    translator.translate(["Das Haus", "..."], "xliff-inline")

Every tag comes out once, and the result is well-formed if the text is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.constraints.markup import Format, Piece, escaped, pieces_of

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search import Decoder

__all__ = ["MarkupTranslator", "translate_marked_up"]


def translate_marked_up(model: Model, text: str, form: Format = "text", *, threads: int = 1) -> str:
    """One text, whose lines and block elements are segments; line ends are kept."""
    return MarkupTranslator(model, threads=threads).translate([text], form)[0]


class MarkupTranslator:
    """Translates texts with one model."""

    def __init__(self, model: Model, *, decoder: Decoder | None = None, threads: int = 1) -> None:
        self._raw = model.raw_text
        self._decoder = decoder or model.decoder()
        self._threads = threads

    def translate(self, texts: Sequence[str], form: Format = "text") -> list[str]:
        """Raises FormatError for a text that is not well-formed XLIFF."""
        found = [
            [part for piece in pieces_of(text, form) for part in _lines(piece)] for text in texts
        ]
        source = [part.text for parts in found for part in parts if part.kind == "text"]
        tokens = [self._raw.prepared(line) for line in source]
        translated = iter(self._decoder.translate(tokens, threads=self._threads).text)
        results = []
        for parts in found:
            result = ""
            for part in parts:
                if part.kind != "text":
                    result += part.text
                    continue
                text = self._raw.restored(next(translated))
                result += escaped(_like(part.text, text), form)
            results.append(result)
        return results


def _lines(piece: Piece) -> list[Piece]:
    if piece.kind != "text":
        return [piece]
    return [
        Piece("text" if line.strip() else "empty", line)
        for line in piece.text.splitlines(keepends=True)
    ]


def _like(source: str, text: str) -> str:
    """With the white space around the source."""
    stripped = source.strip()
    before, after = source.split(stripped, 1)
    return before + text + after
