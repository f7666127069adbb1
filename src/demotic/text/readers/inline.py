"""The text of a segment without its inline markup, as TMX 1.4b and XLIFF 1.2/2.x mean it.

What `bpt`, `ept`, `it`, `ph` and `ut` hold is native code (HTML, RTF) and is dropped, but a `sub`
in it is text of its own, a footnote or a title: it is kept, apart from its surroundings.  All other
elements (`hi`, `g`, `mrk`, `pc`) only mark text, which is kept where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["InlineText"]

_NATIVE_CODE = frozenset({"bpt", "ept", "it", "ph", "ut"})
# Placeholders of line and page breaks part words; all others may stand inside of one.
_BREAKS = frozenset({"lb", "pb", "x-lb", "x-pb", "xlf:lb", "xlf:pb", "x-html-br"})
_BREAK_ATTRIBUTES = ("type", "ctype", "subType")


class InlineText:
    """Collects one segment from the events of an XML parser."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._kept = [True]  # for each open element: whether its text counts
        self.size = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _NATIVE_CODE:
            self._kept.append(False)
        elif name == "sub":
            self._kept.append(True)
            self._add(" ")
        else:
            self._kept.append(self._kept[-1])
        # <cp> stands for a character that XML cannot hold.
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
