"""XLIFF 1.2 and 2.x: adds or fills <target> and sets its state, so that tools ask for a review.

A unit with a target is translated unless its state says that the target is none yet.  Units with
translate="no" and proposals of other tools (`alt-trans`, matches) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from demotic.documents.budget import Budget
from demotic.documents.charset import Encoded
from demotic.documents.document import Languages, TextDocument
from demotic.documents.segment import Piece, Segment, Splice, plain_text
from demotic.documents.xml_inline import inline_parts, inline_pieces, space_before
from demotic.documents.xml_tree import Element, read_xml, with_attributes
from demotic.errors import FormatError
from demotic.text.readers.languages import language_fit

__all__ = ["read_xliff"]

_SPACE = "http://www.w3.org/XML/1998/namespace space"
_UNTRANSLATED = ("new", "initial", "needs-translation", "needs-l10n")
_MACHINE_1 = {"state": "needs-review-translation", "state-qualifier": "mt-suggestion"}
_MACHINE_2 = {"state": "translated"}
_GROUPS = ("file", "body", "group", "unit")


def read_xliff(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded, root = read_xml(data, name, budget, "xliff")
    return _Reader(text, name, root, languages, budget).document(encoded)


class _Reader:
    def __init__(
        self, text: str, name: str, root: Element, languages: Languages, budget: Budget
    ) -> None:
        self._text, self._name, self._root = text, name, root
        self._languages, self._budget = languages, budget
        version = root.attributes.get("version", "")
        if version[:2] not in ("1.", "2."):
            raise self._error(root, f"XLIFF version {version[:20]!r}", "1.2, 2.0 or 2.1")
        self._version = int(version[0])
        self._more: list[Splice] = []

    def document(self, encoded: Encoded) -> TextDocument:
        segments = list(self._below(self._root, translate=True, spaced=False))
        if self._version == 2:
            self._direct(self._root, "srcLang", "trgLang")
        return TextDocument(self._text, encoded, segments, self._more)

    def _below(self, element: Element, *, translate: bool, spaced: bool) -> Iterator[Segment]:
        given = element.attributes
        translate = given.get("translate", "yes" if translate else "no") != "no"
        spaced = given.get(_SPACE, "preserve" if spaced else "") == "preserve"
        if element.name == "file" and self._version == 1:
            self._direct(element, "source-language", "target-language")
        if element.name in ("trans-unit", "segment"):
            yield from self._segment(element, translate, spaced)
            return
        for child in element.elements(*_GROUPS, "trans-unit", "segment"):
            yield from self._below(child, translate=translate, spaced=spaced)

    def _segment(self, unit: Element, translate: bool, spaced: bool) -> Iterator[Segment]:
        source = unit.first("source")
        if source is None:
            raise self._error(unit, "a unit without <source>", "its text")
        spaced = source.attributes.get(_SPACE, "preserve" if spaced else "") == "preserve"
        target = unit.first("target")
        text = unit.first("seg-source") or source
        if not translate:
            return
        self._budget.segment(text.close_begin - text.open_end)
        pieces = inline_pieces(text, spaced=spaced)
        self._budget.parts(len(pieces))
        yield Segment(
            pieces,
            self._writer(unit, source, text, target),
            translated=_is_translated(unit, target),
            spaced=spaced,
        )

    def _writer(
        self, unit: Element, source: Element, text: Element, target: Element | None
    ) -> Callable[[Sequence[Piece]], list[Splice]]:
        opened = self._text[source.begin : source.open_end]
        prefix = re.match(r"<((?:[^\s/>:]+:)?)", opened)
        name = f"{prefix[1] if prefix else ''}target"
        indent = space_before(self._text, source.begin)

        def write(pieces: Sequence[Piece]) -> list[Splice]:
            tag, space = f"<{name}>", indent
            begin = end = text.end
            if target is not None:
                begin, end, space = target.begin, target.end, ""
                raw = self._text[target.begin : target.open_end]
                tag = raw[:-2].rstrip() + ">" if raw.endswith("/>") else raw
            if self._version == 1:
                tag = with_attributes(tag, _MACHINE_1)
            parts = (f"{space}{tag}", *inline_parts(pieces), f"</{name}>")
            return [Splice(begin, end, parts), *self._state(unit)]

        return write

    def _state(self, unit: Element) -> list[Splice]:
        if self._version == 1:
            return []
        tag = with_attributes(self._text[unit.begin : unit.open_end], _MACHINE_2)
        return [Splice(unit.begin, unit.open_end, (tag,))]

    def _direct(self, element: Element, source: str, target: str) -> None:
        """Refuses other languages than the model's; declares the target if it is missing."""
        for name, wanted in ((source, self._languages.source), (target, self._languages.target)):
            found = element.attributes.get(name, "")
            if found and wanted and not language_fit(wanted, found):
                raise self._error(element, f"{name} {found[:40]!r}", f"{wanted}, as the model has")
        if self._languages.target and not element.attributes.get(target):
            tag = self._text[element.begin : element.open_end]
            tag = with_attributes(tag, {target: self._languages.target})
            self._more.append(Splice(element.begin, element.open_end, (tag,)))

    def _error(self, element: Element, found: str, expected: str) -> FormatError:
        line = self._text.count("\n", 0, element.begin) + 1
        return FormatError(
            found, path=self._name, line=line, expected=expected, advice="correct the file"
        )


def _is_translated(unit: Element, target: Element | None) -> bool:
    if target is None or not plain_text(inline_pieces(target, spaced=True)).strip():
        return False
    state = target.attributes.get("state") or unit.attributes.get("state", "")
    return state not in _UNTRANSLATED
