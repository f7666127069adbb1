"""Brown clusters: word classes from bigrams, and the `paths` files they are exchanged in.

Brown et al. 1992 in the windowed form of Liang 2005; what is counted and how ties are broken is
said in core/include/demotic/text/brown.h.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from demotic import _core
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, write_text
from demotic.native_options import handed
from demotic.options import Options, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BrownClusters", "BrownOptions", "brown_clusters", "read_paths", "write_paths"]

NO_CLASS = -1
MOST = 2**31 - 1  # ids are 32 bits wide


@dataclass(frozen=True, kw_only=True)
class BrownOptions(Options):
    """How many classes, and of which words."""

    classes: int = option(
        200, "word classes; as many as words if there are fewer", minimum=1, maximum=MOST
    )
    min_count: int = option(
        1, "rarer words get no class", unit="occurrences", minimum=1, maximum=MOST
    )
    max_words: int = option(
        0, "so many of the most frequent words get a class; 0 means all", minimum=0, maximum=MOST
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BrownClusters:
    """Classes in the order of their bit strings; words without one have class -1."""

    word_class: NDArray[np.int32]  # by word id
    counts: NDArray[np.int64]  # by word id: occurrences
    bits: tuple[str, ...]  # by class; no one is the beginning of another
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
    """Clusters the words of `corpus`; `progress(done, total)` hears of insertions and merges."""
    native = handed(_core.BrownOptions, options)
    found = _core.brown_clusters(corpus, len(vocabulary), native, progress)
    return BrownClusters(
        word_class=found.word_class,
        counts=found.counts,
        bits=tuple(found.bits),
        information=found.information,
    )


def write_paths(path: PathLike, clusters: BrownClusters, vocabulary: _core.Vocabulary) -> None:
    """One line a word: bit string, word, count; by class, then the most frequent first."""
    import numpy as np

    order = np.lexsort((-clusters.counts, clusters.word_class))
    with write_text(path) as file:
        for word in order.tolist():
            cluster = int(clusters.word_class[word])
            if cluster != NO_CLASS:
                text = vocabulary.word(word)
                file.write(f"{clusters.bits[cluster]}\t{text}\t{clusters.counts[word]}\n")


def read_paths(path: PathLike, vocabulary: _core.Vocabulary) -> BrownClusters:
    """A `paths` file of ours or of another program; words not in the vocabulary are left out.

    Classes whose words are all left out remain, so that prefixes mean the same everywhere.
    """
    import numpy as np

    first_line: dict[str, int] = {}
    word_bits: dict[int, str] = {}
    seen: dict[str, int] = {}
    counts = np.zeros(len(vocabulary), np.int64)
    for line, bits, text, count in _fields(path):
        if text in seen:
            raise _bad(path, line, f"the word '{text}', which line {seen[text]} has", "a new word")
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
            raise _bad(path, line, f"{len(fields)} fields", "bit string, word and count by tabs")
        bits, word, count = fields
        if bits.strip("01"):
            raise _bad(path, line, f"the bit string '{bits}'", "only 0 and 1")
        if not word or " " in word:
            raise _bad(path, line, f"the word '{word}'", "one word")
        if not (count.isascii() and count.isdigit() and len(count) < 19):
            raise _bad(path, line, f"the count '{count}'", "a whole number below 10^18")
        yield line, bits, word, int(count)


def _checked_leaves(path: PathLike, first_line: dict[str, int]) -> tuple[str, ...]:
    """The bit strings in order; refuses one that begins another: both cannot be leaves."""
    names = tuple(sorted(first_line))
    for shorter, longer in pairwise(names):
        if longer.startswith(shorter):
            found = f"the bit string '{longer}', which begins with that of line"
            raise _bad(
                path, first_line[longer], f"{found} {first_line[shorter]}", "classes side by side"
            )
    return names


def _bad(path: PathLike, line: int, found: str, expected: str) -> FormatError:
    return FormatError(
        found,
        path=path,
        line=line,
        expected=expected,
        advice="mend the line or make the file anew",
    )
