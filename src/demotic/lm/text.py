"""Text that a language model is estimated from or queried with: files, lines or a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from demotic._core import Corpus, CorpusBuilder, Lines, Vocabulary, VocabularyBuilder, encode
from demotic.lines import LineFile, PathLike, read_lines

__all__ = ["EncodedText", "TextSource", "encode_text", "encode_with"]


@dataclass(frozen=True)
class EncodedText:
    """A corpus and the vocabulary of its ids."""

    corpus: Corpus
    vocabulary: Vocabulary


# One file, several files, lines, or encoded text.
TextSource = PathLike | Iterable[PathLike] | Lines | EncodedText


def encode_text(source: TextSource) -> EncodedText:
    """Encodes the text with a new vocabulary."""
    if isinstance(source, EncodedText):
        return source
    words = VocabularyBuilder()
    builder = CorpusBuilder(words)
    if isinstance(source, Lines):
        builder.add(source)
    else:
        for path in _paths(source):
            for chunk in LineFile(path).chunks():
                builder.add(chunk)
    return EncodedText(builder.finish(), words.finish())


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
