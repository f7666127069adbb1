"""The built-in tokeniser plus a segmenter, learnt from the corpus, for scripts without spaces.

The built-in tokeniser splits such scripts into characters with their marks; runs of these are then
joined to words.  Punctuation, digits, spaces and other scripts end a run.  Until the segmenter is
learnt, characters are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from demotic.text.tokenize.builtin import BuiltinTokenizer
from demotic.text.tokenize.characters import UNSPACED

if TYPE_CHECKING:
    from demotic.text.segment import UnigramWords

__all__ = ["UnigramTokenizer"]

_UNIT = re.compile(f"[{UNSPACED}]")


class UnigramTokenizer:
    """The built-in tokeniser with `words` for scripts without spaces."""

    name = "unigram"
    version = BuiltinTokenizer.version

    def __init__(self, language: str, words: UnigramWords | None = None) -> None:
        self.words = words
        self._builtin = BuiltinTokenizer(language)

    def tokenize(self, line: str) -> list[str]:
        tokens: list[str] = []
        for joined, part in self._parts(line):
            tokens += self.words.segment(part) if joined and self.words is not None else part
        return tokens

    def detokenize(self, tokens: Sequence[str]) -> str:
        return self._builtin.detokenize(tokens)

    def runs(self, line: str) -> Iterator[list[str]]:
        """The runs of units to learn words from."""
        return (part for joined, part in self._parts(line) if joined)

    def _parts(self, line: str) -> Iterator[tuple[bool, list[str]]]:
        """The built-in tokeniser's tokens in groups, and whether each is a run of units."""
        for tokens in self._builtin.stretches(line):
            begin = 0
            for end in range(1, len(tokens) + 1):
                unit = _UNIT.match(tokens[begin]) is not None
                if end == len(tokens) or unit != (_UNIT.match(tokens[end]) is not None):
                    yield unit, tokens[begin:end]
                    begin = end
