"""What all readers of parallel text share: options, counts and cleaning.

A reader of lines gets them clean from `LineFile`.  A reader of segments (TMX, PO, XLIFF) yields raw
segments, and `SegmentReader` cleans them by the same native rules.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from demotic._core import EncodingErrors, LineNotices, LineParser
from demotic.errors import FormatError, IoError
from demotic.lines import EncodingPolicy, PathLike, clean_texts, display_name
from demotic.text.pairs import Pair

__all__ = ["MAX_SEGMENT", "Column", "ReadOptions", "Reader", "SegmentReader"]

Column = int | str

# No sentence has this many characters; bounds the memory that a broken file can take.
MAX_SEGMENT = 1 << 20

_BATCH = 1024  # segments passed to the native parser at once


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """Languages as tags (`en`, `zh-CN`); columns of TSV by number from 1 or by header name."""

    source_language: str
    target_language: str
    encoding_errors: EncodingPolicy = "refuse"
    columns: tuple[Column, Column] = (1, 2)


class Reader(ABC):
    """The pairs of one input; `skipped` and `notices` are updated while reading."""

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        self.path = path
        self.origin = os.fspath(path)
        self.name = display_name(path)
        self.options = options
        self.skipped: Counter[str] = Counter()

    def check(self) -> None:
        """Raises errors that can be found before the first pair of any input is used."""
        if self.origin != "-":
            try:
                os.stat(self.path)
            except OSError as error:
                code = error.errno or 0
                raise IoError("the file cannot be opened", path=self.name, errno=code) from None

    @abstractmethod
    def __iter__(self) -> Iterator[Pair]: ...

    @property
    @abstractmethod
    def notices(self) -> LineNotices: ...

    def error(self, found: str, line: int, *, expected: str = "", advice: str = "") -> FormatError:
        return FormatError(found, path=self.name, line=line, expected=expected, advice=advice)


class SegmentReader(Reader):
    """A reader of segments with arbitrary content, including newlines."""

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._cleaner = LineParser(self.name, EncodingErrors[options.encoding_errors], False)

    @abstractmethod
    def segments(self) -> Iterator[Pair]:
        """The raw pairs of the file; a byte that could not be decoded is U+DCxx."""

    def __iter__(self) -> Iterator[Pair]:
        segments = self.segments()
        while batch := list(islice(segments, _BATCH)):
            texts = (text for pair in batch for text in (pair.source, pair.target))
            cleaned = clean_texts(self._cleaner, texts).tolist()
            sides = zip(batch, cleaned[::2], cleaned[1::2], strict=True)
            yield from (Pair(source, target, p.origin, p.line) for p, source, target in sides)

    @property
    def notices(self) -> LineNotices:
        return self._cleaner.notices
