"""Text that a language model is estimated from or queried with: files, lines or a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from demotic._core import Corpus, CorpusBuilder, Lines, Vocabulary, VocabularyBuilder, encode
from demotic.lines import LineFile, PathLike, display_name, read_lines

__all__ = [
    "EncodedText",
    "LineSource",
    "TextSource",
    "encode_text",
    "encode_with",
    "text_chunks",
    "text_name",
]


@dataclass(frozen=True)
class EncodedText:
    """A corpus and the vocabulary of its ids."""

    corpus: Corpus
    vocabulary: Vocabulary


# One file, several files, or lines.
LineSource = PathLike | Iterable[PathLike] | Lines
# The same, or encoded text.
TextSource = LineSource | EncodedText


def encode_text(source: TextSource) -> EncodedText:
    """Encodes the text with a new vocabulary."""
    if isinstance(source, EncodedText):
        return source
    words = VocabularyBuilder()
    builder = CorpusBuilder(words)
    for lines in text_chunks(source):
        builder.add(lines)
    return EncodedText(builder.finish(), words.finish())


def text_chunks(source: LineSource) -> Iterator[Lines]:
    """The lines of the text, as many at a time as are read from a file together."""
    if isinstance(source, Lines):
        yield source
        return
    for path in _paths(source):
        yield from LineFile(path).chunks()


def text_name(source: LineSource) -> str:
    """For messages."""
    if isinstance(source, Lines):
        return "text"
    return ", ".join(map(display_name, _paths(source)))


def encode_with(vocabulary: Vocabulary, source: TextSource, threads: int = 1) -> EncodedText:
    """Encodes the text with a given vocabulary; other words are unknown."""
    if isinstance(source, EncodedText):
        return source
    if isinstance(source, Lines):
        return EncodedText(encode(vocabulary, source, threads), vocabulary)
    lines = Lines()
    for path in _paths(source):
        lines.extend(read_lines(path))
    return EncodedText(encode(vocabulary, lines, threads), vocabulary)


def _paths(source: PathLike | Iterable[PathLike]) -> list[PathLike]:
    return [source] if isinstance(source, str | os.PathLike) else list(source)
