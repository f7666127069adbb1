"""The native trainers of a run, one per part of the bitext, which share one set of weights.

The sparse table is the same object for all; the dense weights, their sums for averaging and the
number of steps are passed from each trainer to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import Error
from demotic.native_options import to_native
from demotic.train.checkpoint import Checkpoint

if TYPE_CHECKING:
    from demotic.search.options import SearchOptions
    from demotic.train.features import FeatureSet
    from demotic.train.options import TrainOptions
    from demotic.train.own_rule import RuleChoice
    from demotic.train.parts import Part

__all__ = ["Trainers", "native_options"]

Values = NDArray[np.float64]


class Trainers:
    """All weights, and the trainers that change them."""

    def __init__(
        self,
        parts: Sequence[Part],
        features: FeatureSet | None,
        table: _core.SparseTable | None,
        options: TrainOptions,
        search: SearchOptions,
        *,
        rates: Sequence[float],
        sparse_rate: float,
        threads: int,
        rule: RuleChoice | None = None,
    ) -> None:
        self._parts = parts
        native = native_options(options, rates, sparse_rate, threads, rule)
        self._models = [part.native(features, table) for part in parts]
        self._sources = [
            part.pairs.sentences(model) for part, model in zip(parts, self._models, strict=True)
        ]
        start = np.zeros(len(rates))
        self._trainers = [_trainer(model, table, search, native, start) for model in self._models]
        self._last: Any = self._trainers[0]
        self.table = table

    def restore(self, state: Checkpoint) -> None:
        self._last.restore(np.array(state.weights), np.array(state.sums), state.steps)

    def run(self, part: int, order: NDArray[np.int64]) -> _core.TrainingCounts:
        """Trains on sentences of a part."""
        counts: _core.TrainingCounts = self._current(part).run(
            self._sources[part], self._parts[part].pairs.gold, order, None
        )
        self._refuse_not_finite()
        return counts

    def find(self, part: int, batch: NDArray[np.int64]) -> bytes:
        """The updates of sentences of a part, for `apply`; weights do not change."""
        found: bytes = self._current(part).find(
            self._sources[part], self._parts[part].pairs.gold, batch
        )
        return found

    def apply(self, part: int, updates: bytes, counts: _core.TrainingCounts) -> None:
        """Changes the weights by the updates of a whole batch."""
        self._current(part).apply(updates, counts)

    def _current(self, part: int) -> Any:
        """The trainer of a part, with the current weights."""
        trainer = self._trainers[part]
        if trainer is not self._last:
            trainer.restore(self._last.weights, self._last.sums, self._last.steps)
            self._last = trainer
        return trainer

    @property
    def weights(self) -> Values:
        weights: Values = self._last.weights
        return weights

    @property
    def averaged(self) -> Values:
        averaged: Values = self._last.averaged
        return averaged

    @property
    def steps(self) -> int:
        return int(self._last.steps)

    def state(self, state: Checkpoint, **changed: Any) -> Checkpoint:
        """A checkpoint of the current state."""
        return replace(
            state,
            weights=list(self._last.weights),
            sums=list(self._last.sums),
            steps=self.steps,
            **changed,
        )

    def _refuse_not_finite(self) -> None:
        weights = self.weights
        if not np.isfinite(weights).all() or float(np.abs(weights).max()) > 1e15:
            raise Error(
                "weights that are no longer finite",
                expected="an update that converges",
                advice="give a smaller --rate or --dense-rate; the last checkpoint still exists",
            )


def native_options(
    options: TrainOptions,
    rates: Sequence[float],
    sparse_rate: float,
    threads: int,
    rule: RuleChoice | None = None,
) -> _core.TrainerOptions:
    violations = options.violations()
    if rule is not None:
        rule.apply(violations)
    return to_native(
        _core.TrainerOptions,
        violations=violations,
        batch=options.batch,
        sum=options.combine == "sum",
        rates=list(rates),
        sparse_rate=sparse_rate,
        threads=threads,
    )


def _trainer(
    model: Any,
    table: _core.SparseTable | None,
    search: SearchOptions,
    options: _core.TrainerOptions,
    start: Values,
) -> Any:
    if isinstance(model, _core.HieroModel):
        return _core.HieroTrainer(model, table, search.hiero(), options, start)
    return _core.PhraseTrainer(model, table, search.phrase(), options, start)
