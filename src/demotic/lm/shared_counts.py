"""Counting of n-grams by workers, with the same counts as here.

The driver reads the text and writes its words as numbers to a file.  Each part of the work is to
count the n-grams that begin with some of the words: neighbours in the vocabulary, with about as
many occurrences as those of the other parts.  Their results, one after another, are the sorted
n-grams, so that nothing has to be merged.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from demotic._core import (
    SENTENCE_BEGIN,
    SENTENCE_END,
    Corpus,
    DiskEstimator,
    count_ngram_part,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demotic.workers import Arguments, Workers

__all__ = ["SharedCounts", "StoredCounts", "TokenFile", "count_part"]

_PARTS = 64  # at most; does not affect the result


class TokenFile:
    """The words of a text as numbers in a file, with marks around sentences; a context manager.

    The file is in `folder`: 4 bytes per word.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ngrams.partial-", dir=folder)
        self.folder = Path(self._folder.name)
        self._tokens = open(self.folder / "tokens", "wb")  # noqa: SIM115 closed by __exit__
        self._counts = np.zeros(0, np.int64)  # by word

    def add(self, text: Corpus) -> None:
        """More text, encoded with a vocabulary that may grow from call to call."""
        tokens = _with_marks(text)
        self._tokens.write(tokens.data)
        counts = np.bincount(tokens, minlength=len(self._counts))
        counts[: len(self._counts)] += self._counts
        self._counts = counts

    def finish(self) -> Path:
        """The file."""
        self._tokens.close()
        return Path(self._tokens.name)

    def parts(self, count: int) -> list[tuple[int, int]]:
        """Ranges of words with similar numbers of occurrences; some may be empty."""
        goals = self._counts.sum() * np.arange(1, count) / count
        ends = np.searchsorted(np.cumsum(self._counts), goals).tolist()
        return list(pairwise([0, *ends, len(self._counts)]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._tokens.close()
        self._folder.cleanup()


class SharedCounts(TokenFile):
    """Takes the text that an estimator would count, and has it counted by workers.

    Files are in `folder`: those of the text, and 32 bytes per distinct n-gram (64 for orders above
    4).
    """

    def __init__(self, workers: Workers, order: int, memory: int, folder: Path) -> None:
        super().__init__(folder)
        self._workers, self._order, self._memory = workers, order, memory

    def count(self, estimator: DiskEstimator, progress: Callable[..., None] | None = None) -> None:
        """Gives all n-grams to an estimator, which has to finish before the files are removed."""
        asked = {
            "tokens": self._workers.share(self.finish()),
            "order": self._order,
            "memory": self._memory,
        }
        parts = [{**asked, "words": words} for words in self.parts(_PARTS) if words[0] < words[1]]
        for number, path in enumerate(self._workers.map("ngrams", parts, progress)):
            kept = self.folder / str(number)
            shutil.move(path, kept)
            estimator.add_counted(str(kept))


class StoredCounts:
    """N-grams that were counted before, one part after another; a context manager.

    They are written to `folder`, one file per part.
    """

    def __init__(self, parts: Iterable[bytes], folder: Path) -> None:
        self._parts = parts
        self._folder = tempfile.TemporaryDirectory(prefix="ngrams.partial-", dir=folder)

    def add(self, text: Corpus) -> None:
        """Nothing: the text is read for its vocabulary only."""

    def count(self, estimator: DiskEstimator, progress: Callable[..., None] | None = None) -> None:
        for number, data in enumerate(filter(None, self._parts)):
            path = Path(self._folder.name) / str(number)
            path.write_bytes(data)
            estimator.add_counted(str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._folder.cleanup()


def count_part(arguments: Arguments, out: Path) -> None:
    """What a worker does: counts the n-grams that begin with some words."""
    tokens, order, (first, last) = arguments["tokens"], arguments["order"], arguments["words"]
    count_ngram_part(tokens, order, first, last, arguments["memory"], str(out.parent), str(out))


def _with_marks(text: Corpus) -> NDArray[np.uint32]:
    """All sentences with <s> before and </s> after them."""
    begins, ends = text.offsets[:-1], text.offsets[1:]
    marks = 2 * np.arange(len(begins))  # that come before each sentence
    tokens = np.empty(len(text.words) + 2 * len(begins), np.uint32)
    tokens[np.arange(len(text.words)) + np.repeat(marks + 1, ends - begins)] = text.words
    tokens[begins + marks] = SENTENCE_BEGIN
    tokens[ends + marks + 1] = SENTENCE_END
    return tokens
