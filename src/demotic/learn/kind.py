"""Kinds of evidence: how each is collected by decoding, joined over rounds, and stored.

The loop only uses this protocol; each method names the kind that its learner needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import ArrayLike, NDArray

from demotic.learn.learner import LearnerResult
from demotic.learn.options import TuneOptions
from demotic.learn.seen_features import SeenFeatures
from demotic.metrics.metric import Metric
from demotic.search.decoder import Decoder, Progress

__all__ = ["EvidenceKind", "SearchedEvidence", "Updater"]

E = TypeVar("E")
_E_contra = TypeVar("_E_contra", contravariant=True)


@dataclass(frozen=True)
class SearchedEvidence(Generic[E]):
    """The evidence from decoding the tuning set once, and the score of the best translations."""

    evidence: E
    score: float
    """The metric's objective: higher is better, in [0, 1] for BLEU."""


class EvidenceKind(Protocol[E]):
    """Everything that the loop does with evidence."""

    search_aware: bool
    """Whether bins can be evidence of this kind (search-aware tuning)."""
    seen: SeenFeatures | None
    """Numbers the sparse features of the evidence; None if only their sum is a feature."""

    def search(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        metric: Metric,
        options: TuneOptions,
        threads: int,
        progress: Progress | None = None,
    ) -> SearchedEvidence[E]:
        """Decodes the tuning set once; `progress` gets sentences done and their total."""

    def joined(self, old: E, new: E, options: TuneOptions) -> E:
        """The evidence after another round; `old` itself if there is nothing new."""

    def size(self, evidence: E) -> int:
        """Number of candidates, or size of other evidence."""

    def arrays(self, evidence: E) -> Mapping[str, NDArray[Any]] | None:
        """Arrays to store, from which `restored` makes the same evidence.

        None if a resumed run should decode again, which gives the same.
        """

    def restored(self, arrays: Mapping[str, NDArray[Any]]) -> E: ...


class Updater(Protocol[_E_contra]):
    """A learner for some kind of evidence."""

    def update(
        self,
        weights: ArrayLike,
        evidence: _E_contra,
        metric: Metric,
        /,
        *,
        seed: int,
        round_number: int,
        threads: int,
    ) -> LearnerResult:
        """Independent of the number of threads; `report["score"]` is the metric's objective."""
