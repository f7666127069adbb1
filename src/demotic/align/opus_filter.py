"""A filter for OpusFilter: keeps pairs whose words explain each other.

In the configuration of OpusFilter (documentation: docs/alignment.md):

    - type: filter
      parameters:
        inputs: [all.es, all.en]
        outputs: [good.es, good.en]
        filters:
          - AlignmentFilter: {aligner: es-en.aligner, src_threshold: -6, tgt_threshold: -6}
            module: demotic.align.opus_filter

Scores are log p(target | source) per target word and log p(source | target) per source word; higher
is better.  The text must be tokenised like the text that the aligner was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from opusfilter import CLEAN_HIGH, FilterABC

from demotic._core import EncodingErrors, LineParser
from demotic.align.aligner import Aligner
from demotic.align.stream import Columns, LinkStream
from demotic.lines import clean_texts

__all__ = ["AlignmentFilter"]

_BATCH = 1000  # pairs


class AlignmentFilter(FilterABC):  # type: ignore[misc]
    """Accepts a pair if both scores exceed their thresholds; -inf accepts every pair."""

    score_direction = CLEAN_HIGH
    accept_threshold = -math.inf
    reject_threshold = 0.0  # probabilities are at most 1, so their logarithms are at most 0

    def __init__(
        self,
        aligner: str,
        src_threshold: float = -6.0,
        tgt_threshold: float = -6.0,
        threads: int = 1,
        workdir: str = "",
        **others: Any,
    ) -> None:
        super().__init__(workdir=workdir, **others)
        self._thresholds = src_threshold, tgt_threshold
        loaded = Aligner.load(Path(workdir) / aligner)
        self._stream = LinkStream(loaded, Columns(scores=True), threads=threads)

    def score(self, pairs: Iterable[Sequence[str]]) -> Iterator[list[float]]:
        """Two scores per pair, in batches."""
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH)):
            sides = [
                clean_texts(LineParser("text", EncodingErrors.replace, False), texts)
                for texts in zip(*batch, strict=True)
            ]
            for line in self._stream.align(*sides).decode().splitlines():
                yield [float(score) for score in line.split("\t")[1:]]

    def accept(self, score: Sequence[float]) -> bool:
        return all(
            one > limit or limit == -math.inf  # of a pair with an empty side, the score is -inf
            for one, limit in zip(score, self._thresholds, strict=True)
        )
