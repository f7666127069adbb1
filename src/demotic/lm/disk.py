"""Estimates language models of text that is larger than memory, or counted by workers.

The model is written, ARPA or binary, byte by byte as `estimate_lm(...).save` writes it, and is
never in memory as a whole.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from demotic._core import Corpus, CorpusBuilder, DiskEstimator, Vocabulary, VocabularyBuilder
from demotic.errors import FormatError
from demotic.lines import PathLike, write_text
from demotic.lm.estimate import LmOptions, estimate_lm
from demotic.lm.shared_counts import SharedCounts, StoredCounts, TokenFile, count_part
from demotic.lm.text import LineSource, text_chunks, text_name
from demotic.workers.rounds import of_round

if TYPE_CHECKING:
    from demotic.workers import Shard, Workers

__all__ = ["DEFAULT_MEMORY", "DiskEstimate", "count_shard", "estimate_on_disk", "estimate_to_file"]

DEFAULT_MEMORY = 1 << 30


@dataclass(frozen=True)
class DiskEstimate:
    """What is known of the model without opening it."""

    counts: tuple[int, ...]  # n-grams by order
    discounts: tuple[tuple[float, ...], ...]
    fallback_orders: tuple[int, ...]

    @property
    def order(self) -> int:
        return len(self.counts)


def estimate_on_disk(
    text: LineSource,
    path: PathLike,
    options: LmOptions,
    *,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    workers: Workers | None = None,
    counted: Iterable[bytes] | None = None,
    progress: Callable[..., None] | None = None,
) -> DiskEstimate:
    """Writes the model to `path`, ARPA or binary by its name; sorts in `memory` bytes and on disk.

    `workers` count the n-grams, each in as much memory; or they were `counted` by `count_shard`,
    and this is what it returned for every shard, in order.  Temporary files are in the folder of
    `path`.
    """
    home = Path(path).parent
    home.mkdir(parents=True, exist_ok=True)
    estimator = DiskEstimator.make(
        options.order,
        options.thresholds(),
        options.discount_fallback,
        memory,
        os.fspath(home),
        threads,
    )
    counts: SharedCounts | StoredCounts | nullcontext[None] = nullcontext()
    if counted is not None and options.order > 1:
        counts = StoredCounts(counted, home)
    elif workers is not None and options.order > 1:
        counts = SharedCounts(workers, options.order, memory, home)
    with counts as shared:
        words = _read(text, shared or estimator)
        told = progress
        if shared is not None:
            shared.count(estimator, of_round(progress, 0, 2))
            told = of_round(progress, 1, 2)
        if Path(path).name.endswith((".arpa", ".arpa.gz")):
            with write_text(path) as file:
                report = estimator.write(words, file.write, threads, told)
        else:
            quantized = options.quantize != "none"
            report = estimator.write_binary(words, os.fspath(path), quantized, told)
    return DiskEstimate(
        tuple(report.ngrams),
        tuple(tuple(order) for order in report.discounts),
        tuple(report.fallback_orders),
    )


def count_shard(text: LineSource, options: LmOptions, shard: Shard, memory: int) -> bytes:
    """The n-grams that begin with some of the words, counted and sorted, for `estimate_on_disk`.

    None of order 1, which are counted by whoever estimates.
    """
    with (
        tempfile.TemporaryDirectory(prefix="demotic-") as folder,
        TokenFile(Path(folder)) as encoded,
    ):
        _read(text, encoded)
        words = encoded.parts(shard.of)[shard.number - 1]
        if options.order == 1 or words[0] == words[1]:
            return b""
        asked = {"tokens": str(encoded.finish()), "order": options.order, "memory": memory}
        out = Path(folder) / "counted"
        count_part({**asked, "words": words}, out)
        return out.read_bytes()


def estimate_to_file(
    text: LineSource,
    path: PathLike,
    options: LmOptions,
    *,
    threads: int = 1,
    workers: Workers | None = None,
    progress: Callable[..., None] | None = None,
) -> None:
    """Writes the model to `path`; estimates it on disk if workers count the n-grams."""
    if workers is None:
        estimate_lm(text, options, progress=progress).save(path, threads=threads)
    else:
        estimate_on_disk(text, path, options, threads=threads, workers=workers, progress=progress)


class _Reader(Protocol):
    """What encoded text is given to, in parts."""

    def add(self, text: Corpus) -> None: ...


def _read(text: LineSource, reader: _Reader) -> Vocabulary:
    """Encodes the text; returns its words."""
    words, seen = VocabularyBuilder(), 0
    for chunk in text_chunks(text):
        builder = CorpusBuilder(words)
        builder.add(chunk)
        corpus = builder.finish()
        seen += len(corpus.words)
        reader.add(corpus)
    if not seen:
        raise FormatError("no words", path=text_name(text), expected="text with words")
    return words.finish()
