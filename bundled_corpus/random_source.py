"""Reproducible random choices.

They use only `random.Random.random()`, whose sequence for a seed Python promises not to change.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class RandomSource:
    """A seeded source of choices whose results are the same on every platform and version."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self._random() * n)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One item, drawn in proportion to its weight."""
        total = 0.0
        for weight in weights:  # not sum(): Python 3.12 changed how it rounds
            total += weight
        point = self._random() * total
        for item, weight in zip(items, weights, strict=True):
            point -= weight
            if point < 0:
                return item
        return items[-1]

    def pick(self, table: dict[T, float]) -> T:
        """One key of the table, drawn in proportion to its value."""
        return self.weighted(list(table), list(table.values()))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A shuffled copy (Fisher and Yates)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result
