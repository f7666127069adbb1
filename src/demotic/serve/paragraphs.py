"""Text as sentences and what is between them, so that line breaks and spaces are kept."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from demotic.constraints.markup import TEXT_TAG
from demotic.constraints.tagged import Untagged, has_tags
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
            for begin, end in (_sentences(line[0], language) if split else [(0, len(line[0]))])
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


def _sentences(line: str, language: str) -> list[tuple[int, int]]:
    """Tags at an edge belong to a sentence if their partners are inside of it."""
    if not has_tags(line):
        return split_sentences(line, language)
    plain = Untagged.of(line)
    spans = [plain.place(span) for span in split_sentences(plain.text, language)]
    begins = [tag.begin for tag in plain.tags]
    found: list[tuple[int, int]] = []
    for number, (begin, end) in enumerate(spans, 1):
        after = spans[number][0] if number < len(spans) else len(line)
        edges = (found[-1][1] if found else 0, begin, end, after)
        low, first, last, high = (bisect_left(begins, edge) for edge in edges)
        before = [i for i in range(low, first) if first <= plain.tags[i].partner < last]
        behind = [i for i in range(last, high) if first <= plain.tags[i].partner < last]
        found.append(
            (
                begins[before[0]] if before else begin,
                plain.tags[behind[-1]].end if behind else end,
            )
        )
    return found


def _between(text: str, spaced: bool, *, first: bool) -> str:
    """What separates two sentences in the target language."""
    if first or "\n" in text or "\r" in text:
        return text
    if spaced:
        return text or " "
    return "".join(TEXT_TAG.findall(text)) if text else ""


def sound(text: str) -> str:
    """Lone surrogates, which JSON can express and UTF-8 cannot, become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
