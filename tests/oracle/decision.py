"""Decision rules by enumeration: all derivations with their probabilities and words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Words = tuple[int, ...]
Weighted = Sequence[tuple[float, Words]]  # score and yield of every derivation


def ngrams(words: Words) -> Counter[Words]:
    return Counter(words[i : i + n] for n in range(1, 5) for i in range(len(words) - n + 1))


def expected_counts(derivations: Weighted, scale: float) -> tuple[float, dict[Words, float]]:
    """Expected length, and expected count of every n-gram."""
    top = max(scale * score for score, _ in derivations)
    weights = [math.exp(scale * score - top) for score, _ in derivations]
    total = math.fsum(weights)
    length, counts = 0.0, Counter[Words]()
    for weight, (_, words) in zip(weights, derivations, strict=True):
        length += weight / total * len(words)
        for gram, count in ngrams(words).items():
            counts[gram] += weight / total * count  # type: ignore[assignment]
    return length, dict(counts)


def linear_gain(words: Words, counts: dict[Words, float], precision: float, ratio: float) -> float:
    """Tromble et al. (2008), equation 7, times T."""
    gain = -float(len(words))
    for gram, count in ngrams(words).items():
        factor = 1 / (4 * precision * ratio ** (len(gram) - 1))
        gain += factor * count * min(1.0, counts[gram])
    return gain


def consensus_gain(words: Words, length: float, counts: dict[Words, float]) -> float:
    """BLEU+1 against expected counts."""
    if not any(counts.get((word,), 0.0) for word in words):
        return 0.0
    own, log = ngrams(words), 0.0
    for n in range(1, 5):
        matches = sum(min(c, counts.get(g, 0.0)) for g, c in own.items() if len(g) == n)
        total = max(len(words) - n + 1, 0)
        add = n > 1
        log += math.log((matches + add) / (total + add)) / 4
    return math.exp(log + min(0.0, 1 - length / len(words)))
