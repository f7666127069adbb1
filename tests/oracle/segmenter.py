"""A unigram segmenter from the definition: all segmentations of a run are listed.

Slow and obvious; runs are strings of one-character units.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["candidates", "expectations", "gain", "segmentations", "viterbi"]


def segmentations(run: str) -> Iterator[tuple[str, ...]]:
    """All ways to cut a run into pieces."""
    if not run:
        yield ()
    for length in range(1, len(run) + 1):
        for rest in segmentations(run[length:]):
            yield (run[:length], *rest)


def score(pieces: Sequence[str], log_probs: Mapping[str, float]) -> float:
    return sum(log_probs.get(piece, -math.inf) for piece in pieces)


def viterbi(run: str, log_probs: Mapping[str, float]) -> float:
    """The score of the best segmentation."""
    return max(score(pieces, log_probs) for pieces in segmentations(run))


def expectations(
    runs: Sequence[str], log_probs: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """Expected counts of all words, and the log likelihood."""
    counts: dict[str, float] = dict.fromkeys(log_probs, 0.0)
    likelihood = 0.0
    for run in runs:
        weighed = [(p, math.exp(score(p, log_probs))) for p in segmentations(run)]
        total = math.fsum(weight for _, weight in weighed)
        likelihood += math.log(total)
        for pieces, weight in weighed:
            for piece in pieces if weight else ():
                counts[piece] += weight / total
    return counts, likelihood


def gain(word: str, log_probs: Mapping[str, float]) -> float:
    """Nats per occurrence that a word gains over its best split into others."""
    others = [pieces for pieces in segmentations(word) if len(pieces) > 1]
    return log_probs[word] - max(score(pieces, log_probs) for pieces in others)


def candidates(runs: Sequence[str], max_units: int, min_count: int) -> dict[str, int]:
    """Substrings of several units that are frequent and have two neighbours on either side."""
    counts: Counter[str] = Counter()
    left: dict[str, set[object]] = {}
    right: dict[str, set[object]] = {}
    for run in runs:
        for i in range(len(run)):
            for j in range(i + 2, min(len(run), i + max_units) + 1):
                word = run[i:j]
                counts[word] += 1
                # An edge is worth two neighbours.
                left.setdefault(word, set()).update({run[i - 1]} if i else {0, 1})
                right.setdefault(word, set()).update({run[j]} if j < len(run) else {0, 1})
    return {
        word: count
        for word, count in counts.items()
        if count >= min_count and len(left[word]) > 1 and len(right[word]) > 1
    }
