"""Markdown: headings, paragraphs, items and cells of tables; everything else is left alone.

Left alone are code, front matter, formulas, HTML blocks and link definitions.  The lines of a
paragraph become one line.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from demotic.documents.budget import Budget
from demotic.documents.charset import decoded
from demotic.documents.document import Languages, TextDocument
from demotic.documents.markdown_inline import Inline, label
from demotic.documents.segment import Segment, has_words

__all__ = ["read_markdown"]

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_QUOTES = re.compile(r"(?:[ \t]{0,3}>[ \t]?)*+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,}|\$\$)")
_RULE = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}+|(?:-[ \t]*)++|(?:_[ \t]*){3,}+|=++)[ \t]*")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]+|$)")
_HEADING_ID = re.compile(r"\{[#.][^{}]*\}\Z")
_DEFINITION = re.compile(r"[ \t]{0,3}\[(?!\^)([^\[\]]+)\]:[ \t]*\S")
_NOTE = re.compile(r"[ \t]{0,3}\[\^[^\[\]]+\]:[ \t]*")
_HTML = re.compile(r"[ \t]{0,3}<(?:!--|[!?]|/?(?!(?:https?|mailto):)[A-Za-z][\w-]*(?:[\s/>]|$))")
_INLINE_HTML = re.compile(
    r"\s*</?(?:a|abbr|b|br|cite|code|del|em|i|img|ins|kbd|mark|q|small|span|strong|su[bp]|[su])\b",
    re.I,
)
_DIVIDER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*")
_CELL = re.compile(r"(?:\\.|`[^`]*`|[^|\\])++")


def read_markdown(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded = decoded(data, name)
    return TextDocument(text, encoded, list(_Blocks(text, budget).segments()))


class _Blocks:
    """Reads line by line; the lines of an open paragraph are kept as their places."""

    def __init__(self, text: str, budget: Budget) -> None:
        self._text = text
        self._budget = budget
        self._lines = [match.span(1) for match in budget.each(_LINE.finditer(text))]
        found = (_DEFINITION.match(text, *place) for place in self._lines)
        self._labels = {label(match[1]) for match in found if match}
        self._paragraph: list[tuple[int, int]] = []
        self._indent = 0  # where the text of the last item begins
        self._after_blank = True

    def segments(self) -> Iterator[Segment]:
        i = self._front_matter()
        while i < len(self._lines):
            begin, end = self._lines[i]
            begin = self._match(_QUOTES, begin, end) or begin
            if not self._text[begin:end].strip():
                yield from self._flush()
                self._after_blank = True
                i += 1
                continue
            skipped = self._left_alone(i, begin, end)
            if skipped > i:
                yield from self._flush()
                i = skipped
            elif self._is_table(i, begin, end):
                yield from self._flush()
                i = yield from self._table(i)
            else:
                yield from self._text_line(begin, end)
                i += 1
            self._after_blank = False
        yield from self._flush()

    def _match(self, pattern: re.Pattern[str], begin: int, end: int) -> int:
        """The end of the pattern at this place; 0 if it is not there."""
        match = pattern.match(self._text, begin, end)
        return match.end() if match else 0

    def _front_matter(self) -> int:
        first = self._text[slice(*self._lines[0])]
        if first not in ("---", "+++"):
            return 0
        for i in range(1, len(self._lines)):
            if self._text[slice(*self._lines[i])].rstrip() == first:
                return i + 1
        return 0

    def _left_alone(self, i: int, begin: int, end: int) -> int:
        """The line after a block that is not translated; i if there is none."""
        fence = _FENCE.match(self._text, begin, end)
        if fence and not (fence[1] == "$$" and self._text.count("$$", begin, end) > 1):
            return self._after_fence(i, fence[1])
        if _RULE.fullmatch(self._text, begin, end) or self._match(_DEFINITION, begin, end):
            return i + 1
        line = self._text[begin:end].expandtabs(4)
        indent = len(line) - len(line.lstrip())
        if self._after_blank and indent >= self._indent + 4:
            return i + 1
        is_html = self._match(_HTML, begin, end) and not self._match(_INLINE_HTML, begin, end)
        return self._after_html(i, begin) if is_html and not self._paragraph else i

    def _after_fence(self, i: int, fence: str) -> int:
        for j in range(i + 1, len(self._lines)):
            line = self._text[slice(*self._lines[j])].lstrip(" \t>").rstrip()
            if line.startswith(fence) and not line.strip(fence[0]):
                return j + 1
            if fence == "$$" and line.endswith("$$"):
                return j + 1
        return len(self._lines)

    def _after_html(self, i: int, begin: int) -> int:
        comment = self._text[begin : begin + 8].lstrip().startswith("<!--")
        for j in range(i, len(self._lines)):
            line = self._text[slice(*self._lines[j])]
            if comment and "-->" in line:
                return j + 1
            if not comment and not line.strip():
                return j
        return len(self._lines)

    def _text_line(self, begin: int, end: int) -> Iterator[Segment]:
        heading = self._match(_HEADING, begin, end)
        if heading:
            yield from self._flush()
            yield from self._segment([(heading, self._heading_end(heading, end))])
            return
        marker = self._match(_NOTE, begin, end)
        item = begin
        while found := self._match(_ITEM, item, end):
            item = marker = found
        if marker:
            yield from self._flush()
            self._indent = marker - begin
        elif self._after_blank and self._text[begin] not in " \t":
            self._indent = 0
        self._paragraph.append((marker or begin, end))

    def _heading_end(self, begin: int, end: int) -> int:
        """Without `#` and the name after the text."""
        text = self._text[begin:end].rstrip(" \t")
        name = _HEADING_ID.search(text)
        if name:
            text = text[: name.start()].rstrip(" \t")
        plain = text.rstrip("#")
        if plain.endswith((" ", "\t")):
            text = plain.rstrip(" \t")
        return begin + len(text)

    def _flush(self) -> Iterator[Segment]:
        lines, self._paragraph = self._paragraph, []
        if lines:
            yield from self._segment(lines)

    def _segment(self, lines: list[tuple[int, int]], *, cell: bool = False) -> Iterator[Segment]:
        self._budget.segment(lines[-1][1] - lines[0][0])
        inline = Inline(self._text, lines, self._labels, cell=cell)
        pieces = inline.pieces(self._budget)
        if has_words(pieces):
            yield Segment(pieces, inline.write)

    def _is_table(self, i: int, begin: int, end: int) -> bool:
        if i + 1 >= len(self._lines) or "|" not in self._text[begin:end]:
            return False
        following = self._text[slice(*self._lines[i + 1])].lstrip("> ")
        return "|" in following and _DIVIDER.fullmatch(following) is not None

    def _table(self, i: int) -> Generator[Segment, None, int]:
        first = i
        while i < len(self._lines):
            begin, end = self._lines[i]
            begin = self._match(_QUOTES, begin, end) or begin
            if not self._text[begin:end].strip() or "|" not in self._text[begin:end]:
                break
            if i != first + 1:
                for cell in _CELL.finditer(self._text, begin, end):
                    yield from self._segment([cell.span()], cell=True)
            i += 1
        return i
