"""The references of a corpus: any number per sentence, in an unambiguous order.

Other tools take a list of lists that may be transposed by mistake; here the names of the
constructors state the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.counts import counted
from demotic.errors import FormatError, InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.lines import PathLike

__all__ = ["References", "unequal"]


@dataclass(frozen=True, eq=False)
class References:
    """Sentence i has texts[first[i]:first[i + 1]]; made by one of the class methods."""

    texts: list[str]
    first: NDArray[np.int64]

    @classmethod
    def from_streams(cls, streams: Sequence[Sequence[str]]) -> References:
        """From translations of the whole corpus: streams[k][i] is the k-th of sentence i."""
        if not streams:
            raise ValueError("no references")
        for k, stream in enumerate(streams[1:], 1):
            if len(stream) != len(streams[0]):
                raise InputError(
                    f"reference {k} has {len(stream)} sentences, reference 0 has {len(streams[0])}"
                )
        return cls.from_sentences(list(zip(*streams, strict=True)))

    @classmethod
    def from_sentences(cls, sentences: Sequence[Sequence[str]]) -> References:
        """From the references of each sentence, whose number may differ; at least one."""
        import numpy as np

        first = np.zeros(len(sentences) + 1, np.int64)
        np.cumsum([len(texts) for texts in sentences], out=first[1:])
        for i, texts in enumerate(sentences):
            if isinstance(texts, str):
                raise TypeError(f"sentence {i}: a string instead of a list of references")
            if not texts:
                raise ValueError(f"sentence {i} has no reference")
        return cls([text for texts in sentences for text in texts], first)

    @classmethod
    def read(cls, paths: Sequence[PathLike]) -> References:
        """From files with one sentence per line; raises FormatError if they differ in length."""
        from demotic.lines import display_name, read_lines

        streams = [read_lines(path).tolist() for path in paths]
        for path, stream in zip(paths, streams, strict=True):
            if len(stream) != len(streams[0]):
                first = display_name(paths[0])
                raise unequal(display_name(path), len(stream), first, len(streams[0]))
        return cls.from_streams(streams)

    def __len__(self) -> int:
        return len(self.first) - 1

    def __repr__(self) -> str:
        return f"References({len(self)} sentences, {len(self.texts)} references)"

    @property
    def streams(self) -> list[list[str]]:
        """The translations of the whole corpus; all sentences must have the same number."""
        number = self.number
        if number is None:
            raise ValueError("different numbers of references")
        return [self.texts[k::number] for k in range(number)]

    @property
    def mean_words(self) -> float:
        """Words per reference, at least 1."""
        from demotic.lines import split_words

        words = sum(len(split_words(text)) for text in self.texts)
        return max(1.0, words / max(1, len(self.texts)))

    @property
    def number(self) -> int | None:
        """The number of references per sentence; None if it differs."""
        if len(self) == 0:
            return None
        number = int(self.first[1])
        return number if (self.first[1:] - self.first[:-1] == number).all() else None


def unequal(path: str, lines: int, other: str, others: int) -> FormatError:
    """The error for two files that should be parallel."""
    return FormatError(
        f"{counted(lines, 'line')} here, but {others:,} in {other}",
        path=path,
        expected="equal numbers of lines",
        advice="line i of a translation must belong to line i of the references",
    )
