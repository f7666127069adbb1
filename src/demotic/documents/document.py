"""A document: its text, its segments, and the same document with translations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from demotic.documents.charset import Encoded
from demotic.documents.segment import Piece, Segment, Span, Splice

__all__ = ["Document", "Languages", "TextDocument", "spliced"]


@dataclass(frozen=True)
class Languages:
    """Codes of the model's languages; empty if it does not declare them."""

    source: str = ""
    target: str = ""


class Document(Protocol):
    """What every format yields."""

    @property
    def segments(self) -> Sequence[Segment]: ...

    def written(self, targets: Mapping[int, Sequence[Piece]]) -> bytes:
        """The document with translations, by index of the segment; without any, its own bytes."""


@dataclass(frozen=True)
class TextDocument:
    """A document that is one text."""

    text: str
    encoded: Encoded
    segments: Sequence[Segment]
    more: Sequence[Splice] = ()  # made if anything is translated: the language, the charset

    def written(self, targets: Mapping[int, Sequence[Piece]]) -> bytes:
        splices = [
            splice for i, target in targets.items() for splice in self.segments[i].write(target)
        ]
        return self.encoded.encode(spliced(self.text, [*splices, *(self.more if targets else ())]))


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with all splices made; one may be inside a stretch that another copies."""
    ordered = sorted(dict.fromkeys(splices), key=_order)
    return "".join(_copied(text, Span(0, len(text)), ordered))


def _copied(text: str, span: Span, splices: Sequence[Splice]) -> list[str]:
    """The stretch with the splices that are inside it, which are in order."""
    found: list[str] = []
    at = span.begin
    i = 0
    while i < len(splices):
        splice = splices[i]
        inner = i + 1
        while inner < len(splices) and _within(splices[inner], splice):
            inner += 1
        if splice.begin >= at and splice.end <= span.end:
            found.append(text[at : splice.begin])
            nested = splices[i + 1 : inner]
            for part in splice.parts:
                found += [part] if isinstance(part, str) else _copied(text, part, _in(part, nested))
            at = splice.end
        i = inner
    return [*found, text[at : span.end]]


def _in(span: Span, splices: Sequence[Splice]) -> Sequence[Splice]:
    begin = bisect_left(splices, span.begin, key=_begin)
    return splices[begin : bisect_left(splices, span.end, begin, key=_begin)]


def _begin(splice: Splice) -> int:
    return splice.begin


def _order(splice: Splice) -> tuple[int, bool, int]:
    """By position; insertions first, then what contains others."""
    return splice.begin, splice.begin < splice.end, -splice.end


def _within(inner: Splice, outer: Splice) -> bool:
    return inner.begin < outer.end and inner.end <= outer.end
