"""Kinds of evidence: how each is found by a search, put together over rounds, and kept in files.

The loop knows evidence only through these; a method names the kind that its learner asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import ArrayLike, NDArray

from demotic.learn.learner import LearnerResult
from demotic.learn.options import TuneOptions
from demotic.metrics.metric import Metric
from demotic.search.decoder import Decoder, Progress

__all__ = ["EvidenceKind", "Found", "Updater"]

E = TypeVar("E")
_E_contra = TypeVar("_E_contra", contravariant=True)


@dataclass(frozen=True)
class Found(Generic[E]):
    """The evidence of one search of the tuning set, and what its best translations score."""

    evidence: E
    score: float
    """The metric's objective: higher is better, in [0, 1] for BLEU."""


class EvidenceKind(Protocol[E]):
    """Everything that the loop does with evidence."""

    search_aware: bool
    """Whether bins can be evidence of this kind."""

    def search(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        metric: Metric,
        options: TuneOptions,
        threads: int,
        progress: Progress | None = None,
    ) -> Found[E]:
        """Searches the tuning set once; `progress` gets sentences done and in all."""

    def joined(self, old: E, new: E, options: TuneOptions) -> E:
        """What is known after a further round; `old` itself if there is nothing new."""

    def size(self, evidence: E) -> int:
        """Candidates, or what else there is to count."""

    def arrays(self, evidence: E) -> Mapping[str, NDArray[Any]] | None:
        """For a file, of which `restored` makes the same evidence.

        None if a run that was stopped should rather search again: that finds the same.
        """

    def restored(self, arrays: Mapping[str, NDArray[Any]]) -> E: ...


class Updater(Protocol[_E_contra]):
    """A learner of some kind of evidence."""

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
        """The same for any number of threads; `score` of the report is the metric's objective."""
