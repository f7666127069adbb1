"""Estimates language models of text that is larger than memory.

The model is written as ARPA while it is estimated, byte by byte as `estimate_lm(...).save` writes
it.  A binary model is made from that file, which takes the memory of the model itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from demotic._core import CorpusBuilder, DiskEstimator, VocabularyBuilder
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, display_name, write_text
from demotic.lm.estimate import LmOptions
from demotic.lm.model import LanguageModel

__all__ = ["DiskEstimate", "estimate_on_disk"]


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
    texts: Sequence[PathLike],
    path: PathLike,
    options: LmOptions,
    *,
    memory: int,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> DiskEstimate:
    """Writes the model to `path`, ARPA or binary by its name; sorts in `memory` bytes and on disk.

    Temporary files are in the folder of `path`.
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
    words = VocabularyBuilder()
    read = sum([_read(estimator, words, text) for text in texts])
    if not read:
        names = ", ".join(map(display_name, texts))
        raise FormatError("no words", path=names, expected="text with words")
    name = Path(path).name
    arpa = Path(path) if name.endswith((".arpa", ".arpa.gz")) else home / f".{name}.arpa"
    try:
        with write_text(arpa) as file:
            report = estimator.finish(words.finish(), file.write, progress)
        if arpa != Path(path):
            del estimator
            model = LanguageModel.load(arpa)
            (model if options.quantize == "none" else model.quantized()).save(path)
    finally:
        if arpa != Path(path):
            arpa.unlink(missing_ok=True)
    return DiskEstimate(
        tuple(report.ngrams),
        tuple(tuple(order) for order in report.discounts),
        tuple(report.fallback_orders),
    )


def _read(estimator: DiskEstimator, words: VocabularyBuilder, text: PathLike) -> int:
    """The number of its words."""
    seen = 0
    for chunk in LineFile(text).chunks():
        builder = CorpusBuilder(words)
        builder.add(chunk)
        corpus = builder.finish()
        seen += len(corpus.words)
        estimator.add(corpus)
    return seen
