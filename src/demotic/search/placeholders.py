"""Placeholders of a prepared sentence: they come out of its translation as they are written.

Search keeps a placeholder by a constraint of the origin `placeholder`; what is left to do is to
protect it from the detokeniser, and to keep those in order whose order says what they stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from demotic.lines import split_words
from demotic.search.sentence import constraints_of
from demotic.text.escape import unescape

__all__ = ["PLACEHOLDER", "Marks", "is_positional", "kept_tokens", "restored_with"]

PLACEHOLDER = "placeholder"
"""The origin of constraints for placeholders."""

_POSITIONAL = re.compile(r"%[-+0#\d.]*[a-zA-Z@]+|\{\}")


def is_positional(placeholder: str) -> bool:
    """Whether its place among its like says what it stands for: %s, %d, {}."""
    return _POSITIONAL.fullmatch(placeholder) is not None


def kept_tokens(source: str) -> list[str]:
    """The placeholders of a prepared sentence, as they are in its translation."""
    asked = constraints_of(source)
    return [one.targets[0][0] for one in asked if one.origin == PLACEHOLDER]


class Marks(NamedTuple):
    """Signs around the number of a placeholder while the text around it is restored.

    A digit comes first, so that they are neither capitalised nor taken for the end of a sentence.
    """

    begin: str
    end: str

    @classmethod
    def for_text(cls, text: str) -> Marks:
        """Two characters of the private use area that the text does not have."""
        used = set(text)
        free = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in used)
        return cls(next(free), next(free))

    def token(self, number: int) -> str:
        return f"0{self.begin}{number}{self.end}"

    def replaced(self, text: str, written: Sequence[str]) -> str:
        """The text with placeholders instead of their numbers."""
        pattern = re.compile(f"0{self.begin}([0-9]+){self.end}")
        return pattern.sub(lambda match: written[int(match[1])], text)


def restored_with(
    kept: Sequence[str], text: str, restore: Callable[[str], str], *, escaped: bool
) -> str:
    """A translation restored by `restore`, except for the placeholders `kept` among its tokens."""
    words = split_words(text)
    forms = set(kept)
    found = [i for i, word in enumerate(words) if word in forms]
    placed = {i: words[i] for i in found}
    positional = [i for i in found if is_positional(words[i])]
    in_order = list(filter(is_positional, kept))
    if len(positional) == len(in_order):
        placed |= zip(positional, in_order, strict=True)
    marks = Marks.for_text(text)
    for number, i in enumerate(found):
        words[i] = marks.token(number)
    written = [unescape(placed[i]) if escaped else placed[i] for i in found]
    return marks.replaced(restore(" ".join(words)), written)
