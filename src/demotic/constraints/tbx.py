"""Terms of TBX files: the old form (martif, termEntry, langSet, tig or ntig, term) and the new one
(tbx, conceptEntry, langSec, termSec, term).  Document types and entities are refused."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from xml.parsers import expat

from demotic.constraints.glossary import Entry, is_forbidden, primary_language
from demotic.errors import FormatError
from demotic.text.readers.charsets import is_text_charset

__all__ = ["read_tbx"]

_CONCEPTS = ("termEntry", "conceptEntry")
_LANGUAGES = ("langSet", "langSec")
_TERMS = ("tig", "ntig", "termSec")
_STATUS = ("administrativeStatus", "normativeAuthorization")
_MAX_DEPTH = 100
_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


@dataclass
class _Term:
    language: str
    text: str = ""
    status: str = ""


@dataclass
class _Concept:
    terms: list[_Term] = field(default_factory=list)
    note: str = ""


def read_tbx(data: bytes, name: str, source: str, target: str) -> Iterator[Entry]:
    """The pairs of terms of both languages in each concept. Raises FormatError."""
    if not (source and target):
        raise FormatError(
            "a TBX file for a model that does not know its languages",
            path=name,
            expected="source and target languages",
            advice="give them when the model is built: --src-lang and --tgt-lang",
        )
    for concept in _Reader(name).read(data):
        # Programs write empty terms for what is not translated yet.
        for one, other in product(filter(_has_text, concept.terms), repeat=2):
            if _is(one.language, source) and _is(other.language, target):
                # A deprecated source term still occurs in texts.
                status = other.status if is_forbidden(other.status) else ""
                yield Entry(one.text, other.text, concept.note, status)


def _has_text(term: _Term) -> bool:
    return bool(term.text)


def _is(tag: str, language: str) -> bool:
    return primary_language(tag) == primary_language(language)


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.EntityDeclHandler = self._refuse_entity
        self._depth = 0
        self._language = ""
        self._text: list[str] | None = None
        self._inside = 0  # depth of the element whose text is read; it may have others inside
        self._status = False
        self._concepts: list[_Concept] = []

    def read(self, data: bytes) -> list[_Concept]:
        try:
            self._parser.Parse(self._decoded(data), True)
        except expat.ExpatError as error:
            raise self._refused(expat.ErrorString(error.code), "well-formed XML") from None
        if not self._concepts:
            raise self._refused("no terms", "termEntry or conceptEntry elements")
        return self._concepts

    def _decoded(self, data: bytes) -> str:
        """The text, whose declaration Expat then ignores: it knows only encodings of one byte."""
        declared = _ENCODING.match(data.removeprefix(codecs.BOM_UTF8))
        charset = declared[1].decode("ascii") if declared else "utf-8"
        is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        if is_wide or b"\0" in data[:4]:
            has_mark = "" if is_wide else ("-be" if data[:1] == b"\0" else "-le")
            charset = f"utf-16{has_mark}"
        elif not is_text_charset(charset):
            raise self._refused(f"the encoding {charset[:40]!r}", "UTF-8")
        try:
            return data.decode(charset).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"malformed {charset}", path=self._name, line=line, expected=charset
            ) from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._refused("deeply nested elements", f"at most {_MAX_DEPTH} levels")
        name = tag.rpartition(" ")[2]
        if name in _CONCEPTS:
            self._concepts.append(_Concept())
        elif name in _LANGUAGES:
            xml = "http://www.w3.org/XML/1998/namespace lang"
            self._language = attributes.get(xml, attributes.get("lang", ""))
            self._check_language()
        elif name in _TERMS and self._concepts:
            self._concepts[-1].terms.append(_Term(self._language))
        if self._text is not None:
            return
        kind = attributes.get("type", "")
        # In the newest form the type is the name of the element.
        self._status = kind in _STATUS or name in _STATUS
        if name in ("term", "note") or self._status:
            self._text, self._inside = [], self._depth

    def _check_language(self) -> None:
        if not self._language.replace("-", "").replace("_", "").isalnum():
            raise self._refused(f"the language {self._language!r}", "xml:lang with a language code")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if self._text is None or self._depth >= self._inside:
            return
        text, self._text = " ".join("".join(self._text).split()), None
        if not self._concepts:
            return
        concept, name = self._concepts[-1], tag.rpartition(" ")[2]
        if name == "note":
            concept.note = concept.note or text
        elif concept.terms and name == "term":
            concept.terms[-1].text = text
        elif concept.terms and self._status:
            concept.terms[-1].status = text

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _refuse_doctype(self, *_: Any) -> None:
        raise self._refused("a document type", "a file without <!DOCTYPE ...>")

    def _refuse_entity(self, *_: Any) -> None:
        raise self._refused("an entity declaration", "a file without declarations")

    def _refused(self, found: str, expected: str) -> FormatError:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return FormatError(
            f"{found} at column {column}",
            path=self._name,
            line=line,
            expected=expected,
            advice="a <!DOCTYPE> line may be removed" if "document" in found else "",
        )
