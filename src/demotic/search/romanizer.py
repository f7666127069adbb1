"""Writes source words that a model does not know in Latin letters, so that they are copied so.

A word in the script of the target is copied as it is, and so are numbers, and words in scripts
without a table (`text/romanize.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.errors import InputError
from demotic.lines import split_words
from demotic.search.unknowns import KnownWords
from demotic.text.romanize import can_romanize, romanized

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["Romanizer"]


class Romanizer:
    """For one model."""

    def __init__(self, model: Model) -> None:
        """Raises InputError if the target is not written in Latin letters."""
        self._known = KnownWords(model)
        self._language = model.info.source_language or "ru"
        script = self._known.script("target")
        if script not in ("Latin", ""):
            raise InputError(
                f"transliteration for a target in {script} script",
                path=model.path,
                expected="a target in Latin letters",
                advice="copy unknown words, or drop them",
            )

    def line(self, line: str) -> str:
        """The tokens, those changed that no rule translates."""
        if line.isascii() or not can_romanize(line):
            return line
        return " ".join(map(self._word, split_words(line)))

    def _word(self, word: str) -> str:
        if not can_romanize(word) or self._known.source(word):
            return word
        return romanized(word, self._language)
