"""Smoothed rule probabilities from the formulas of Foster, Kuhn & Johnson (2006)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

Rule = tuple[object, object]  # outcome, condition


def _clipped(value: float, k: int) -> float:
    return min(max(value, 0.0), 0.9 * k)


def kneser_ney(occurrences: Mapping[Rule, int], count: Mapping[Rule, float]) -> dict[Rule, float]:
    """p(outcome | condition) of every rule."""
    n = Counter(occurrences.values())
    y = n[1] / max(n[1] + 2 * n[2], 1)
    discounts = {
        k: _clipped(k - (k + 1) * y * n[k + 1] / n[k], k) if n[k] else 0.0 for k in (1, 2, 3)
    }
    lower = Counter(outcome for outcome, _ in occurrences)
    result = {}
    for rule in occurrences:
        given = [other for other in occurrences if other[1] == rule[1]]
        total = sum(count[other] for other in given)

        def lost(one: Rule) -> float:
            return count[one] * discounts[min(occurrences[one], 3)] / occurrences[one]

        backoff = sum(map(lost, given)) * lower[rule[0]] / len(occurrences)
        result[rule] = (count[rule] - lost(rule) + backoff) / total
    return result


def good_turing(occurrences: Mapping[Rule, int], count: Mapping[Rule, float]) -> dict[Rule, float]:
    n = Counter(occurrences.values())
    discounts = {
        k: _clipped(k - (k + 1) * n[k + 1] / n[k], k) if n[k] else 0.0 for k in range(1, 5)
    }
    result = {}
    for rule, k in occurrences.items():
        total = sum(count[other] for other in occurrences if other[1] == rule[1])
        result[rule] = count[rule] * (1 - discounts.get(k, 0.0) / k) / total
    return result
