"""Aligns any amount of text with a trained aligner, in constant memory.

stream = LinkStream(aligner, threads=2)
for lines in stream.lines(PairText("pairs.tsv").batches()):
    sys.stdout.buffer.write(lines)                      # or, to a file, so that it can be resumed:
stream.write(PairText("pairs.tsv"), Path("links"))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from demotic._core import AlignerStream, Lines, StreamBatch, Symmetrization
from demotic.align.aligner import Aligner
from demotic.align.pair_text import Batch, PairText
from demotic.align.resumable import Position, ResumableText
from demotic.errors import Error

__all__ = ["Columns", "LinkStream", "StreamCounts"]

Report = Callable[[int], None]


@dataclass(frozen=True)
class Columns:
    """What is written besides the links, in columns separated by tabs."""

    scores: bool = False  # log p(target | source) per target word; the same from target to source
    posteriors: bool = False  # the probability of each link, mean of both directions


@dataclass
class StreamCounts:
    """Sums over everything that a stream has aligned."""

    pairs: int = 0
    links: int = 0
    empty: int = 0  # pairs with an empty side, without links
    cut: int = 0  # pairs longer than --max-length, aligned in pieces
    resumed: int = 0  # pairs that were aligned before an interruption

    def add(self, batch: StreamBatch) -> None:
        self.pairs += batch.pairs
        self.links += batch.links
        self.empty += batch.empty
        self.cut += batch.cut


class LinkStream:
    """Prepared once; one text after another.  Threads affect only the time."""

    def __init__(
        self, aligner: Aligner, columns: Columns | None = None, *, threads: int = 1
    ) -> None:
        columns = columns or Columns()
        options = aligner.options
        self._aligner = aligner
        self._columns = columns
        self.counts = StreamCounts()
        self._native = AlignerStream(
            aligner.native_,
            aligner.vocabulary_,
            Symmetrization[options.symmetrize],
            options.posterior,
            columns.scores,
            columns.posteriors,
            threads,
        )

    def align(self, source: Lines, target: Lines) -> bytes:
        """One line of UTF-8 per pair."""
        batch = self._native.align(source, target)
        self.counts.add(batch)
        return batch.text

    def lines(self, batches: Iterable[Batch]) -> Iterator[bytes]:
        """The lines of each batch, which `PairText.batches` yields."""
        for source, target in batches:
            yield self.align(source, target)

    @cached_property
    def key(self) -> dict[str, Any]:
        """Everything but the text that the links depend on."""
        options = self._aligner.options
        return {
            "aligner": self._aligner.digest(),
            "symmetrize": options.symmetrize,
            "posterior": options.posterior,
            **asdict(self._columns),
        }

    def write(
        self, text: PairText, path: Path, *, force: bool = False, report: Report | None = None
    ) -> None:
        """Writes the links of a text to a file; resumes one that was begun in the same way."""
        out = ResumableText(path, self.key, force=force)
        position = out.begin_at
        try:
            batches = text.batches()
            rest = _skip(batches, out.begin_at, text)
            self.counts.pairs += position.pairs
            self.counts.resumed += position.pairs
            for source, target in rest:
                links = self.align(source, target)
                ahead = replace(position)
                ahead.advance(source, target)
                out.write(links, ahead)
                position = ahead
                if report:
                    report(self.counts.pairs)
            out.finish()
        except BaseException:
            out.close()
            raise


def _skip(batches: Iterator[Batch], begin_at: Position, text: PairText) -> Iterator[Batch]:
    """The batches from a position on, after comparing everything before it."""
    seen = Position()
    for source, target in batches:
        if seen.pairs >= begin_at.pairs:
            yield source, target
            continue
        left = min(begin_at.pairs - seen.pairs, len(source))
        seen.advance(source.slice(0, left), target.slice(0, left))
        if seen.pairs == begin_at.pairs:
            _compare(seen, begin_at, text)
        if left < len(source):
            yield source.slice(left, len(source)), target.slice(left, len(target))
    if seen.pairs < begin_at.pairs:
        _compare(seen, begin_at, text)


def _compare(seen: Position, begin_at: Position, text: PairText) -> None:
    if seen != begin_at:
        raise Error(
            f"not the text whose first {begin_at.pairs:,} pairs are aligned already",
            path=text.name,
            expected="the same text as before the interruption",
            advice="give --force to begin again, or choose another name for the links",
        )
