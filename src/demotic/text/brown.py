"""Brown clusters: word classes from bigrams, and the `paths` files they are exchanged in.

Brown et al. 1992 in the windowed form of Liang 2005.  See core/include/demotic/text/brown.h for
what is counted and how ties are broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from demotic import _core
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, write_text
from demotic.native_options import to_native
from demotic.options import Options, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BrownClusters", "BrownOptions", "brown_clusters", "read_paths", "write_paths"]

NO_CLASS = -1
MOST = 2**31 - 1  # ids are 32 bits wide


@dataclass(frozen=True, kw_only=True)
class BrownOptions(Options):
    """How many classes to learn, and for which words."""

    classes: int = option(
        200, "number of word classes, at most one per word", minimum=1, maximum=MOST
    )
    min_count: int = option(
        1, "minimum count of words with a class", unit="occurrences", minimum=1, maximum=MOST
    )
    max_words: int = option(
        0, "cluster only this many of the most frequent words; 0 for all", minimum=0, maximum=MOST
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BrownClusters:
    """Classes in the order of their bit strings; words without a class have class -1."""

    word_class: NDArray[np.int32]  # by word id
    counts: NDArray[np.int64]  # by word id: occurrences
    bits: tuple[str, ...]  # by class; none is a prefix of another
    information: float | None  # average mutual information in nats; None if read from a file

    def __len__(self) -> int:
        return len(self.bits)

    def __repr__(self) -> str:
        known = "" if self.information is None else f", {self.information:.4f} nats"
        words = int((self.word_class >= 0).sum())
        return f"BrownClusters({len(self)} classes of {words} words{known})"


def brown_clusters(
    corpus: _core.Corpus,
    vocabulary: _core.Vocabulary,
    options: BrownOptions,
    progress: Callable[[int, int], object] | None = None,
) -> BrownClusters:
    """Clusters the words of `corpus`; `progress(done, total)` counts insertions and merges."""
    native = to_native(_core.BrownOptions, options)
    found = _core.brown_clusters(corpus, len(vocabulary), native, progress)
    return BrownClusters(
        word_class=found.word_class,
        counts=found.counts,
        bits=tuple(found.bits),
        information=found.information,
    )


def write_paths(path: PathLike, clusters: BrownClusters, vocabulary: _core.Vocabulary) -> None:
    """One line per word: bit string, word, count; by class, then by falling count."""
    import numpy as np

    order = np.lexsort((-clusters.counts, clusters.word_class))
    with write_text(path) as file:
        for word in order.tolist():
            cluster = int(clusters.word_class[word])
            if cluster != NO_CLASS:
                text = vocabulary.word(word)
                file.write(f"{clusters.bits[cluster]}\t{text}\t{clusters.counts[word]}\n")


def read_paths(path: PathLike, vocabulary: _core.Vocabulary) -> BrownClusters:
    """Reads a `paths` file of ours or of another program, ignoring words not in the vocabulary.

    Classes without known words are kept, so that prefixes mean the same for every vocabulary.
    """
    import numpy as np

    first_line: dict[str, int] = {}
    word_bits: dict[int, str] = {}
    seen: dict[str, int] = {}
    counts = np.zeros(len(vocabulary), np.int64)
    for line, bits, text, count in _fields(path):
        if text in seen:
            raise _bad(path, line, f"the word '{text}' again (see line {seen[text]})", "a new word")
        seen[text] = line
        first_line.setdefault(bits, line)
        word = vocabulary.find(text)
        if word >= _core.RESERVED_WORDS:
            word_bits[word] = bits
            counts[word] = count
    names = _checked_leaves(path, first_line)
    number = {bits: i for i, bits in enumerate(names)}
    word_class = np.full(len(vocabulary), NO_CLASS, np.int32)
    for word, bits in word_bits.items():
        word_class[word] = number[bits]
    return BrownClusters(word_class=word_class, counts=counts, bits=names, information=None)


def _fields(path: PathLike) -> Iterator[tuple[int, str, str, int]]:
    """Line number, bit string, word and count of every line."""
    for line, text in enumerate(LineFile(path, keep_tabs=True), 1):
        fields = text.split("\t")
        if len(fields) != 3:
            raise _bad(path, line, f"{len(fields)} fields", "bit string, tab, word, tab, count")
        bits, word, count = fields
        if bits.strip("01"):
            raise _bad(path, line, f"the bit string '{bits}'", "only 0 and 1")
        if not word or " " in word:
            raise _bad(path, line, f"the word '{word}'", "one word")
        if not (count.isascii() and count.isdigit() and len(count) < 19):
            raise _bad(path, line, f"the count '{count}'", "a whole number below 10^18")
        yield line, bits, word, int(count)


def _checked_leaves(path: PathLike, first_line: dict[str, int]) -> tuple[str, ...]:
    """The bit strings in order.  Refuses a prefix of another, since classes are leaves."""
    names = tuple(sorted(first_line))
    for shorter, longer in pairwise(names):
        if longer.startswith(shorter):
            found = f"the bit string '{longer}', an extension of the one on line"
            raise _bad(
                path, first_line[longer], f"{found} {first_line[shorter]}", "distinct leaves"
            )
    return names


def _bad(path: PathLike, line: int, found: str, expected: str) -> FormatError:
    return FormatError(
        found,
        path=path,
        line=line,
        expected=expected,
        advice="correct the line or write the file again",
    )
