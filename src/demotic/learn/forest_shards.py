"""The shards of forest MIRA: parallel learners, by one of the schemes of `scheme.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from demotic.learn.forest_evidence import ForestEvidence
from demotic.learn.forest_visit import Step, Visit, step_for
from demotic.metrics import PseudoDocument

if TYPE_CHECKING:
    from demotic.learn.forest_mira import ForestMira

__all__ = ["ForestShards"]

Vector = NDArray[np.float64]
State = Mapping[str, Vector]
T = TypeVar("T")
R = TypeVar("R")
Map = Callable[[Callable[[T], R], Iterable[T]], Iterable[R]]


class _Shard:
    """Weights and a pseudo-document; the sums of a pass."""

    def __init__(self, weights: Vector, document: PseudoDocument) -> None:
        self.weights = weights
        self.document = document
        self.begin(weights)

    def begin(self, weights: Vector) -> None:
        self.start, self.weights = weights, weights.copy()
        self.drift = np.zeros_like(weights)
        self.visits = self.moved = 0
        self.loss = 0.0

    def move(self, steps: Sequence[Step], visits: int) -> None:
        """Adds steps that were found with the same weights, by so many visits."""
        for features, change in steps:
            self.weights[features] += change
            self.drift[features] += self.visits * change
        self.visits += visits

    @property
    def mean_change(self) -> Vector:
        """The average of the weights over the visits since the start, minus those of the start.

        A step counts for all visits but those before it, so that features without a step cost
        nothing.
        """
        return (self.weights - self.start) - self.drift / max(self.visits, 1)


class ForestShards:
    """Passes over the forests; independent of the number of threads.

    They start from the weights with empty pseudo-documents, or continue from a `state`.
    """

    def __init__(
        self,
        options: ForestMira,
        evidence: ForestEvidence,
        weights: Vector,
        state: State | None = None,
    ) -> None:
        self._options = options
        self._evidence = evidence
        self._lengths = _reference_lengths(evidence)
        self._start = _first_document(evidence, options.decay)
        self._shards = [_Shard(weights, self._start) for _ in range(options.shards)]
        self.weights = self.average = weights
        if state is not None:
            self._restore(state)
        _ = evidence.native  # created once, before threads use it

    @property
    def state(self) -> State:
        """Weights, those of each shard if they are independent, and pseudo-documents."""
        documents = [shard.document for shard in self._shards]
        own = [shard.weights for shard in self._shards] if self._independent else []
        return {
            "weights": np.stack([self.weights, *own]),
            "counts": np.stack([document.counts for document in documents]),
            "source_lengths": np.array([document.source_length for document in documents]),
        }

    def _restore(self, state: State) -> None:
        known = state["weights"].shape[1]
        # Sparse features that were seen since have the weights of the start.
        more = np.tile(self.weights[known:], (len(state["weights"]), 1))
        all_weights = np.concatenate([state["weights"], more], axis=1)
        self.weights = self.average = all_weights[0]
        rows = zip(state["counts"], state["source_lengths"].tolist(), strict=True)
        for shard, (counts, source_length) in zip(self._shards, rows, strict=True):
            shard.document = replace(shard.document, counts=counts, source_length=source_length)
        for shard, weights in zip(self._shards, all_weights[1:], strict=self._independent):
            shard.weights = weights

    @property
    def _independent(self) -> bool:
        return self._options.scheme == "independent"

    def sweep(self, order: list[int], threads: int) -> tuple[float, float]:
        """One pass; returns the number of sentences with an update, and the total loss."""
        for shard in self._shards:
            shard.begin(shard.weights if self._independent else self.weights)
        with _mapping(threads) as mapped:
            if self._options.scheme in ("minibatch", "shared"):
                self._together(order, mapped)
            else:
                list(mapped(lambda s: self._apart(s, order), range(len(self._shards))))
                self._mix()
        moved = sum(shard.moved for shard in self._shards)
        return float(moved), sum(shard.loss for shard in self._shards)

    def _visited(self, shard: _Shard, place: int, weights: Vector) -> Visit | None:
        length = float(self._lengths[place])
        visit = Visit(self._options, self._evidence, place, shard.document, length)
        if not visit.search(weights):
            return None
        shard.loss += visit.loss
        shard.document = visit.after
        return visit

    def _apart(self, place: int, order: list[int]) -> None:
        """One shard's part of the sentences."""
        shard = self._shards[place]
        for sentence in order[place :: len(self._shards)]:
            visit = self._visited(shard, sentence, shard.weights)
            if visit is not None:
                step = step_for([visit], self._options)
                shard.move([step], 1)
                shard.moved += bool(step.change.any())

    def _mix(self) -> None:
        """Averages differences, so that without updates no bit changes."""
        base, total = self.weights, sum(shard.visits for shard in self._shards)
        weights, average = base.copy(), base.copy()
        for shard in self._shards:
            if shard.visits:
                weights += (shard.weights - shard.start) / len(self._shards)
                begun = shard.start - base
                average += (begun + shard.mean_change) * (shard.visits / total)
        self.weights, self.average = weights, average

    def _together(self, order: list[int], mapped: Map[int, Visit | None]) -> None:
        """One sentence per shard with the same weights, then one step for all."""
        common = _Shard(self.weights, self._start)
        count = len(self._shards)
        for first in range(0, len(order), count):
            batch = order[first : first + count]

            def visited(
                s: int, batch: list[int] = batch, weights: Vector = common.weights
            ) -> Visit | None:
                return self._visited(self._shards[s], batch[s], weights)

            found = mapped(visited, range(len(batch)))
            visits = [visit for visit in found if visit is not None]
            if visits:
                steps = self._steps(visits)
                common.move(steps, len(visits))
                moved = any(step.change.any() for step in steps)
                self._shards[0].moved += len(visits) * moved
        self.weights = common.weights
        self.average = common.start + common.mean_change

    def _steps(self, visits: list[Visit]) -> list[Step]:
        if self._options.scheme == "shared":
            return [step_for(visits, self._options)]
        found = [step_for([visit], self._options) for visit in visits]
        return [Step(features, change / len(visits)) for features, change in found]


@contextmanager
def _mapping(threads: int) -> Iterator[Map[int, Visit | None]]:
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map


def _first_document(evidence: ForestEvidence, decay: float) -> PseudoDocument:
    """Nothing chosen yet."""
    if evidence.counts_words:
        return PseudoDocument(decay=decay)
    metric = evidence.metric
    return PseudoDocument(metric.background, decay=decay, scores=metric.objective)


def _reference_lengths(evidence: ForestEvidence) -> Vector:
    """The reference length of each sentence: the shortest (also for closest), or the average."""
    none = np.zeros(len(evidence) + 1, np.int64)
    rows = evidence.bleu.statistics_of_ids(none, np.zeros(0, np.int32), evidence.sentences)
    lengths: Vector = evidence.bleu.counts(rows)[:, -1]
    return lengths
