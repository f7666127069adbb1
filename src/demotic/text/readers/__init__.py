"""Reads sentence pairs from plain files, TSV, TMX, PO and XLIFF, optionally as gz, xz or zst.

for pair in read_pairs(["help.tmx.gz"], source_language="zh", target_language="en"):
    print(pair.source, pair.target)
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Literal, get_args

from demotic._core import LineNotices
from demotic.errors import FormatError, InputError
from demotic.lines import EncodingPolicy, PathLike
from demotic.text.pairs import Pair
from demotic.text.readers.plain import PlainReader
from demotic.text.readers.po import PoReader
from demotic.text.readers.reader import Column, Reader, ReadOptions
from demotic.text.readers.tmx import TmxReader
from demotic.text.readers.tsv import TsvReader
from demotic.text.readers.xliff import XliffReader

__all__ = ["Column", "Format", "PairCounts", "PairSource", "read_pairs"]

Format = Literal["auto", "plain", "tsv", "tmx", "po", "xliff"]

_READERS: dict[str, Callable[[PathLike, ReadOptions], Reader]] = {
    "tsv": TsvReader,
    "tmx": TmxReader,
    "po": PoReader,
    "xliff": XliffReader,
}
_SUFFIXES = {".tsv": "tsv", ".tmx": "tmx", ".po": "po", ".xlf": "xliff", ".xliff": "xliff"}
_COMPRESSED = (".gz", ".xz", ".zst")


@dataclass(frozen=True)
class PairCounts:
    """The number of pairs read, and of units skipped, by reason."""

    read: int
    skipped: dict[str, int]


class PairSource:
    """The pairs of all inputs in order.  `counts` and `notices` are those of the last pass."""

    def __init__(self, open_readers: Callable[[], list[Reader]]) -> None:
        self._open_readers = open_readers
        self._readers: list[Reader] = []
        self._read = 0

    def __iter__(self) -> Iterator[Pair]:
        self._readers = self._open_readers()
        self._read = 0
        for reader in self._readers:
            reader.check()
        for reader in self._readers:
            for pair in reader:
                self._read += 1
                yield pair

    @property
    def counts(self) -> PairCounts:
        skipped: Counter[str] = Counter()
        for reader in self._readers:
            skipped.update(reader.skipped)
        return PairCounts(self._read, {reason: n for reason, n in skipped.items() if n})

    @property
    def notices(self) -> LineNotices:
        return sum((reader.notices for reader in self._readers), LineNotices())


def read_pairs(
    inputs: Sequence[PathLike],
    *,
    source_language: str,
    target_language: str,
    format: Format = "auto",  # noqa: A002 - the word that users know
    encoding_errors: EncodingPolicy = "refuse",
    columns: tuple[Column, Column] = (1, 2),
) -> PairSource:
    """The pairs of `inputs`, one input after another; `-` is standard input.

    `auto` recognises a format by its suffix and reads all other files as plain text, which is given
    as source, target, source, target.  `encoding_errors` applies to UTF-8 in lines and to the
    charset of PO files; malformed encoding in XML is always refused.  With `skip`, malformed text
    becomes empty but its pair is kept, so that line numbers stay valid.
    """
    if format not in get_args(Format):
        raise InputError(f"format is {format!r}", expected=f"one of {', '.join(get_args(Format))}")
    options = ReadOptions(
        source_language=source_language,
        target_language=target_language,
        encoding_errors=encoding_errors,
        columns=columns,
    )
    if sum(os.fspath(path) == "-" for path in inputs) > 1:
        raise FormatError(
            "standard input given twice",
            expected="it at most once",
            advice="use a file",
        )
    plan = _planned(inputs, format)
    return PairSource(lambda: [open_reader(options) for open_reader in plan])


def _planned(inputs: Sequence[PathLike], format_: Format) -> list[Callable[[ReadOptions], Reader]]:
    """How to open each reader; plain files are joined to pairs."""
    plan: list[Callable[[ReadOptions], Reader]] = []
    rest = list(inputs)
    while rest:
        path = rest.pop(0)
        kind = _format_of(path, format_)
        if kind != "plain":
            plan.append(partial(_READERS[kind], path))
        elif rest and _format_of(rest[0], format_) == "plain":
            plan.append(partial(PlainReader, path, rest.pop(0)))
        else:
            raise FormatError(
                "a plain text file without its translation",
                path=path,
                expected="plain files in pairs: source, target, source, target",
                advice="give both files, or --format if it is TSV, TMX, PO or XLIFF",
            )
    return plan


def _format_of(path: PathLike, format_: Format) -> str:
    if format_ != "auto":
        return format_
    name = PurePath(os.fspath(path).lower())
    suffix = PurePath(name.stem).suffix if name.suffix in _COMPRESSED else name.suffix
    return _SUFFIXES.get(suffix, "plain")
