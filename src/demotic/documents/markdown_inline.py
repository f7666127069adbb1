"""The text of a Markdown paragraph: emphasis, links, code and HTML become tags."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from demotic.documents.budget import Budget
from demotic.documents.segment import Piece, Span, Splice, Tag, matched

__all__ = ["Inline", "label"]

# All patterns look at each character a bounded number of times, whatever the text is.
_CODE = 2000  # characters of code or of a formula within a paragraph
_LABEL = 999  # characters of the name of a link, as in CommonMark
_HARD = "\ue000"  # a hard line break in joined text
_TOKEN = re.compile(
    rf"""(?P<escape>\\[!-/:-@\[-`{{-~])
    | (?P<opaque>(?<!`)(?P<ticks>`+)(?!`).{{1,{_CODE}}}?(?<!`)(?P=ticks)(?!`)
        | <(?:https?|ftp|mailto):[^\s<>]*> | <[^\s<>@]+@[^\s<>@]+>
        | https?://[^\s<>()\[\]"]*[^\s<>()\[\]".,;:!?'*_]
        | \[\^[^\[\]]+\] | <!--.*?(?:-->|\Z)
        | \$[^\s$](?:[^$]{{0,{_CODE}}}[^\s$])?\$(?!\d) | {_HARD})
    | </?(?P<tag>[A-Za-z][\w-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*+>
    | (?P<link>!?\[)
    | (?P<end>\](?:\((?:<[^<>]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)
        (?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)|\[[^\[\]]*\])?)
    | (?P<mark>\*{{1,3}}|_{{1,3}}|~~)
    | (?P<entity>&(?:[A-Za-z]+\d*|\#\d+|\#x[0-9A-Fa-f]+);)""",
    re.X | re.S,
)
_SPECIAL = re.compile(r"[\\`*\[\]]|<(?=[A-Za-z/!?])|(?<!\w)_|_(?!\w)|&(?=\#?\w+;)|~(?=~)")
_LINE_START = re.compile(r"(?=[#>+-])|(?<=\d)(?=[.)]\s)")
_VOID = ("br", "hr", "img", "input", "wbr")


def label(text: str) -> str:
    """How a link finds its definition."""
    return " ".join(text.lower().split())


class Inline:
    """One paragraph, heading, item or cell."""

    def __init__(
        self, text: str, lines: Sequence[tuple[int, int]], labels: set[str], *, cell: bool
    ) -> None:
        self._text, self._labels, self._cell = text, labels, cell
        # Each line of the joined text: where it begins there, and where in the document.
        self._starts: list[int] = []
        self._places: list[int] = []
        parts: list[str] = []
        size = 0
        for i, (begin, end) in enumerate(lines):
            part, place = self._line(begin, end, continued=i > 0, followed=i + 1 < len(lines))
            self._starts.append(size)
            self._places.append(place)
            parts.append(part)
            size += len(part)
        joined = "".join(parts)
        self._joined = joined.strip()
        self._skipped = len(joined) - len(joined.lstrip())

    def _line(self, begin: int, end: int, *, continued: bool, followed: bool) -> tuple[str, int]:
        """The line as part of the joined text, with what separates it from the following one, and
        its place."""
        if continued:  # without its indentation
            begin = end - len(self._text[begin:end].lstrip(" \t"))
        line = self._text[begin:end]
        kept = line.rstrip(" \t")
        hard = followed and (line.endswith("  ") or kept.endswith("\\"))
        kept = kept.removesuffix("\\") if hard else kept
        return kept + ((_HARD if hard else " ") if followed else ""), begin

    def _place(self, at: int) -> int:
        """Where a character of the joined text is in the document."""
        at += self._skipped
        line = bisect_right(self._starts, at) - 1
        return self._places[line] + at - self._starts[line]

    def _end(self, at: int) -> int:
        """Where the character before this place of the joined text ends: a separator of lines ends
        where the following line begins."""
        last = at - 1 + self._skipped
        line = bisect_right(self._starts, last) - 1
        if line + 1 < len(self._starts) and last + 1 == self._starts[line + 1]:
            return self._places[line + 1]
        return self._places[line] + last + 1 - self._starts[line]

    def pieces(self, budget: Budget) -> tuple[Piece, ...]:
        return matched(_merged(budget.each(self._pieces())))

    def write(self, pieces: Sequence[Piece]) -> list[Splice]:
        parts: list[str | Span] = []
        for piece in pieces:
            code = self._escaped(piece, not parts) if isinstance(piece, str) else piece.code
            parts.append(code)
        return [Splice(self._place(0), self._end(len(self._joined)), tuple(parts))]

    def _escaped(self, text: str, first: bool) -> str:
        text = _SPECIAL.sub(lambda match: "\\" + match[0], text)
        if self._cell:
            return text.replace("|", "\\|")
        return (
            _LINE_START.sub(r"\\", text[:12], count=1) + text[12:]
            if (first and re.match(r"[#>+-](?=[\s#]|$)|\d{1,9}[.)]\s", text))
            else text
        )

    def _span(self, match: re.Match[str]) -> Span:
        return Span(self._place(match.start()), self._end(match.end()))

    def _pieces(self) -> Iterator[Piece]:
        at = 0
        open_links: list[int] = []
        open_marks: list[str] = []
        for match in _TOKEN.finditer(self._joined):
            yield self._joined[at : match.start()]
            at = match.end()
            if match["escape"]:
                yield match[0][1]
            elif match["entity"]:
                yield html.unescape(match[0])
            elif match["mark"]:
                yield self._mark(match, open_marks)
            elif match["link"]:
                open_links.append(match.end())
                yield Tag("open", self._span(match), "link", fixed=False)
            elif match["end"]:
                yield self._link_end(match, open_links)
            else:
                yield self._html(match)
        yield self._joined[at:]

    def _html(self, match: re.Match[str]) -> Tag:
        name = (match["tag"] or "").lower()
        if match["opaque"] or match[0].endswith("/>") or name in _VOID:
            return Tag("empty", self._span(match))
        kind = "close" if match[0].startswith("</") else "open"
        return Tag(kind, self._span(match), f"<{name}>", fixed=False)  # type: ignore[arg-type]

    def _link_end(self, match: re.Match[str], open_links: list[int]) -> Piece:
        if not open_links:
            return match[0] if match[0] == "]" else Tag("empty", self._span(match))
        begin = open_links.pop()
        code: str | Span = self._span(match)
        if match[0] not in ("]", "[]", "][]") or match.start() - begin > _LABEL:
            return Tag("close", code, "link", fixed=False)
        shown = self._joined[begin : match.start()]
        if label(shown) in self._labels:
            code = f"][{shown}]"  # the definition is found by the text that gets translated
        return Tag("close", code, "link", fixed=False)

    def _mark(self, match: re.Match[str], open_: list[str]) -> Piece:
        before = self._joined[match.start() - 1 : match.start()]
        after = self._joined[match.end() : match.end() + 1]
        inside_word = match[0][0] == "_" and before.isalnum() and after.isalnum()
        opens = bool(after.strip()) and not inside_word
        closes = bool(before.strip()) and not inside_word
        if closes and match[0] in open_:
            del open_[open_.index(match[0]) :]
            return Tag("close", self._span(match), match[0], fixed=False)
        if opens and self._joined.find(match[0], match.end()) >= 0:
            if match[0] not in open_:
                open_.append(match[0])
            return Tag("open", self._span(match), match[0], fixed=False)
        return match[0]


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbouring texts as one."""
    held = ""
    for piece in pieces:
        if isinstance(piece, str):
            held += piece
            continue
        if held:
            yield held
        held = ""
        yield piece
    if held:
        yield held
