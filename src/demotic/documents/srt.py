"""SubRip subtitles (.srt): numbers and times stay, the text is translated and wrapped again.

The lines of a subtitle are one text, except in dialogues, where each line starts with a dash.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from demotic.documents.budget import Budget
from demotic.documents.charset import decoded, line_at
from demotic.documents.document import Languages, TextDocument
from demotic.documents.segment import Piece, Segment, Splice, Tag, matched
from demotic.errors import FormatError

__all__ = ["read_srt"]

_TIME = r"\d{1,3}:\d{1,2}:\d{1,2}[,.]\d{1,3}"
_TIMING = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\r\n]*(?:\r?\n|\Z)", re.M)
_CODE = re.compile(r"</?([A-Za-z]+)[^<>\r\n]*>|\{\\[^{}\r\n]*\}|\\[Nnh]")
_DASH = re.compile(r"^\s*[-–—]\s*")


def read_srt(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded = decoded(data, name)
    times = [match.span() for match in budget.each(_TIMING.finditer(text))]
    if not times and text.strip():
        first = len(text) - len(text.lstrip())
        raise FormatError(
            repr(text.strip().splitlines()[0][:40]),
            path=name,
            line=line_at(text, first),
            expected="subtitles with times such as 00:00:01,000 --> 00:00:03,500",
            advice="give the format with --file-format",
        )
    return TextDocument(text, encoded, list(_segments(text, times, budget)))


def _segments(text: str, times: Sequence[tuple[int, int]], budget: Budget) -> Iterator[Segment]:
    """`times` are the places of the lines with times."""
    ends = [begin for begin, _ in times[1:]]
    for (_, begin), end in zip(times, [*ends, len(text)], strict=False):
        block = text[begin:end].rstrip()
        above, _, last = block.rpartition("\n")
        if end < len(text) and last.strip().isdecimal():  # the number of the next subtitle
            block = above.rstrip()
        yield from _subtitle(text, begin, begin + len(block), budget)


def _subtitle(text: str, begin: int, end: int, budget: Budget) -> Iterator[Segment]:
    lines = [
        (begin + match.start(), begin + match.end())
        for match in budget.each(re.finditer(r"[^\r\n]+", text[begin:end]))
        if match[0].strip()
    ]
    newline = "\r\n" if "\r\n" in text[begin - 2 : end] else "\n"
    dashed = [bool(_DASH.match(text[one:other])) for one, other in lines]
    if len(lines) > 1 and all(dashed):
        for one, other in lines:
            yield _segment(text, [(one, other)], newline, budget)
    elif lines:
        yield _segment(text, lines, newline, budget)


def _segment(text: str, lines: list[tuple[int, int]], newline: str, budget: Budget) -> Segment:
    begin, end = lines[0][0], lines[-1][1]
    budget.segment(end - begin)
    dash = _DASH.match(text[begin:end])
    begin += dash.end() if dash else 0
    joined = " ".join([text[begin : lines[0][1]], *(text[a:b] for a, b in lines[1:])])
    pieces = matched(budget.each(_pieces(joined.strip())))
    return Segment(pieces, _writer(begin, end, len(lines), newline))


def _writer(
    begin: int, end: int, lines: int, newline: str
) -> Callable[[Sequence[Piece]], list[Splice]]:
    def write(pieces: Sequence[Piece]) -> list[Splice]:
        return [Splice(begin, end, (newline.join(wrapped(pieces, lines)),))]

    return write


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    for match in _CODE.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        if match[1]:
            kind = "close" if match[0].startswith("</") else "open"
            yield Tag(kind, match[0], match[1].lower(), fixed=False)  # type: ignore[arg-type]
        else:
            yield Tag("empty", match[0])
        at = match.end()
    if at < len(text):
        yield text[at:]


def wrapped(pieces: Sequence[Piece], lines: int) -> list[str]:
    """The text in at most so many lines of about equal width, not counting tags."""
    shown = "".join(piece if isinstance(piece, str) else "" for piece in pieces)
    raw = "".join(piece if isinstance(piece, str) else str(piece.code) for piece in pieces)
    # Where each visible character is in the raw text.
    places: list[int] = []
    at = 0
    for piece in pieces:
        size = len(piece) if isinstance(piece, str) else len(str(piece.code))
        places += range(at, at + size) if isinstance(piece, str) else []
        at += size
    spaces = [i for i, character in enumerate(shown) if character == " "]
    breaks: list[int] = []
    first = 0  # of the spaces after the last break
    for number in range(1, lines):
        if first == len(spaces):
            break
        wanted = len(shown) * number / lines
        at = max(first, bisect_right(spaces, wanted) - 1)  # the last one before that place
        if at + 1 < len(spaces) and spaces[at + 1] - wanted < abs(spaces[at] - wanted):
            at += 1
        breaks.append(spaces[at])
        first = at + 1
    cuts = [places[i] for i in breaks]
    return [
        raw[begin:end].strip()
        for begin, end in zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(raw)], strict=True)
    ]
