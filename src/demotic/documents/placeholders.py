"""Tags and placeholders in the strings of programs, which a translation must have too."""

from __future__ import annotations

import re

from demotic.constraints.placeholders import cut
from demotic.constraints.tokens import Word
from demotic.documents.segment import Piece, Tag, matched

__all__ = ["CODES", "string_pieces", "with_codes"]

_PRINTF = (
    r"%(?:\d+\$)?[-+#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|q|j|z|t)?[a-zA-Z@](?![a-z])"
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
    at = 0
    for match in CODES.finditer(text):
        if _is_word(text, match):
            continue
        if match.start() > at:
            pieces.append(text[at : match.start()])
        pieces.append(_tag(match))
        at = match.end()
    return [*pieces, text[at:]] if at < len(text) else pieces


def with_codes(text: str) -> tuple[Piece, ...]:
    return matched(string_pieces(text))


def _is_word(text: str, match: re.Match[str]) -> bool:
    """Whether the translator of the text keeps this code by itself.

    It takes variables and addresses for words, with spaces around them where the target language
    has them; a tag is only a place between two words.
    """
    around = text[max(0, match.start() - 1) : match.end() + 1]
    return Word(match[0]) in [piece for piece in cut(around) if isinstance(piece, Word)]


def _tag(match: re.Match[str]) -> Tag:
    code = match[0]
    if match["tag"] is None or code.endswith("/>"):
        return Tag("empty", code)
    name = code.strip("</>").split()[0].lower()
    if name in _VOID:
        return Tag("empty", code)
    return Tag("close" if code.startswith("</") else "open", code, name, fixed=False)
