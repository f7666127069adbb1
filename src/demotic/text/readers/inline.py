"""The text of a segment without its inline markup, as defined by TMX 1.4b and XLIFF 1.2/2.x.

The content of `bpt`, `ept`, `it`, `ph` and `ut` is native code (HTML, RTF) and is dropped, but a
`sub` inside is separate text such as a footnote or a title: it is kept, surrounded by spaces.  All
other elements (`hi`, `g`, `mrk`, `pc`) only annotate text, which is kept in place.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["InlineText"]

_NATIVE_CODE = frozenset({"bpt", "ept", "it", "ph", "ut"})
# Placeholders for line and page breaks separate words; all others may occur inside a word.
_BREAKS = frozenset({"lb", "pb", "x-lb", "x-pb", "xlf:lb", "xlf:pb", "x-html-br"})
_BREAK_ATTRIBUTES = ("type", "ctype", "subType")


class InlineText:
    """Collects one segment from the events of an XML parser."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._kept = [True]  # for each open element: whether its text is kept
        self.size = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _NATIVE_CODE:
            self._kept.append(False)
        elif name == "sub":
            self._kept.append(True)
            self._add(" ")
        else:
            self._kept.append(self._kept[-1])
        # <cp> encodes a character that XML cannot represent.
        if name == "cp" or any(attributes.get(key) in _BREAKS for key in _BREAK_ATTRIBUTES):
            self._add(" ")

    def text(self, data: str) -> None:
        if self._kept[-1]:
            self._add(data)

    def end(self, name: str) -> None:
        self._kept.pop()
        if name == "sub":
            self._add(" ")

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self.size += len(text)

    def __str__(self) -> str:
        return "".join(self._parts)
