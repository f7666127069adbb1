"""Two parallel text files: line i of one is the translation of line i of the other.

Lines are counted before the first pair is used, so that files of different length are refused
rather than cut to the shorter one.  Input that can be read only once (standard input, a pipe) is
kept in memory for this.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest

from demotic._core import LineNotices, Lines
from demotic.counts import counted
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, display_name
from demotic.text.pairs import Pair
from demotic.text.readers.reader import Reader, ReadOptions

__all__ = ["PlainReader", "different_counts"]


def different_counts(
    source: PathLike, source_lines: int, target: PathLike, target_lines: int
) -> FormatError:
    """The error for two files with different numbers of lines."""
    return FormatError(
        f"{counted(source_lines, 'line')} here, but {target_lines:,} in {display_name(target)}",
        path=display_name(source),
        expected="equal numbers of lines",
        advice="find the missing or additional line and correct it",
    )


class _Side:
    """One of the two files; read twice, or once and kept in memory."""

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        self.path = path
        self._options = options
        self._file = self._open()
        self._kept: Lines | None = None
        self.count = -1

    def _open(self) -> LineFile:
        return LineFile(self.path, encoding_errors=self._options.encoding_errors)

    def measure(self) -> None:
        if os.fspath(self.path) != "-" and os.path.isfile(self.path):
            counted = self._open()
            self.count = sum(map(len, counted.chunks()))
            return
        self._kept = Lines()
        for chunk in self._file.chunks():
            self._kept.extend(chunk)
        self.count = len(self._kept)

    def lines(self) -> Iterator[str]:
        return iter(self._file if self._kept is None else self._kept.tolist())

    @property
    def notices(self) -> LineNotices:
        return self._file.notices


class PlainReader(Reader):
    """Pairs of lines of two text files."""

    def __init__(self, source: PathLike, target: PathLike, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._source = _Side(source, options)
        self._target = _Side(target, options)

    def check(self) -> None:
        self._source.measure()
        self._target.measure()
        source, target = self._source, self._target
        if source.count != target.count:
            raise different_counts(source.path, source.count, target.path, target.count)

    def __iter__(self) -> Iterator[Pair]:
        if self._source.count < 0:
            self.check()
        sides = zip_longest(self._source.lines(), self._target.lines())
        for number, (source, target) in enumerate(sides, 1):
            if source is None or target is None:
                raise self.error(
                    "a file that changed while being read", number, advice="run the command again"
                )
            yield Pair(source, target, self.origin, number)

    @property
    def notices(self) -> LineNotices:
        return self._source.notices + self._target.notices
