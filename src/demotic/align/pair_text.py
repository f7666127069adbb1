"""Parallel text read in batches: two files, or files whose lines hold both sides.

Lines with both sides are columns separated by tabs or `source ||| target`; which of the two is
seen from the first line.  Nothing is kept, so memory does not depend on the size of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from demotic._core import EncodingErrors, LineParser, Lines, VocabularyBuilder, split_pairs
from demotic.align.joined import SEPARATOR
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, display_name, open_plain_bytes
from demotic.text.corpus import Encoder, finished
from demotic.text.parallel import ParallelCorpus
from demotic.text.readers.plain import different_counts

__all__ = ["Batch", "PairText", "read_parallel"]

Batch = tuple[Lines, Lines]
BATCH_BYTES = 1 << 20


@dataclass(frozen=True)
class PairText:
    """`target` is the second file of a pair of files; without it, `source` holds both sides."""

    source: PathLike
    target: PathLike | None = None
    columns: tuple[int, int] = (0, 1)  # of files with tabs

    @property
    def name(self) -> str:
        return display_name(self.source)

    @property
    def standard_input(self) -> bool:
        return "-" in (self.source, self.target)

    def batches(self) -> Iterator[Batch]:
        """Source and target lines, equal in number. Raises FormatError and IoError.

        Standard input is passed on as it arrives, files in batches of about one megabyte.
        """
        if self.target is None:
            return self._both()
        return self._zipped(self.source, self.target)

    def count(self) -> int:
        """The number of pairs; reads the text."""
        return sum(len(source) for source, _ in self.batches())

    def _zipped(self, source: PathLike, target: PathLike) -> Iterator[Batch]:
        sides = [_grouped(LineFile(path).chunks(), wait=True) for path in (source, target)]
        waiting = [Lines(), Lines()]
        seen = [0, 0]
        ended = [False, False]
        while not all(ended):
            for k in (0, 1):
                if len(waiting[k]) == 0 and not ended[k]:
                    more = next(sides[k], None)
                    ended[k] = more is None
                    waiting[k] = more or Lines()
                    seen[k] += len(waiting[k])
            ready = min(map(len, waiting))
            if ready:
                yield waiting[0].slice(0, ready), waiting[1].slice(0, ready)
                waiting = [lines.slice(ready, len(lines)) for lines in waiting]
            elif any(ended) and any(map(len, waiting)):
                for k in (0, 1):
                    seen[k] += sum(map(len, sides[k]))
                raise different_counts(source, seen[0], target, seen[1])

    def _both(self) -> Iterator[Batch]:
        """From lines that hold both sides."""
        data = open_plain_bytes(self.source)
        first = next(data, b"")
        while b"\n" not in first.lstrip() and (more := next(data, b"")):
            first += more
        tabs = _has_tabs(first, self.name)
        parser = LineParser(self.name, EncodingErrors.refuse, tabs)
        line = 1
        chunks = _parsed(parser, chain([first], data))
        for chunk in _grouped(chunks, wait=not self.standard_input):
            yield split_pairs(chunk, tabs, *self.columns, self.name, line)
            line += len(chunk)


def _parsed(parser: LineParser, data: Iterable[bytes]) -> Iterator[Lines]:
    for part in data:
        parser.feed(part)
        yield parser.take()
    parser.finish()
    yield parser.take()


def _has_tabs(data: bytes, name: str) -> bool:
    """Whether the text has columns separated by tabs, judged by its first line with words."""
    first = next((line for line in data.split(b"\n") if line.strip()), b"\t")
    if b"\t" in first:
        return True
    if SEPARATOR.encode() not in first.split():
        raise FormatError(
            f"0 separators '{SEPARATOR}'",
            path=name,
            line=1,
            expected=f"one: source {SEPARATOR} target, or columns separated by tabs",
            advice="give two files if each side has a file of its own",
        )
    return False


def _grouped(chunks: Iterator[Lines], *, wait: bool) -> Iterator[Lines]:
    """Chunks joined to batches, if they can be waited for; without empty ones."""
    batch = Lines()
    for chunk in chunks:
        batch.extend(chunk)
        if len(batch) and (not wait or batch.byte_size >= BATCH_BYTES):
            yield batch
            batch = Lines()
    if len(batch):
        yield batch


def read_parallel(
    texts: Sequence[PairText], chosen: NDArray[np.bool_] | None = None
) -> ParallelCorpus:
    """All pairs of the texts, one after another, or those where `chosen` is true."""
    words = VocabularyBuilder()
    source, target = Encoder("source", words), Encoder("target", words)
    origin: list[NDArray[np.int32]] = []
    line: list[NDArray[np.int64]] = []
    before = 0
    for number, text in enumerate(texts):
        at = 0
        for batch in text.batches():
            size = len(batch[0])
            kept = np.arange(size) if chosen is None else np.flatnonzero(chosen[before:][:size])
            for encoder, lines in zip((source, target), batch, strict=True):
                encoder.add(lines if len(kept) == size else _picked(lines, kept.tolist()))
            origin.append(np.full(len(kept), number, np.int32))
            line.append(at + kept.astype(np.int64) + 1)
            at += size
            before += size
    known = finished(words)
    return ParallelCorpus(
        source.finish(known),
        target.finish(known),
        np.concatenate([np.zeros(0, np.int32), *origin]),
        np.concatenate([np.zeros(0, np.int64), *line]),
        tuple(text.name for text in texts),
    )


def _picked(lines: Lines, indices: list[int]) -> Lines:
    picked = Lines()
    for index in indices:
        picked.append(lines[index])
    return picked
