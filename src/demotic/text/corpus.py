"""Sentences as word ids together with their vocabulary; saved and opened as one directory.

Saving removes the old sentences first and writes the new ones last, so that an interrupted save
cannot be opened with the wrong vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic._core import (
    CorpusBuilder,
    EncodingErrors,
    LineParser,
    Lines,
    Vocabulary,
    VocabularyBuilder,
)
from demotic.errors import IoError, ModelError
from demotic.lines import EncodingPolicy, LineFile, PathLike, clean_texts, display_name
from demotic.verified import open_verified, should_verify

__all__ = ["Chosen", "Corpus", "Encoder"]

Chosen = Sequence[int] | NDArray[np.integer] | NDArray[np.bool_]

_VOCABULARY = "vocabulary.bin"
_SENTENCES = "sentences.bin"
_BATCH = 4096  # strings passed to the core at once


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Sentences of one language.  Immutable; arrays are read-only views of native memory."""

    sentences: _core.Corpus
    vocabulary: Vocabulary
    capped_tokens: int = 0  # tokens truncated to MAX_WORD_BYTES while reading

    @classmethod
    def read(
        cls,
        path: PathLike,
        vocabulary: Vocabulary | None = None,
        *,
        encoding_errors: EncodingPolicy = "refuse",
        threads: int = 1,
    ) -> Corpus:
        """Encodes a text file with a new vocabulary or a given one (other words are UNKNOWN)."""
        words = vocabulary or VocabularyBuilder()
        encoder = Encoder(display_name(path), words, threads)
        encoder.add_file(path, encoding_errors)
        return encoder.finish(finished(words))

    @classmethod
    def from_lines(
        cls, lines: Iterable[str] | Lines, vocabulary: Vocabulary | None = None, *, threads: int = 1
    ) -> Corpus:
        """Encodes sentences whose tokens are separated by spaces."""
        words = vocabulary or VocabularyBuilder()
        encoder = Encoder("text", words, threads)
        if isinstance(lines, Lines):
            encoder.add(lines)
        else:
            encoder.add_texts(lines)
        return encoder.finish(finished(words))

    @classmethod
    def open(cls, path: PathLike) -> Corpus:
        """Maps a directory that `save` wrote."""
        home = Path(path)
        return cls.open_sentences(home / _SENTENCES, open_vocabulary(home / _VOCABULARY))

    @classmethod
    def open_sentences(cls, path: Path, vocabulary: Vocabulary) -> Corpus:
        """Maps sentences that share their vocabulary with others."""
        suspicious = should_verify(path)
        sentences = open_verified(_core.Corpus.open, path)
        if suspicious:
            _check_ids(sentences, vocabulary, path)
        return cls(sentences, vocabulary)

    def save(self, path: PathLike) -> None:
        home = create_directory(path, _SENTENCES)
        self.vocabulary.save(str(home / _VOCABULARY))
        self.sentences.save(str(home / _SENTENCES))

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, index: int) -> tuple[str, ...]:
        return tuple(map(self.vocabulary.word, self.ids(index).tolist()))

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return map(self.__getitem__, range(len(self)))

    def ids(self, index: int) -> NDArray[np.int32]:
        """The word ids of a sentence."""
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"no sentence {index}: the corpus has {len(self)}")
        begin, end = self.sentences.offsets[place : place + 2]
        return self.sentences.words[begin:end]

    def text(self, index: int) -> str:
        return " ".join(self[index])

    def lines(self) -> Lines:
        """All sentences as text."""
        return _core.decode(self.vocabulary, self.sentences)

    @property
    def tokens(self) -> int:
        return len(self.sentences.words)

    def select(self, chosen: Chosen) -> Corpus:
        """The sentences with these indices, in this order, or those where a mask is true."""
        indices = chosen_indices(chosen, len(self))
        offsets, words = self.sentences.offsets, self.sentences.words
        begins = offsets[:-1][indices]
        lengths = offsets[1:][indices] - begins
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        places = np.arange(ends[-1]) + np.repeat(begins - ends[:-1], lengths)
        return Corpus(_core.Corpus(ends, words[places]), self.vocabulary)

    def __repr__(self) -> str:
        return (
            f"Corpus({len(self):,} sentences, {self.tokens:,} tokens, "
            f"{len(self.vocabulary):,} words)"
        )


class Encoder:
    """Encodes lines with a fixed vocabulary or a growing one, which encoders may share."""

    def __init__(self, name: str, words: Vocabulary | VocabularyBuilder, threads: int = 1) -> None:
        self._words = words
        self._threads = threads
        self._cleaner = LineParser(name, EncodingErrors.refuse, False)
        self._lines = Lines()
        self._builder = None if isinstance(words, Vocabulary) else CorpusBuilder(words)

    def add_file(self, path: PathLike, encoding_errors: EncodingPolicy) -> None:
        for chunk in LineFile(path, encoding_errors=encoding_errors).chunks():
            self.add(chunk)

    def add_texts(self, texts: Iterable[str]) -> None:
        """Strings from any source; cleaned like the lines of a file."""
        rest = iter(texts)
        while batch := list(islice(rest, _BATCH)):
            self.add(clean_texts(self._cleaner, batch))

    def add(self, lines: Lines) -> None:
        if self._builder is None:
            self._lines.extend(lines)
        else:
            self._builder.add(lines)

    def finish(self, vocabulary: Vocabulary) -> Corpus:
        """The encoded corpus; `vocabulary` is the finished vocabulary (see `finished`)."""
        if self._builder is None:
            return Corpus(_core.encode(vocabulary, self._lines, self._threads), vocabulary)
        return Corpus(self._builder.finish(), vocabulary, self._builder.capped_tokens)


def finished(words: Vocabulary | VocabularyBuilder) -> Vocabulary:
    return words if isinstance(words, Vocabulary) else words.finish()


def open_vocabulary(path: Path) -> Vocabulary:
    return open_verified(Vocabulary.open, path)


def chosen_indices(chosen: Chosen, size: int) -> NDArray[np.int64]:
    """Indices from 0 given indices (negative ones count from the end) or a mask."""
    array = np.asarray(chosen)
    if array.dtype == np.bool_:
        if array.shape != (size,):
            raise ValueError(f"expected {size} mask values (one per sentence), got {array.size}")
        return np.flatnonzero(array).astype(np.int64, copy=False)
    if array.size == 0:
        return np.zeros(0, np.int64)
    if not np.issubdtype(array.dtype, np.integer) or array.ndim != 1:
        raise TypeError(f"expected indices or a mask, got an array of {array.dtype}")
    indices = array.astype(np.int64)
    indices[indices < 0] += size
    if indices.min() < 0 or indices.max() >= size:
        raise IndexError(f"sentence index out of range: the corpus has {size} sentences")
    return indices


def create_directory(path: PathLike, last: str) -> Path:
    """Creates the directory `path` and removes the file that will be written last."""
    home = Path(path)
    try:
        home.mkdir(parents=True, exist_ok=True)
        (home / last).unlink(missing_ok=True)
    except OSError as error:
        code = error.errno or 0
        raise IoError("the directory cannot be created", path=str(home), errno=code) from None
    return home


def _check_ids(sentences: _core.Corpus, vocabulary: Vocabulary, path: Path) -> None:
    words = sentences.words
    if len(words) and not 0 <= int(words.min()) <= int(words.max()) < len(vocabulary):
        raise ModelError(
            f"word ids up to {words.max()}, but only {len(vocabulary)} words",
            path=str(path),
            expected="the vocabulary that the sentences were encoded with",
            advice="build the corpus again",
        )
