"""Forests as evidence: those of the last rounds, each sentence's under one root."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from demotic.learn.forest_evidence import ForestEvidence, joined, searched_forests
from demotic.learn.kind import SearchedEvidence
from demotic.learn.options import TuneOptions
from demotic.learn.seen_features import SeenFeatures
from demotic.metrics.metric import Metric
from demotic.search.decoder import Decoder, Progress

__all__ = ["ForestKind"]

_ROUNDS = 3  # a forest holds far more than a list, so older ones add little


class ForestKind:
    """Forests, whole or pruned, of at most three rounds; use one object per run."""

    search_aware = False

    def __init__(self) -> None:
        self.seen: SeenFeatures | None = None
        self._rounds: list[ForestEvidence] = []

    def search(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        metric: Metric,
        options: TuneOptions,
        threads: int,
        progress: Progress | None = None,
    ) -> SearchedEvidence[ForestEvidence]:
        density = math.inf if options.forest_density is None else options.forest_density
        found = searched_forests(
            decoder,
            lines,
            metric,
            density=density,
            seen=self.seen,
            threads=threads,
            progress=progress,
        )
        return SearchedEvidence(found.evidence, found.score)

    def joined(
        self, old: ForestEvidence, new: ForestEvidence, options: TuneOptions
    ) -> ForestEvidence:
        self._rounds = [*(self._rounds or [old]), new][-_ROUNDS:]
        return joined(self._rounds)

    def size(self, evidence: ForestEvidence) -> int:
        return evidence.edges

    def arrays(self, evidence: ForestEvidence) -> None:
        """None: a resumed run decodes again."""

    def restored(self, arrays: Mapping[str, NDArray[Any]]) -> ForestEvidence:
        raise NotImplementedError("forests are not stored; decode again")
