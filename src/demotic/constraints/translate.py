"""Translates text with tags and placeholders.

    translate_marked_up(model, "<p>Das <b>Haus</b> ist klein.</p>", "html")
    translator = MarkupTranslator(model, threads=2)       # to translate more than one text
    translator.translate(["Das Haus", "..."], "xliff-inline")

Every tag comes out once, in well-formed order if the text is well-formed; numbers, addresses and
variables come out as they are, once each.  Terms of the model's glossary are obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from demotic.constraints.glossary import Glossary, model_glossary
from demotic.constraints.markup import Format, Piece, pieces_of
from demotic.constraints.segment import Segment
from demotic.constraints.terms import TermFinder
from demotic.search.decision import DecisionOptions, decide

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search import Candidate, Decoder
    from demotic.search.text import RawText

__all__ = ["MarkupTranslator", "translate_marked_up"]

_RECORDED = 16  # sentences per thread whose searches are in memory at once


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
        self._decision = decision or DecisionOptions.for_model(model)
        self._raw = raw or model.raw_text
        self._decoder = decoder or model.decoder()
        self._threads = threads
        terms = glossary if glossary is not None else model_glossary(model)
        self._finder = TermFinder(terms, self._raw) if terms else None

    def translate(self, texts: Sequence[str], form: Format = "text") -> list[str]:
        """Raises FormatError for a text that is not well-formed XLIFF."""
        segments = [list(_segments(pieces_of(text, form), form)) for text in texts]
        lines = []
        for segment in (one for found in segments for one in found):
            if any(piece.kind == "text" and piece.text.strip() for piece in segment.pieces):
                segment.build(self._raw, self._finder)
                lines += [sentence.line for sentence in segment.sentences]
        found = self._found(lines)
        results, first = [], 0
        for parts in segments:
            result = []
            for segment in parts:
                part = found[first : first + len(segment.sentences)]
                result.append(segment.written(part, self._decoder, self._raw))
                first += len(part)
            results.append("".join(result))
        return results

    def _found(self, lines: Sequence[str]) -> list[Candidate]:
        if not self._decision.needs_forest:
            best = self._decoder.translate(lines, threads=self._threads)
            return [best[i] for i in range(len(best))]
        found: list[Candidate] = []
        size = _RECORDED * self._threads
        for begin in range(0, len(lines), size):
            part = lines[begin : begin + size]
            records = self._decoder.search(part, threads=self._threads)
            found += [decide(record, self._decision) for record in records]
        return found


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
