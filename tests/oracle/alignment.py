"""Alignment models by enumeration of every alignment: slow, obvious, exact in double precision.

A sentence pair in one direction: `generated` words are each explained by a position of
`conditioning` or by the empty word (None).
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Alignment = tuple[int | None, ...]
Translation = Callable[[int | None, int], float]  # (conditioning word, generated word)


@dataclass(frozen=True)
class Positions:
    """The probability of an alignment, without the words."""

    model: str
    null: float
    tension: float = 4.0
    jumps: Sequence[float] = ()
    uniform: float = 0.0

    def probability(self, alignment: Alignment, columns: int) -> float:
        if self.model == "hmm":
            return self._chain(alignment, columns)
        rows = len(alignment)
        result = 1.0
        for row, column in enumerate(alignment):
            if column is None:
                result *= self.null
            elif self.model == "ibm1":
                result *= (1 - self.null) / columns
            else:
                weights = [self._pull(row, c, rows, columns) for c in range(columns)]
                result *= (1 - self.null) * weights[column] / sum(weights)
        return result

    def _pull(self, row: int, column: int, rows: int, columns: int) -> float:
        return math.exp(-self.tension * abs((row + 1) / rows - (column + 1) / columns))

    def weight(self, jump: int) -> float:
        limit = len(self.jumps) // 2
        return self.jumps[max(-limit, min(limit, jump)) + limit]

    def _chain(self, alignment: Alignment, columns: int) -> float:
        result, last = 1.0, -1
        for column in alignment:
            if column is None:
                result *= self.null
                continue
            total = sum(self.weight(c - last) for c in range(columns))
            jump = self.weight(column - last) / total
            result *= (1 - self.null) * ((1 - self.uniform) * jump + self.uniform / columns)
            last = column
        return result


def every_alignment(rows: int, columns: int) -> Iterable[Alignment]:
    return itertools.product((None, *range(columns)), repeat=rows)


def joint(
    alignment: Alignment,
    generated: Sequence[int],
    conditioning: Sequence[int],
    translation: Translation,
    positions: Positions,
) -> float:
    result = positions.probability(alignment, len(conditioning))
    for word, column in zip(generated, alignment, strict=True):
        result *= translation(None if column is None else conditioning[column], word)
    return result


@dataclass
class Expected:
    log_likelihood: float
    links: dict[tuple[int, int | None], float]  # (row, column) to posterior
    best: Alignment


def expect(
    generated: Sequence[int],
    conditioning: Sequence[int],
    translation: Translation,
    positions: Positions,
) -> Expected:
    """The posteriors of one pair and its likeliest alignment."""
    weights = {
        alignment: joint(alignment, generated, conditioning, translation, positions)
        for alignment in every_alignment(len(generated), len(conditioning))
    }
    total = sum(weights.values())
    links: dict[tuple[int, int | None], float] = defaultdict(float)
    for alignment, weight in weights.items():
        for row, column in enumerate(alignment):
            links[row, column] += weight / total
    return Expected(math.log(total), links, max(weights, key=lambda a: weights[a]))


Table = Mapping[tuple[int | None, int], float]


def em_step(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]], table: Table, positions: Positions
) -> tuple[float, dict[tuple[int | None, int], float]]:
    """One exact step for the translations: the log-likelihood before it and the new table."""
    counts: dict[tuple[int | None, int], float] = defaultdict(float)
    log_likelihood = 0.0
    for generated, conditioning in pairs:
        expected = expect(generated, conditioning, lambda c, g: table[c, g], positions)
        log_likelihood += expected.log_likelihood
        for (row, column), posterior in expected.links.items():
            word = None if column is None else conditioning[column]
            counts[word, generated[row]] += posterior
    totals: dict[int | None, float] = defaultdict(float)
    for (word, _), count in counts.items():
        totals[word] += count
    return log_likelihood, {key: count / totals[key[0]] for key, count in counts.items()}
