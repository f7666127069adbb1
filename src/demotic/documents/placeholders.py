"""Tags and placeholders in the strings of programs, which a translation must have too."""

from __future__ import annotations

import re
from bisect import bisect_right

from demotic.constraints.placeholders import cut
from demotic.constraints.tokens import Word
from demotic.documents.marked import ATTACHING
from demotic.documents.segment import Piece, Tag, matched

__all__ = ["CODES", "string_pieces", "with_codes"]

_PRINTF = (
    r"%(?:\d+\$)?[-+#0']*+(?:\d++|\*)?(?:\.(?:\d++|\*))?(?:hh|h|ll|l|L|q|j|z|t)?[a-zA-Z@](?![a-z])"
)
CODES = re.compile(
    rf"""(?P<tag></?[A-Za-z][^<>]*>)
    | https?://[^\s<>"]*[^\s<>".,;:!?()'\u3000-\u303f\uff00-\uffef]
    | (?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | %\([^()\s]+\)[a-zA-Z] | %\{{\w+\}} | {_PRINTF} | %\d+ | %%
    | \$?\{{\{{?[\w.:,!\#%+-]*\}}\}}?
    | &(?:[A-Za-z]+|\#\d+|\#x[0-9A-Fa-f]+);""",
    re.X,
)
_VOID = {"br", "hr", "img", "input", "wbr"}


def string_pieces(text: str) -> list[Piece]:
    """A string with its codes as tags; those of HTML as pairs that may lack their partner."""
    pieces: list[Piece] = []
    words = _Words(text)
    at = 0
    for match in CODES.finditer(text):
        if words.have(match):
            continue
        if match.start() > at:
            pieces.append(text[at : match.start()])
        pieces.append(_tag(match))
        at = match.end()
    return [*pieces, text[at:]] if at < len(text) else pieces


def with_codes(text: str) -> tuple[Piece, ...]:
    return matched(string_pieces(text))


class _Words:
    """What the translator of a text keeps by itself: variables and addresses.

    It takes them for words, with spaces around them where the target language has them; a tag is
    only a place between two words.  So a variable that a sign attaches to another word is a tag.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins: list[int] = []
        self._ends: list[int] = []
        at = 0
        for piece in cut(text):
            if isinstance(piece, Word):
                self._begins.append(at)
                self._ends.append(at + len(piece))
            at += len(piece)

    def have(self, code: re.Match[str]) -> bool:
        begin, end = code.span()
        place = bisect_right(self._begins, begin) - 1
        if place < 0 or end > self._ends[place]:
            return False
        if (begin, end) != (self._begins[place], self._ends[place]):  # a part of an address
            return True
        around = self._text[max(0, begin - 1) : begin] + self._text[end : end + 1]
        return not any(sign in ATTACHING for sign in around)


def _tag(match: re.Match[str]) -> Tag:
    code = match[0]
    if match["tag"] is None or code.endswith("/>"):
        return Tag("empty", code)
    name = code.strip("</>").split()[0].lower()
    if name in _VOID:
        return Tag("empty", code)
    return Tag("close" if code.startswith("</") else "open", code, name, fixed=False)
