"""Moses' XML words: translations and orders written into the text.

    das ist <np translation="a house||a home" prob="0.8||0.2">ein haus</np> <wall/> und
    <zone> ... </zone>

`read_xml` cuts a line into the text between tags and what they ask for.  Nothing can be declared or
expanded: document types and entities other than those of XML and Moses are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from demotic.errors import FormatError
from demotic.text.escape import unescape

__all__ = ["MarkedLine", "XmlInput", "XmlWish", "read_xml"]

XmlInput = Literal["exclusive", "inclusive", "constraint", "ignore", "pass-through"]

_NAME = r"[A-Za-z_][\w.:-]*"
_ATTRIBUTES = rf"""(?:\s+{_NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*"""
_TAG = re.compile(rf"<(?:(/)({_NAME})\s*|({_NAME})({_ATTRIBUTES})\s*(/?))>")
_ATTRIBUTE = re.compile(rf"""({_NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_KNOWN = re.compile(r"&(?:amp|lt|gt|quot|apos|bar|bra|ket|#124|#91|#93);")
_ENTITY = re.compile(r"&#?\w+;")
_ADVICE = "write &lt; for a sign, or omit --xml-input if the line is text"


class XmlWish(NamedTuple):
    """What a tag asks for the pieces begin to end."""

    begin: int
    end: int
    kind: Literal["options", "wall", "zone"]
    targets: tuple[tuple[str, float], ...] = ()  # with natural log probabilities
    column: int = 0


@dataclass(frozen=True)
class MarkedLine:
    """The text between tags, and what they ask for."""

    pieces: tuple[str, ...]
    wishes: tuple[XmlWish, ...] = ()

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class _Open(NamedTuple):
    name: str
    piece: int
    attributes: dict[str, str]
    column: int


def read_xml(
    text: str,
    *,
    line: int = 1,
    name: str = "the text",
    decode: tuple[bool, bool] = (True, True),
) -> MarkedLine:
    """Raises FormatError with line and column for markup that is not well-formed.

    `decode`: whether entities of the text and of translations are read, or are part of tokens.
    """
    return _Reader(text, line, name, decode).read()


class _Reader:
    def __init__(self, text: str, line: int, name: str, decode: tuple[bool, bool]) -> None:
        self._text, self._line, self._name = text, line, name
        self._decode_text, self._decode_targets = decode
        self._pieces: list[str] = []
        self._wishes: list[XmlWish] = []
        self._open: list[_Open] = []

    def read(self) -> MarkedLine:
        if "<" not in self._text and "&" not in self._text:
            return MarkedLine((self._text,) if self._text else ())
        for at, tag in self._parts():
            piece = self._text[at : tag.start() if tag else None]
            self._pieces.append(self._checked(piece, at, decode=self._decode_text))
            if tag:
                self._tag(tag)
        if self._open:
            last = self._open[-1]
            raise self._refused(last.column, f"<{last.name}> without an end", f"</{last.name}>")
        return MarkedLine(tuple(self._pieces), tuple(self._wishes))

    def _parts(self) -> Iterator[tuple[int, re.Match[str] | None]]:
        at = 0
        while (sign := self._text.find("<", at)) >= 0:
            tag = _TAG.match(self._text, sign)
            if not tag:
                found = self._text[sign : sign + 20]
                raise self._refused(sign, repr(found), "a tag with quoted attributes")
            yield at, tag
            at = tag.end()
        yield at, None

    def _tag(self, tag: re.Match[str]) -> None:
        end, closed, opened, attributes, empty = tag.groups()
        if end:
            self._close(closed, tag.start())
            return
        values = self._attributes(attributes, tag.start(4))
        here = _Open(opened, len(self._pieces), values, tag.start())
        if opened == "wall":
            if not empty:
                raise self._refused(tag.start(), "<wall>", "<wall/>")
            self._wishes.append(XmlWish(here.piece, here.piece, "wall", (), here.column))
        elif empty:
            raise self._refused(tag.start(), tag[0][:40], "words between a start and an end tag")
        else:
            self._open.append(here)

    def _close(self, name: str, at: int) -> None:
        if not self._open or self._open[-1].name != name:
            expected = f"</{self._open[-1].name}>" if self._open else "a start tag before it"
            raise self._refused(at, f"</{name}>", expected)
        begun = self._open.pop()
        span = begun.piece, len(self._pieces)
        if not "".join(self._pieces[slice(*span)]).strip():
            raise self._refused(begun.column, f"<{name}> without words", "words to translate")
        if name == "zone":
            self._wishes.append(XmlWish(*span, "zone", (), begun.column))
            return
        if any(one.kind == "options" and one.begin >= span[0] for one in self._wishes):
            raise self._refused(begun.column, f"<{name}> around translations", "one translation")
        self._wishes.append(XmlWish(*span, "options", self._targets(begun), begun.column))

    def _targets(self, tag: _Open) -> tuple[tuple[str, float], ...]:
        written = tag.attributes.get("translation", tag.attributes.get("english"))
        if written is None:
            raise self._refused(tag.column, f"<{tag.name}>", 'translation="..."')
        texts = [text.strip() for text in written.split("||")]
        if not all(texts):
            raise self._refused(tag.column, "an empty translation", "words")
        if "prob" not in tag.attributes:
            return tuple((text, 0.0) for text in texts)
        values = tag.attributes["prob"].split("||")
        if len(values) != len(texts):
            found = f"{len(values)} probabilities of {len(texts)} translations"
            raise self._refused(tag.column, found, "one per translation")
        logs = [self._log(value, tag.column) for value in values]
        return tuple(zip(texts, logs, strict=True))

    def _log(self, text: str, at: int) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value <= 1:
            raise self._refused(at, f"the probability {text!r}", "a number above 0 and up to 1")
        return math.log(value)

    def _attributes(self, text: str, at: int) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in _ATTRIBUTE.finditer(text):
            if one[1] in found:
                raise self._refused(at + one.start(), f"{one[1]} twice", "each attribute once")
            value = one[2] if one[2] is not None else one[3]
            place = at + one.start()
            found[one[1]] = self._checked(value, place, decode=self._decode_targets)
        return found

    def _checked(self, text: str, at: int, *, decode: bool) -> str:
        for entity in _ENTITY.finditer(text):
            if not _KNOWN.fullmatch(entity[0]):
                raise self._refused(at + entity.start(), entity[0], "&lt; &gt; &amp; &quot; &apos;")
        return unescape(text) if decode else text

    def _refused(self, at: int, found: str, expected: str) -> FormatError:
        return FormatError(
            f"{found} at column {at + 1}",
            path=self._name,
            line=self._line,
            expected=expected,
            advice=_ADVICE,
        )
