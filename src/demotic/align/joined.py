"""Parallel text in one file of lines `source ||| target`, the input format of fast_align."""

from __future__ import annotations

from collections.abc import Iterator

from demotic.errors import FormatError
from demotic.lines import EncodingPolicy, LineFile, PathLike
from demotic.text.pairs import Pair
from demotic.text.parallel import ParallelCorpus

__all__ = ["SEPARATOR", "read_joined"]

SEPARATOR = "|||"


def read_joined(path: PathLike, *, encoding_errors: EncodingPolicy = "refuse") -> ParallelCorpus:
    """Every line must have exactly one separator surrounded by spaces; a side may be empty."""
    return ParallelCorpus.from_pairs(_pairs(LineFile(path, encoding_errors=encoding_errors)))


def _pairs(file: LineFile) -> Iterator[Pair]:
    for number, line in enumerate(file, 1):
        words = line.split(" ")
        separators = words.count(SEPARATOR)
        if separators != 1:
            raise FormatError(
                f"{separators} separators '{SEPARATOR}'",
                path=file.name,
                line=number,
                expected=f"one: source {SEPARATOR} target",
            )
        middle = words.index(SEPARATOR)
        yield Pair(" ".join(words[:middle]), " ".join(words[middle + 1 :]), file.name, number)
