"""Tab-separated columns, two of which hold a sentence and its translation.

A column is given by its number from 1 or by its name; names imply a header line.  There is no
quoting: a tab always separates.  All lines must have the same number of columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from demotic._core import LineNotices
from demotic.errors import FormatError, InputError
from demotic.lines import LineFile, PathLike
from demotic.text.pairs import Pair
from demotic.text.readers.reader import Column, Reader, ReadOptions

__all__ = ["TsvReader"]


class TsvReader(Reader):
    """Pairs of two columns of a file."""

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._chosen = tuple(map(_number_or_name, options.columns))
        self._named = any(isinstance(column, str) for column in self._chosen)
        self._file = LineFile(path, encoding_errors=options.encoding_errors, keep_tabs=True)

    def __iter__(self) -> Iterator[Pair]:
        skips = self.options.encoding_errors == "skip"
        width = source = target = 0
        for number, line in enumerate(self._file, 1):
            if skips and not line:
                # Skipped malformed text has become an empty line, which keeps line numbers valid.
                yield Pair("", "", self.origin, number)
                continue
            cells = line.split("\t")
            if width == 0:
                width, (source, target) = len(cells), self._places(cells, number)
                if self._named:
                    continue
            elif len(cells) != width:
                raise self._wrong_width(len(cells), number, f"{width} as before")
            yield Pair(cells[source], cells[target], self.origin, number)
        if width == 0 and self._named:
            names = " and ".join(repr(name) for name in self._chosen if isinstance(name, str))
            raise self.error("an empty file", 0, expected=f"a header with {names}")

    def _places(self, cells: list[str], line: int) -> tuple[int, int]:
        """The indices of the two columns, from 0."""
        needed = max(2, *(column for column in self._chosen if isinstance(column, int)), 2)
        if len(cells) < needed:
            raise self._wrong_width(len(cells), line, f"at least {needed}")
        source, target = (
            column - 1 if isinstance(column, int) else self._place(column, cells, line)
            for column in self._chosen
        )
        return source, target

    def _place(self, name: str, header: list[str], line: int) -> int:
        if header.count(name) != 1:
            raise self.error(
                f"a header with the columns {', '.join(map(repr, header))}",
                line,
                expected=f"one column {name!r}",
                advice="choose columns by these names, or by number if there is no header",
            )
        return header.index(name)

    def _wrong_width(self, found: int, line: int, expected: str) -> FormatError:
        return self.error(
            f"{found} column{'s' if found != 1 else ''} separated by tabs",
            line,
            expected=expected,
            advice="replace tabs inside sentences by spaces",
        )

    @property
    def notices(self) -> LineNotices:
        return self._file.notices


def _number_or_name(column: Column) -> Column:
    if isinstance(column, str) and not (column.isascii() and column.isdigit()):
        return column
    number = int(column)
    if number < 1:
        raise InputError(f"column {number}", expected="numbers from 1, or names of a header")
    return number
