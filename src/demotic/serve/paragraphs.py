"""Text as sentences and what is between them, so that line breaks and spaces are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from demotic.search.text import cleaned
from demotic.text.languages import base_language, words
from demotic.text.sentence_split import split_sentences

__all__ = ["Paragraphs", "sound"]

_UNSPACED = words("zh ja th lo km my bo")  # scripts that write no space between sentences
_LINE = re.compile(r"[^\n\r]+")


@dataclass(frozen=True)
class Paragraphs:
    """The sentences of a text, cleaned, and their places in it."""

    text: str
    spans: tuple[tuple[int, int], ...]
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, text: str, language: str, *, split: bool = True) -> Paragraphs:
        """Lines are never joined; without `split` each line is one sentence."""
        text = sound(text)
        spans = [
            (line.start() + begin, line.start() + end)
            for line in _LINE.finditer(text)
            for begin, end in (split_sentences(line[0], language) if split else [(0, len(line[0]))])
        ]
        return cls(text, tuple(spans), tuple(cleaned(text[slice(*span)] for span in spans)))

    def joined(self, translations: Sequence[str], target: str) -> tuple[str, list[tuple[int, int]]]:
        """The translations with what was between the sentences, and their places in that text."""
        spaced = base_language(target) not in _UNSPACED
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        end = length = 0
        for (begin, after), translation in zip(self.spans, translations, strict=True):
            between = _between(self.text[end:begin], spaced, first=end == 0)
            parts += [between, translation]
            length += len(between)
            places.append((length, length + len(translation)))
            length, end = length + len(translation), after
        return "".join([*parts, self.text[end:]]), places


def _between(text: str, spaced: bool, *, first: bool) -> str:
    """What separates two sentences in the target language."""
    if first or "\n" in text or "\r" in text:
        return text
    return (text or " ") if spaced else ""


def sound(text: str) -> str:
    """Lone surrogates, which JSON can express and UTF-8 cannot, become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
