"""Where the tokens of a decoder are in raw text.

Tokens differ from the text in case, escapes and normalisation; they occur in it in the same order.
A token that is not found has no place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.constraints.tagged import Untagged, has_tags
from demotic.lines import split_words
from demotic.text.escape import unescape

if TYPE_CHECKING:
    from demotic.text.side import Side

__all__ = ["Place", "source_places", "target_places", "token_places"]

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


def source_places(text: str, tokens: Sequence[str], side: Side | None) -> list[Place]:
    """Of source tokens; the words of a compound that was split have the place of the whole."""
    if has_tags(text):
        plain = Untagged.of(text)
        return _tagged(plain, source_places(plain.text, tokens, side))
    if side is None or side.compounds is None:
        return token_places(text, tokens)
    whole = side.tokens(text)
    words = side.words(whole)
    if split_words(side.written(words)) != list(tokens):  # cut around terms of a glossary
        return token_places(text, tokens)
    places = zip(token_places(text, whole), words, strict=True)
    return [place for place, word in places for _ in split_words(word)]


def target_places(text: str, tokens: Sequence[str], side: Side | None) -> list[Place]:
    """Of target tokens; those that were joined to a compound have the place of the whole."""
    if has_tags(text):
        plain = Untagged.of(text)
        return _tagged(plain, target_places(plain.text, tokens, side))
    if side is None or side.compounds is None:
        return token_places(text, tokens)
    places = zip(token_places(text, side.compounds.join(tokens)), side.spans(tokens), strict=True)
    return [place for place, (begin, end) in places for _ in range(begin, end)]


def _tagged(plain: Untagged, places: Sequence[Place]) -> list[Place]:
    """The places in the text with its tags."""
    return [None if place is None else plain.place(place) for place in places]
