"""Translates text with tags and placeholders.

    translate_marked_up(model, "<p>Das <b>Haus</b> ist klein.</p>", "html")
    translator = MarkupTranslator(model, threads=2)       # to translate more than one text
    translator.translate(["Das Haus", "..."], "xliff-inline")

Every tag comes out once, in well-formed order if the text is well-formed; numbers, addresses and
variables come out as they are, once each.  Terms of the model's glossary are obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING

from demotic.constraints.markup import Format, Piece, pieces_of
from demotic.constraints.segment import Segment
from demotic.constraints.terms import TermFinder
from demotic.search.chooser import Chooser, Stop
from demotic.search.decision import DecisionOptions

if TYPE_CHECKING:
    from demotic.constraints.glossary import Glossary
    from demotic.model import Model
    from demotic.search import Decoder
    from demotic.search.text import RawText

__all__ = ["MarkupTranslator", "translate_marked_up"]


def translate_marked_up(
    model: Model,
    text: str,
    form: Format = "text",
    *,
    glossary: Glossary | None = None,
    threads: int = 1,
) -> str:
    """One text; its lines (plain text) or block elements (HTML) are translated one by one."""
    return MarkupTranslator(model, glossary=glossary, threads=threads).translate([text], form)[0]


class MarkupTranslator:
    """Translates texts with one model and a glossary, by default that of the model."""

    def __init__(
        self,
        model: Model,
        *,
        decoder: Decoder | None = None,
        raw: RawText | None = None,
        glossary: Glossary | None = None,
        decision: DecisionOptions | None = None,
        threads: int = 1,
    ) -> None:
        """`decision` is how translations are chosen, by default that of the model."""
        decision = decision or DecisionOptions.for_model(model)
        self._chooser = Chooser.of(decoder or model.decoder(), decision, threads=threads)
        self._raw = raw or model.raw_text
        self._finder = model.terms
        if glossary is not None:
            self._finder = TermFinder(glossary, model.raw_text)

    def reading(self, raw: RawText) -> MarkupTranslator:
        """The same for text that is prepared otherwise."""
        other = copy(self)
        other._raw = raw
        return other

    def translate(
        self, texts: Sequence[str], form: Format = "text", *, stop: Stop | None = None
    ) -> list[str]:
        """Raises FormatError for a text that is not well-formed XLIFF; `stop` may end it early."""
        segments = [list(_segments(pieces_of(text, form), form)) for text in texts]
        lines = []
        for segment in (one for found in segments for one in found):
            if any(piece.kind == "text" and piece.text.strip() for piece in segment.pieces):
                segment.build(self._raw, self._finder)
                lines += [sentence.line for sentence in segment.sentences]
        found = list(self._chooser.choose(lines, stop=stop))
        results, first = [], 0
        for parts in segments:
            result = []
            for segment in parts:
                part = found[first : first + len(segment.sentences)]
                result.append(segment.written(part, self._raw))
                first += len(part)
            results.append("".join(result))
        return results


def _segments(pieces: Sequence[Piece], form: Format) -> Iterator[Segment]:
    """Runs of pieces without a break; line ends are breaks of plain text."""
    run: list[Piece] = []
    for piece in pieces:
        if piece.kind != "break" and form != "text":
            run.append(piece)
            continue
        if run:
            yield Segment(run, form)
            run = []
        for part in piece.text.splitlines(keepends=True) if piece.kind == "text" else [piece.text]:
            yield Segment([Piece(piece.kind, part, piece.name)], form)
    if run:
        yield Segment(run, form)
