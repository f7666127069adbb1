"""Where the tokens of a decoder are in raw text.

Tokens differ from the text in case, escapes and normalisation; they occur in it in the same order.
A token that is not found has no place.
"""

from __future__ import annotations

from collections.abc import Sequence

from demotic.text.escape import unescape

__all__ = ["Place", "token_places"]

Place = tuple[int, int] | None
_REACH = 40  # characters that may lie between two tokens


def token_places(text: str, tokens: Sequence[str]) -> list[Place]:
    """The begin and end of each token in the text, in code points."""
    folded = text.lower()
    if len(folded) != len(text):  # some letters are longer in lower case, such as İ
        folded = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    places: list[Place] = []
    at = 0
    for token in tokens:
        wanted = unescape(token).lower()
        found = folded.find(wanted, at, at + len(wanted) + _REACH)
        places.append(None if found < 0 or not wanted else (found, found + len(wanted)))
        at = at if found < 0 else found + len(wanted)
    return places
