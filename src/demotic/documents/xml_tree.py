"""XML as a tree of elements with their places in the text; nothing external is ever loaded.

Entities, declarations inside a DOCTYPE, excessive nesting and unknown encodings are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from demotic.documents.budget import Budget
from demotic.documents.charset import Encoded, decoded
from demotic.errors import FormatError

__all__ = ["Element", "Other", "Text", "escaped", "read_xml", "with_attributes"]

_MAX_DEPTH = 256
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")
_TAG_END = re.compile(r"""(?:[^>"']++|"[^"]*"|'[^']*')*+>""")
_MAX_TAG = 1 << 18  # characters; the parser needs a hundred times as much memory
_LONG = re.compile(rf"<[^<!?][^<]{{{_MAX_TAG}}}")  # a tag with the text after it
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REPAIR = "correct the file; xmllint lists all its errors"


@dataclass(frozen=True, slots=True)
class Text:
    """Characters without escapes, as the parser passed them on."""

    parts: list[str]

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(frozen=True, slots=True)
class Other:
    """A comment or a processing instruction."""

    begin: int
    end: int


@dataclass(slots=True)
class Element:
    """<name> is from begin to open_end, </name> from close_begin to end; equal for <name/>."""

    name: str  # without prefix; empty in other namespaces than that of the root
    attributes: dict[str, str]  # "namespace name" if they have a prefix
    begin: int
    open_end: int
    close_begin: int = -1
    end: int = -1
    children: list[Element | Text | Other] = field(default_factory=list)

    def elements(self, *names: str) -> Iterator[Element]:
        """The children with one of the names."""
        for child in self.children:
            if isinstance(child, Element) and child.name in names:
                yield child

    def first(self, name: str) -> Element | None:
        return next(self.elements(name), None)


def read_xml(data: bytes, name: str, budget: Budget, *roots: str) -> tuple[str, Encoded, Element]:
    """The text, its encoding and its outermost element, which must be one of `roots`."""
    declared = _ENCODING.match(data.removeprefix(b"\xef\xbb\xbf"))
    charset = declared[1].decode("ascii") if declared else ""
    text, encoded = decoded(data, name, charset, references=True)
    root = _TreeBuilder(text, name, budget).root()
    if root.name not in roots:
        raise FormatError(
            f"<{root.name[:40]}>",
            path=name,
            line=text.count("\n", 0, root.begin) + 1,
            expected=f"<{'> or <'.join(roots)}> as root element",
            advice="give the format with --file-format",
        )
    return text, encoded, root


def escaped(text: str) -> str:
    """Text as the content of an element."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _ILLEGAL.sub(" ", text)


def with_attributes(tag: str, values: dict[str, str]) -> str:
    """A start tag with attributes added or replaced."""
    for name, value in values.items():
        given = re.compile(rf"""(\s){re.escape(name)}\s*=\s*("[^"]*"|'[^']*')""")
        attribute = f'{name}="{escaped(value).replace(chr(34), "&quot;")}"'
        match = given.search(tag)
        if match:
            tag = f"{tag[: match.start()]}{match[1]}{attribute}{tag[match.end() :]}"
        else:
            close = -2 if tag.endswith("/>") else -1
            tag = f"{tag[:close].rstrip()} {attribute}{tag[close:]}"
    return tag


_NONE: dict[str, str] = {}  # the attributes of most elements


class _TreeBuilder:
    def __init__(self, text: str, name: str, budget: Budget) -> None:
        self._text, self._name, self._budget = text, name, budget
        self._data = text.encode("utf-8")
        self._byte = self._place = 0  # the same place in both
        self._open: list[Element] = []
        self._root: Element | None = None
        self._namespace = ""
        self._names: dict[str, tuple[str, str]] = {}  # namespaces and names, each stored once
        parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity
        self._parser = parser

    def root(self) -> Element:
        self._refuse_long_tags()
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            found = f"broken XML ({expat.ErrorString(error.code)})"
            self._fail(found, "complete, well-formed XML", _REPAIR, error.lineno)
        assert self._root is not None
        return self._root

    def _refuse_long_tags(self) -> None:
        for found in _LONG.finditer(self._text):
            tag = _TAG_END.match(self._text, found.start())
            if tag is None or tag.end() - tag.start() > _MAX_TAG:
                line = self._text.count("\n", 0, found.start()) + 1
                found_ = f"a tag of more than {_MAX_TAG:,} characters"
                self._fail(found_, "fewer attributes", _REPAIR, line)

    def _at(self) -> int:
        """The place of the current event; events come in order."""
        byte = self._parser.CurrentByteIndex
        if byte > self._byte:
            self._place += len(self._data[self._byte : byte].decode("utf-8"))
            self._byte = byte
        return self._place

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        self._budget.parts()
        if qualified not in self._names:
            self._names[qualified] = (*qualified.rpartition(" ")[::2],)
        namespace, name = self._names[qualified]
        begin = self._at()
        match = _TAG_END.match(self._text, begin)
        assert match is not None
        if self._root is None:
            self._namespace = namespace
        element = Element(
            name if namespace == self._namespace else "", attributes or _NONE, begin, match.end()
        )
        if self._root is None:
            self._root = element
        else:
            self._open[-1].children.append(element)
        if len(self._open) >= _MAX_DEPTH:
            self._fail(f"more than {_MAX_DEPTH} nested elements", "fewer", _REPAIR)
        self._open.append(element)

    def _end(self, _qualified: str) -> None:
        element = self._open.pop()
        if self._text[element.open_end - 2] == "/":
            element.close_begin = element.end = element.open_end
        else:
            element.close_begin = self._at()
            element.end = self._text.index(">", element.close_begin) + 1

    def _characters(self, data: str) -> None:
        if not self._open:
            return
        children = self._open[-1].children
        last = children[-1] if children else None
        if isinstance(last, Text):
            last.parts.append(data)
        else:
            children.append(Text([data]))

    def _comment(self, _text: str) -> None:
        self._other("-->")

    def _instruction(self, _target: str, _text: str) -> None:
        self._other("?>")

    def _other(self, ending: str) -> None:
        self._budget.parts()
        if self._open:
            begin = self._at()
            end = self._text.index(ending, begin) + len(ending)
            self._open[-1].children.append(Other(begin, end))

    def _doctype(
        self, _name: str, _system: str | None, _public: str | None, internal: bool
    ) -> None:
        if internal:
            self._fail(
                "declarations in a DOCTYPE",
                "a document without them",
                "remove them; they can hide other files or unlimited text",
            )

    def _entity(self, name: str, *_details: object) -> None:
        self._fail(
            f"the entity '{name[:40]}'",
            "no entities other than &amp; &lt; &gt; &quot; &apos;",
            "replace it by its content; entities can hide other files or unlimited text",
        )

    def _fail(self, found: str, expected: str, advice: str, line: int = 0) -> NoReturn:
        line = line or self._parser.CurrentLineNumber
        raise FormatError(found, path=self._name, line=line, expected=expected, advice=advice)
