"""Candidate lists of several models for one sentence, pooled: which candidate do most agree with?

Each model m weighs its candidates by p(y) proportional to exp(scale * score).  An n-gram w, n from
1 to 4, is in the translation with the probability

    p(w) = sum over m of share(m) * p(a candidate of m contains w),

and the candidate with the highest expected gain, G(y) = -|y| + sum over its n-grams w of
p(w) / (4 p r^(n-1)), is chosen: minimum Bayes risk with a linear approximation of BLEU (Tromble et
al. 2008), over the lists of several systems (DeNero et al. 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["ORDER", "PooledLists", "risk_factors"]

ORDER = 4

Floats = NDArray[np.float64]
Words = tuple[str, ...]


def risk_factors(precision: float, ratio: float) -> Floats:
    """Minus one per word, then the value of an n-gram of each order that is certain."""
    values = 1 / (ORDER * precision * ratio ** np.arange(ORDER))
    return np.concatenate([[-1.0], values])


@dataclass(frozen=True, eq=False)
class PooledLists:
    """One list per model: its candidates and their scores, best first."""

    candidates: Sequence[Sequence[Words]]
    scores: Sequence[Floats]

    @cached_property
    def distinct(self) -> list[Words]:
        """The candidates of all models in order; of equal ones the first."""
        return list(dict.fromkeys(words for one in self.candidates for words in one))

    def origin(self, candidate: int) -> tuple[int, int]:
        """The first model that has a distinct candidate, and its place in the model's list."""
        found = (
            (model, rows.index(candidate))
            for model, rows in enumerate(self._rows)
            if candidate in rows
        )
        return next(found)

    def posteriors(self, model: int, scale: float) -> Floats:
        """The probability of each distinct candidate in the list of one model."""
        weights = np.exp(scale * (self.scores[model] - self.scores[model].max()))
        found: Floats = np.zeros(len(self.distinct))
        np.add.at(found, self._rows[model], weights / weights.sum())
        return found

    @cached_property
    def _rows(self) -> list[list[int]]:
        """By model, the numbers of its candidates among the distinct ones."""
        place = {words: i for i, words in enumerate(self.distinct)}
        return [[place[words] for words in one] for one in self.candidates]

    def features(self, model: int, scale: float) -> Floats:
        """(candidates, 1 + ORDER): the length, and the sum of probabilities of n-grams by order.

        They are linear in the probabilities, so those of several models are added by their shares.
        """
        rows, ngrams, orders, present = self._ngrams
        probability = np.bincount(
            ngrams[present], self.posteriors(model, scale)[rows[present]], len(orders)
        )
        columns = rows * (1 + ORDER) + orders[ngrams]
        size = len(self.distinct) * (1 + ORDER)
        counted = np.bincount(columns, probability[ngrams], size).astype(np.float64)
        sums: Floats = counted.reshape(-1, 1 + ORDER)
        sums[:, 0] = [len(words) for words in self.distinct]
        return sums

    @cached_property
    def _ngrams(self) -> tuple[NDArray[np.intp], ...]:
        """Candidate and n-gram of every occurrence, the order of each n-gram, and the first
        occurrence of an n-gram in each candidate."""
        numbers: dict[Words, int] = {}
        rows: list[int] = []
        found: list[int] = []
        for row, words in enumerate(self.distinct):
            for n in range(1, min(ORDER, len(words)) + 1):
                for i in range(len(words) - n + 1):
                    rows.append(row)
                    found.append(numbers.setdefault(words[i : i + n], len(numbers)))
        ngrams, at = np.array(found, np.intp), np.array(rows, np.intp)
        present = np.unique(at * (len(numbers) + 1) + ngrams, return_index=True)[1]
        orders = np.array([len(words) for words in numbers], np.intp)
        return at, ngrams, orders, present

    def best(
        self, scales: Sequence[float], shares: Sequence[float], precision: float, ratio: float
    ) -> int:
        """The distinct candidate with the highest expected gain; of equal ones the first."""
        features = mixed([self.features(m, scale) for m, scale in enumerate(scales)], shares)
        return int((features @ risk_factors(precision, ratio)).argmax())


def mixed(features: Sequence[Floats], shares: Sequence[float]) -> Floats:
    """Features of several models by their shares, which sum to one."""
    return np.tensordot(np.asarray(shares), np.stack(features), axes=1)
