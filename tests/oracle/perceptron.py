"""An averaged perceptron over minibatches, one sentence and one number at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Perceptron"]

Values = NDArray[np.float64]
Update = dict[str, Any]  # as the trainer's `inspect` has it


@dataclass
class Perceptron:
    """All weights, their sums over batches, and how they change."""

    dense: Values
    rates: Values
    sparse_rate: float
    sum_batches: bool
    """Whether the updates of a batch are added up, not averaged over its sentences."""
    sparse: dict[int, np.float32] = field(default_factory=lambda: defaultdict(np.float32))
    steps: int = 0
    dense_sums: Values = field(init=False)
    sparse_sums: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def __post_init__(self) -> None:
        self.dense_sums = np.zeros_like(self.dense)

    def learn(self, order: Sequence[int], batch: int, inspect: Callable[[int], Update]) -> None:
        """`inspect` returns the update of a sentence under the current weights."""
        for first in range(0, len(order), batch):
            numbers = order[first : first + batch]
            updates = [one for one in map(inspect, numbers) if one["updates"]]
            self._change(updates, 1.0 if self.sum_batches else 1.0 / len(numbers))

    def _change(self, updates: list[Update], share: float) -> None:
        change = np.zeros_like(self.dense)
        for update in updates:
            change += np.array(update["dense"])
            for key, delta in update["sparse"]:
                self.sparse[key] += np.float32(share * self.sparse_rate * delta)
        self.dense = self.dense + share * self.rates * change
        self.steps += 1
        self.dense_sums += self.dense
        for key, weight in self.sparse.items():
            self.sparse_sums[key] += float(weight)

    @property
    def averaged(self) -> tuple[Values, dict[int, float]]:
        """The means over all batches of the weights after the batch."""
        sparse = {key: total / self.steps for key, total in self.sparse_sums.items()}
        return self.dense_sums / self.steps, sparse
