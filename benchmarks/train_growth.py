"""Training with growing numbers of active features, and over several epochs.

The same sentences and templates as in `train`. A table of 1, 10 or 30 million features holds what
one pass over the sentences has learnt; the rest are weights of other features, whose keys no
template produces: they are never used, but all look-ups go through a table of that size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np

from benchmarks.pairing import measure
from benchmarks.train import Prepared, decoder_of, prepared
from demotic import _core

__all__ = ["main"]

SIZES = (1_000_000, 10_000_000, 30_000_000)
SENTENCES = 3_000
TURNS = 3
EPOCHS = 6
MOST_GROWTH = 1.5
MOST_LATER = 1.2


@dataclass(frozen=True)
class Row:
    """Seconds per pass, bytes per feature."""

    features: int
    training: float
    decoding: float
    bytes: float
    stored: float


def main(sizes: tuple[int, ...] = SIZES, sentences: int = SENTENCES, epochs: int = EPOCHS) -> None:
    with prepared() as ready:
        report_sizes(ready, sizes, sentences)
        report_epochs(ready, sentences, epochs)


def report_sizes(ready: Prepared, sizes: tuple[int, ...], sentences: int) -> None:
    print(f"{len(ready.order(sentences)):,} sentences, CPU s per pass, medians of {TURNS}")
    print(f"{'features':>12} {'training':>9} {'decoding':>9} {'bytes':>6} {'stored':>6}")
    first: Row | None = None
    for size in sizes:
        row = row_of(ready, size, sentences)
        first = first or row
        print(
            f"{row.features:>12,} {row.training:>9.3f} {row.decoding:>9.3f} "
            f"{row.bytes:>6.1f} {row.stored:>6.1f}   {row.training / first.training:.2f} and "
            f"{row.decoding / first.decoding:.2f} times the first",
            flush=True,
        )
    print(f"goal: at most {MOST_GROWTH} times")


def row_of(ready: Prepared, size: int, sentences: int) -> Row:
    order = ready.order(sentences)
    lines = ready.lines(order)
    table = ready.table()
    learner = ready.trainers(table)
    learner.run(0, order)
    fill(table, size, len(ready.features.templates))
    path = str(ready.scratch / "sparse.bin")
    _core.store_table(path, table, learner.steps)
    stored = _core.StoredSparseWeights.open(path, False)
    decoder = decoder_of(ready, stored)
    learner.run(0, order)
    decoder.translate(lines)
    return Row(
        features=len(table),
        training=median(measure(lambda: learner.run(0, order)).cpu for _ in range(TURNS)),
        decoding=median(measure(lambda: decoder.translate(lines)).cpu for _ in range(TURNS)),
        bytes=table.size_bytes / len(table),
        stored=stored.size_bytes / len(stored),
    )


def fill(table: _core.SparseTable, size: int, templates: int) -> None:
    """Fills the table up to this many features, with indices of templates that do not exist."""
    bits = np.uint64(64 - (templates - 1).bit_length())
    rng = np.random.default_rng(0)
    others = np.arange(templates, 1 << (templates - 1).bit_length(), dtype=np.uint64)
    assert others.size, "as many templates as numbers for them: no key is free"
    while len(table) < size:
        count = min(size - len(table), 100_000)
        rest = rng.integers(0, 1 << int(bits), count, np.uint64)
        keys = rng.choice(others, count) << bits | rest
        table.add(keys, np.ones(count, np.float32), 0)


def report_epochs(ready: Prepared, sentences: int, epochs: int) -> None:
    order = ready.order(sentences)
    table = ready.table()
    learner = ready.trainers(table)
    rng = np.random.default_rng(0)
    times = []
    for _ in range(epochs):
        times.append(measure(partial(learner.run, 0, rng.permutation(order))).cpu)
    print("CPU s of each epoch: " + ", ".join(f"{time:.2f}" for time in times))
    later = max(times[2:]) / times[1]
    print(f"the slowest later one / the second: {later:.2f} (at most {MOST_LATER})")
