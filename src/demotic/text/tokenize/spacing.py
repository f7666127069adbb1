"""Joins tokens to text: decides on spaces by the kinds of both tokens and the language.

Reverses the tokenisers.  Where both spellings occur (a dash, a plus sign), it chooses the more
frequent one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from demotic.text.languages import words
from demotic.text.tokenize.characters import APOSTROPHES, UNSPACED
from demotic.text.tokenize.rules import rules_for

__all__ = ["Spacing"]

_CLOSING = words(
    ", . ; : ! ? ) ] } … .. ... .... % ‰ ° ” ’ › » ™ ® 、 。 ， ； ： ！ ？ ） 】 》 』 」 "
    "، ؛ ؟ ۔ । ॥ ։"
)
_OPENING = words("( [ { ¿ ¡ “ ‘ « ‹ „ ‚ # @ （ 【 《 『 「")
_CURRENCY = words("$ £ € ¥ ₩ ₹ ₽ ₺ ₫ ₪ ฿")
# Attached to the words on both sides.
_BINDING = words("/ \\")
_STRAIGHT_QUOTES = words("\" ' ''")

# Where the script has no spaces, Latin words are attached to their neighbours too.
_UNSPACED_LANGUAGES = words("zh ja th lo km my bo")
_CURLY = words("“ ” ‘ ’")
_WIDE = f"[{UNSPACED}\u3000-\u3004\u3008-\u3020\uff00-\uff65]"
_WIDE_START = re.compile(_WIDE)
_WIDE_END = re.compile(rf"{_WIDE}\W{{0,3}}\Z")

# Separated from the word in French: « oui » ! and 5 %.
_FRENCH_APART = words("; : ! ? » %")
# „so“ and »so«: marks that open elsewhere close here.
_GERMAN_QUOTES = words("de lb cs sk sl hr bs sr bg et lt lv is ka mk sq")
_TURNED = words("“ ‘ « »")


class Spacing:
    """The spacing of one language (two letters)."""

    def __init__(self, language: str) -> None:
        rules = rules_for(language)
        self._clitics = rules.clitics
        self._elisions = rules.elisions
        self._plurals = language == "en"
        self._all_close = language in _UNSPACED_LANGUAGES
        self._closing, self._opening = _CLOSING, _OPENING
        if language == "fr":
            self._closing, self._opening = _CLOSING - _FRENCH_APART, _OPENING - {"«"}
        elif language in _GERMAN_QUOTES:
            self._closing, self._opening = _CLOSING ^ _TURNED, _OPENING ^ _TURNED
        elif self._all_close:
            self._closing, self._opening = _CLOSING | _CURLY, _OPENING | _CURLY

    def join(self, tokens: Sequence[str]) -> str:
        """The text of the tokens, which must not be empty."""
        parts: list[str] = []
        quotes = self._quotes(tokens) if _STRAIGHT_QUOTES.intersection(tokens) else {}
        previous, close = "", True
        for i, token in enumerate(tokens):
            left, right = quotes.get(i) or self._sides(token)
            if not (close or left or self._between(previous, token)):
                parts.append(" ")
            parts.append(token)
            previous, close = token, right
        return "".join(parts)

    def _sides(self, token: str) -> tuple[bool, bool]:
        """Whether the token attaches to its left and to its right neighbour."""
        if token.isalnum():
            return False, False
        left = token in self._closing or (
            token[0] in APOSTROPHES and token[1:].lower() in self._clitics
        )
        right = token in self._opening or (
            token[-1] in APOSTROPHES and token[:-1].lower() in self._elisions
        )
        return left, right

    def _between(self, previous: str, token: str) -> bool:
        """Whether these two neighbours are joined without a space."""
        if token[0] == "-" and len(token) > 1:  # das „Thriller“-Video
            return previous in _STRAIGHT_QUOTES or previous in self._closing
        if previous.isascii() and token.isascii():
            return (
                (previous in _BINDING and token[0].isalnum())
                or (token in _BINDING and previous[-1].isalnum())
                or (previous in _CURRENCY and token[0].isdigit())
                or (self._all_close and not (previous[-1].isalnum() and token[0].isalnum()))
            )
        if previous in _CURRENCY:
            return token[0].isdigit()
        before = _WIDE_END.search(previous[-4:]) is not None
        after = _WIDE_START.match(token) is not None
        return (before or after) if self._all_close else (before and after)

    def _quotes(self, tokens: Sequence[str]) -> dict[int, tuple[bool, bool]]:
        """How straight quotation marks attach; they open and close alternately."""
        found: dict[int, tuple[bool, bool]] = {}
        for mark in _STRAIGHT_QUOTES.intersection(tokens):
            places = [i for i, token in enumerate(tokens) if token == mark]
            opened = False
            for count, i in enumerate(places):
                odd = (len(places) - count) % 2 == 1
                if not opened and odd and self._closes(tokens, i):
                    found[i] = (True, False)
                    continue
                opened = not opened
                found[i] = (False, True) if opened else (True, False)
        return found

    def _closes(self, tokens: Sequence[str], i: int) -> bool:
        """Whether an unpaired mark closes: the girls' shoes, before a comma, at the end."""
        following = tokens[i + 1 : i + 2]
        plural = self._plurals and tokens[i] == "'" and i > 0 and tokens[i - 1][-1] in "sS"
        return plural or not following or following[0] in self._closing
