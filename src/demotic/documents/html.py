"""HTML: text between block tags, with inline tags kept; also alt, title and similar attributes.

Scripts, styles, preformatted text and everything with translate="no" or class="notranslate" is
left alone; code within a sentence is one tag.  The language of the document becomes the target.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence

from demotic.documents.budget import Budget
from demotic.documents.charset import decoded
from demotic.documents.document import Languages, TextDocument
from demotic.documents.markup import Attribute, Markup, attributes_of, tokens_of
from demotic.documents.segment import Piece, Segment, Span, Splice, Tag, has_words, matched

__all__ = ["read_html"]

_INLINE = frozenset(
    """a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark
    math meter output q rp rt ruby s samp small span strike strong sub sup svg time tt u var wbr
    """.split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_LEFT_ALONE = frozenset("code kbd math pre samp script style svg template textarea var".split())
_OPTIONAL_END = frozenset("dd dt li option p td th tr".split())
_RAW = frozenset({"script", "style", "textarea"})
_ATTRIBUTES = ("alt", "title", "placeholder", "aria-label", "label")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.I)
_HEAD_BYTES = 4096


def read_html(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded = decoded(data, name, _declared_charset(data), references=True)
    reader = _Reader(text, languages, budget)
    return TextDocument(text, encoded, reader.segments(), reader.more)


def _declared_charset(data: bytes) -> str:
    """That of <meta charset=...>, or of <meta http-equiv=content-type content=...>."""
    head = data[:_HEAD_BYTES].decode("latin-1")
    for token in _without_raw_text(head):
        if token.name != "meta":
            continue
        given = attributes_of(head, token)
        if "charset" in given:
            return given["charset"].value
        if "content" in given and "http-equiv" in given:
            declared = _CHARSET.search(given["content"].value)
            if declared and given["http-equiv"].value.lower() == "content-type":
                return declared[1]
    return ""


def text_pieces(text: str) -> str:
    """Text without entities, with white space collapsed."""
    return re.sub(r"[ \t\r\n\f]+", " ", html.unescape(text))


def escaped_parts(pieces: Sequence[Piece]) -> tuple[str | Span, ...]:
    parts: list[str | Span] = []
    for piece in pieces:
        code = piece if isinstance(piece, str) else piece.code
        parts.append(code if isinstance(code, Span) else html.escape(code, quote=False))
    return tuple(parts)


class _Reader:
    def __init__(self, text: str, languages: Languages, budget: Budget) -> None:
        self._text = text
        self._languages = languages
        self._budget = budget
        self._tokens = budget.each(_without_raw_text(text))
        self._pushed_back: Markup | None = None
        self._run: list[Piece] = []
        self._run_begin = 0
        self._at = 0  # everything before is in the run or done
        self._found: list[Segment] = []
        self.more: list[Splice] = []

    def segments(self) -> list[Segment]:
        while (token := self._next()) is not None:
            self._text_up_to(token.begin)
            end = self._end(token)
            protected = end > token.end
            if token.name in _INLINE or not token.name:
                self._inline(token, end, protected)
            else:
                self._finish_run(token.begin)
                self._run_begin = end
            self._at = end
            if not protected and not token.closing and token.name:
                self._attributes(token)
        self._text_up_to(len(self._text))
        self._finish_run(len(self._text))
        return self._found

    def _text_up_to(self, end: int) -> None:
        if end > self._at:
            self._budget.text(end - self._at)
            self._run.append(text_pieces(self._text[self._at : end]))
            self._at = end

    def _inline(self, token: Markup, end: int, protected: bool) -> None:
        place = Span(token.begin, end)
        if not token.name or protected or token.empty or token.name in _VOID:
            self._run.append(Tag("empty", place))
        else:
            kind = "close" if token.closing else "open"
            self._run.append(Tag(kind, place, token.name, fixed=False))  # type: ignore[arg-type]

    def _next(self) -> Markup | None:
        token, self._pushed_back = self._pushed_back, None
        return token or next(self._tokens, None)

    def _end(self, token: Markup) -> int:
        """The end of a token, or of the element that is left alone, whose tokens are skipped."""
        if token.closing or token.empty or not token.name or token.name in _VOID:
            return token.end
        if token.name not in _LEFT_ALONE and not self._is_protected(token):
            return token.end
        depth = 1
        while (other := self._next()) is not None:
            if other.empty or not other.name or other.name in _VOID:
                continue
            if token.name in _OPTIONAL_END and _implies_end(token, other, depth):
                self._pushed_back = other
                return other.begin
            if other.name == token.name or token.name in _OPTIONAL_END:
                depth += -1 if other.closing else 1
            if depth == 0:
                return other.end
        return len(self._text)

    def _is_protected(self, token: Markup) -> bool:
        if token.end - token.begin <= len(token.name) + 2:
            return False
        given = attributes_of(self._text, token)
        if "translate" in given:
            return given["translate"].value.lower() == "no"
        return "class" in given and "notranslate" in given["class"].value.split()

    def _finish_run(self, end: int) -> None:
        """The text since the last block tag; white space at its ends stays where it is."""
        begin, pieces = self._run_begin, self._run
        self._run = []
        if not has_words(pieces):
            return
        raw = self._text[begin:end]
        begin += len(raw) - len(raw.lstrip())
        end -= len(raw) - len(raw.rstrip())

        def write(target: Sequence[Piece]) -> list[Splice]:
            return [Splice(begin, end, escaped_parts(target))]

        self._budget.segment(end - begin)
        self._found.append(Segment(matched(_stripped(pieces)), write))

    def _attributes(self, token: Markup) -> None:
        given = attributes_of(self._text, token)
        names = list(_ATTRIBUTES)
        kind = given["name"].value.lower() if "name" in given else ""
        if token.name == "meta" and kind in ("description", "keywords"):
            names.append("content")
        if (
            token.name == "input"
            and "type" in given
            and given["type"].value in ("submit", "button")
        ):
            names.append("value")
        for name in names:
            if name in given and given[name].quoted:
                self._attribute(given[name])
        lang = given.get("lang")
        if token.name == "html" and lang and lang.value and self._languages.target:
            self.more.append(Splice(lang.begin, lang.end, (self._languages.target,)))

    def _attribute(self, place: Attribute) -> None:
        pieces = (text_pieces(place.value).strip(),)
        if has_words(pieces):
            self._budget.segment(len(pieces[0]))
            self._found.append(Segment(pieces, _attribute_writer(place)))


def _implies_end(token: Markup, other: Markup, depth: int) -> bool:
    """Whether a tag ends the element although its own end tag is missing."""
    if depth != 1:
        return False
    return other.name != token.name if other.closing else other.name == token.name


def _attribute_writer(place: Attribute) -> Callable[[Sequence[Piece]], list[Splice]]:
    def write(target: Sequence[Piece]) -> list[Splice]:
        text = "".join(piece for piece in target if isinstance(piece, str))
        return [Splice(place.begin, place.end, (html.escape(text),))]

    return write


def _stripped(pieces: Sequence[Piece]) -> list[Piece]:
    """Without white space at both ends."""
    found = [piece for piece in pieces if piece != ""]
    if found and isinstance(found[0], str):
        found[0] = found[0].lstrip()
    if found and isinstance(found[-1], str):
        found[-1] = found[-1].rstrip()
    return [piece for piece in found if piece != ""]


def _without_raw_text(text: str) -> Iterator[Markup]:
    """The tags, except what looks like one inside scripts and the like."""
    raw = ""
    for token in tokens_of(text):
        if not raw or (token.closing and token.name == raw):
            yield token
            raw = token.name if token.name in _RAW and not token.closing else ""
