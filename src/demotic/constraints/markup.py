"""Reads text with tags: HTML, or the inline elements of an XLIFF segment.

The text is cut into tags and runs of characters.  HTML is read as browsers do: what is no tag is
text.  An XLIFF segment must be well-formed; entities other than the five of XML and character
references are refused, and so are document types, so that nothing can expand.  Programs also send
plain text with tags: there nothing but a complete tag is markup.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from demotic.errors import FormatError

__all__ = ["TEXT_TAG", "AnyFormat", "Format", "Piece", "escaped", "pieces_of"]

Format = Literal["text", "html", "xliff-inline"]
AnyFormat = Literal[Format, "text-with-tags"]

# What happens at a piece: characters to translate, or a tag.  "break" ends a segment, "opaque" is
# markup whose content is not translated.
PieceKind = Literal["text", "open", "close", "empty", "break", "opaque"]

# What is unterminated ends with the text, as in browsers; looking for its end from every sign that
# may begin it would take quadratic time.
_TAG = re.compile(
    r"""<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<[!?][^>]*(?:>|\Z)"""
    r"""|</?[a-zA-Z_](?:[^<>"']|"[^"]*"|'[^']*')*+>""",
    re.DOTALL,
)
TEXT_TAG = re.compile(
    r"""</?[A-Za-z_][\w.:-]*+(?:\s++[\w.:-]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+/?>"""
)
"""A tag in plain text: unlike in HTML all attributes have quoted values."""
_NAME = re.compile(r"</?([^\s/>]+)")
_UNTRANSLATED = re.compile(
    r"""\s(?:translate\s*=\s*["']?no\b|class\s*=\s*["'][^"']*\bnotranslate\b)""", re.IGNORECASE
)
_XML_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_XML = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

_BLOCKS = frozenset(
    "address article aside blockquote body br button caption center col colgroup dd details dialog "
    "dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head "
    "header hr html iframe legend li link main menu meta nav noscript ol optgroup option p pre "
    "search section select summary table tbody td tfoot th thead title tr ul".split()
)
_OPAQUE = frozenset("script style textarea svg math object code kbd samp var".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# XLIFF elements whose content is code of the original document, not text.
_CODES = frozenset("bpt ept ph it ut".split())


@dataclass(frozen=True)
class Piece:
    """Characters (with their entities read) or a tag as it is written."""

    kind: PieceKind
    text: str
    name: str = ""  # of a tag
    written: str = ""  # text as it is in the document


def pieces_of(text: str, form: AnyFormat) -> list[Piece]:
    """Raises FormatError for a segment of XLIFF that is not well-formed."""
    if form == "text":
        return [Piece("text", text)] if text else []
    if form == "text-with-tags":
        pieces = _matched(list(_plain(text)), strict=False, text=text)
        return [_alone(pieces, i) for i in range(len(pieces))]
    found = list(_html(text) if form == "html" else _xliff(text))
    return _matched(found, strict=form != "html", text=text)


def escaped(text: str, form: AnyFormat) -> str:
    """Translated characters as they are written in the format."""
    return html.escape(text, quote=False) if form in ("html", "xliff-inline") else text


def _cut(text: str, tags: re.Pattern[str] = _TAG) -> Iterator[tuple[int, str, bool]]:
    """Position, characters, and whether they are a tag."""
    end = 0
    for tag in tags.finditer(text):
        if tag.start() > end:
            yield end, text[end : tag.start()], False
        yield tag.start(), tag[0], True
        end = tag.end()
    if end < len(text):
        yield end, text[end:], False


def _html(text: str) -> Iterator[Piece]:
    return _collapsed(_html_piece(part, is_tag) for _, part, is_tag in _cut(text))


def _html_piece(part: str, is_tag: bool) -> Piece:
    if not is_tag:
        return Piece("text", html.unescape(part), written=part)
    named = _NAME.match(part)
    if not named:
        return Piece("empty", part)
    name = named[1].lower()
    if name in _BLOCKS:
        return Piece("break", part, name)
    if part.startswith("</"):
        return Piece("close", part, name)
    if name in _VOID or part.endswith("/>"):
        return Piece("empty", part, name)
    opaque = name in _OPAQUE or _UNTRANSLATED.search(part) is not None
    return Piece("opaque" if opaque else "open", part, name)


def _xliff(text: str) -> Iterator[Piece]:
    return _collapsed(_xliff_piece(text, *one) for one in _cut(text))


def _xliff_piece(text: str, at: int, part: str, is_tag: bool) -> Piece:
    if not is_tag:
        if "<" in part:
            place = part.index("<")
            raise _malformed(text, at + place, part[place : place + 20], "a tag, or &lt;")
        return Piece("text", _decoded(text, at, part), written=part)
    named = _NAME.match(part)
    if not named or part.startswith(("<!", "<?")):
        raise _malformed(text, at, part[:20], "inline elements only")
    if part.endswith("/>"):
        return Piece("empty", part, named[1])
    if part.startswith("</"):
        return Piece("close", part, named[1])
    return Piece("opaque" if named[1] in _CODES else "open", part, named[1])


def _plain(text: str) -> Iterator[Piece]:
    for _, part, is_tag in _cut(text, TEXT_TAG):
        named = _NAME.match(part)
        if not is_tag or not named:
            yield Piece("text", part, written=part)
        elif part.endswith("/>"):
            yield Piece("empty", part, named[1])
        else:
            yield Piece("close" if part.startswith("</") else "open", part, named[1])


def _alone(pieces: Sequence[Piece], i: int) -> Piece:
    """A single tag with spaces around it stands for a word."""
    if pieces[i].kind != "empty":
        return pieces[i]
    before = pieces[i - 1].text[-1:] if i > 0 else ""
    after = pieces[i + 1].text[:1] if i + 1 < len(pieces) else ""
    if before.strip() or after.strip():
        return pieces[i]
    return replace(pieces[i], kind="opaque", written=pieces[i].text)


def _collapsed(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """An element whose content is not translated becomes one piece."""
    name, depth, held = "", 0, ""
    for piece in pieces:
        if not name and piece.kind != "opaque":
            yield piece
            continue
        held += piece.written or piece.text
        name = name or piece.name
        if piece.name == name and piece.kind in ("open", "opaque", "close"):
            depth += -1 if piece.kind == "close" else 1
        if depth == 0:
            yield Piece("opaque", held, name)
            name, held = "", ""
    if held:
        yield Piece("opaque", held, name)


def _decoded(text: str, at: int, part: str) -> str:
    def character(entity: re.Match[str]) -> str:
        named, decimal, hexadecimal = entity.groups()
        if named:
            return _XML[named]
        number = int(decimal) if decimal else int(hexadecimal, 16)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000 or number == 0:
            raise _malformed(text, at + entity.start(), entity[0], "a character")
        return chr(number)

    rest = _XML_ENTITY.sub("", part)
    if "&" in rest:
        signs = (sign.start() for sign in re.finditer("&", part))
        place = next(sign for sign in signs if not _XML_ENTITY.match(part, sign))
        raise _malformed(text, at + place, part[place : place + 20], "an entity of XML: &amp; &lt;")
    return _XML_ENTITY.sub(character, part)


def _matched(pieces: list[Piece], *, strict: bool, text: str) -> list[Piece]:
    """Tags without a partner in their segment become empty ones, or are refused."""
    lone: set[int] = set()
    open_: list[int] = []
    names: Counter[str] = Counter()  # of open tags
    for i, piece in enumerate(pieces):
        if piece.kind == "open":
            open_.append(i)
            names[piece.name] += 1
        elif piece.kind == "break":
            lone.update(open_)
            open_.clear()
            names.clear()
        elif piece.kind == "close" and not names[piece.name]:
            lone.add(i)
        elif piece.kind == "close":
            while pieces[last := open_.pop()].name != piece.name:  # crosses this pair
                lone.add(last)
                names[pieces[last].name] -= 1
            names[piece.name] -= 1
    lone.update(open_)
    if strict and lone:
        first = pieces[min(lone)].text
        raise _malformed(text, text.find(first), first, "start and end tags that match")
    return [replace(piece, kind="empty") if i in lone else piece for i, piece in enumerate(pieces)]


def _malformed(text: str, at: int, found: str, expected: str) -> FormatError:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return FormatError(
        f"{found!r} at column {column}", path="the text", line=line, expected=expected
    )
