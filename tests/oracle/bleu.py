"""BLEU by its definition, a sentence at a time, in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def counts(candidate: str, references: Sequence[str], rule: str) -> list[float]:
    """Matches and n-grams of n = 1..4 and the reference length."""
    words, texts = candidate.split(), [reference.split() for reference in references]
    matches, totals = [], []
    for n in range(1, 5):
        limits: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            limits |= ngrams(text, n)
        matches.append(float((ngrams(words, n) & limits).total()))
        totals.append(float(ngrams(words, n).total()))
    lengths = [len(text) for text in texts]
    if rule == "closest":
        length = min(lengths, key=lambda length: (abs(length - len(words)), length))
    else:
        length = min(lengths) if rule == "shortest" else sum(lengths) / len(lengths)
    return [*matches, *totals, float(length)]


def brevity(words: float, length: float) -> float:
    return min(1.0, math.exp(1 - length / words))


def plus_one(row: Sequence[float], *, length: float | None = None, first: float = 0.0) -> float:
    """Bleu+1: one more match and n-gram for n >= 2; `first` is added to single words."""
    if row[4] == 0:
        return 0.0
    product = (row[0] + first) / (row[4] + first)
    for n in range(1, 4):
        product *= (row[n] + 1) / (row[4 + n] + 1)
    return brevity(row[4], row[8] if length is None else length) * product**0.25


def plain(row: Sequence[float]) -> float:
    """Without smoothing."""
    if min(row[:8]) <= 0:
        return 0.0
    product = math.prod(row[n] / row[4 + n] for n in range(4))
    return brevity(row[4], row[8]) * product**0.25
