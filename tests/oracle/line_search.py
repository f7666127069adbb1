"""The best point on a line, by trying every interval between two crossings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from demotic.learn import Pool


def winners(pool: Pool, weights: np.ndarray, direction: np.ndarray, step: float) -> np.ndarray:
    """The best candidate of every list at a step; of equal lines the first."""
    scores, slopes = (pool.dense.astype(float) @ vector for vector in (weights, direction))
    scores = scores + step * slopes
    bounds = pairwise(pool.offsets.tolist())
    return np.array([begin + int(np.argmax(scores[begin:end])) for begin, end in bounds])


def crossings(pool: Pool, weights: np.ndarray, direction: np.ndarray) -> list[float]:
    """Where two lines of a list meet."""
    scores, slopes = (pool.dense.astype(float) @ vector for vector in (weights, direction))
    found = set()
    for begin, end in pairwise(pool.offsets.tolist()):
        for i in range(begin, end):
            for j in range(begin, i):
                if slopes[i] != slopes[j]:
                    found.add((scores[j] - scores[i]) / (slopes[i] - slopes[j]))
    return sorted(found)


def best_on_line(
    pool: Pool, metric: Any, weights: np.ndarray, direction: np.ndarray
) -> tuple[float, float]:
    """Step and score: the middle of the best interval, of equals that nearest to 0."""
    distinct: list[float] = []
    for at in crossings(pool, weights, direction):
        if not distinct or at - distinct[-1] > 1e-9:
            distinct.append(at)
    ends = [-np.inf, *distinct, np.inf]
    intervals: list[list[Any]] = []
    for left, right in pairwise(ends):
        step = _inside(left, right)
        rows = pool.statistics[winners(pool, weights, direction, step)]
        if intervals and np.array_equal(intervals[-1][2], rows):
            intervals[-1][1] = right
        else:
            intervals.append([left, right, rows])
    scored = [
        (
            float(metric.objective(rows.sum(axis=0)[None])[0]),
            -max(0.0, left, -right),
            _inside(left, right),
        )
        for left, right, rows in intervals
    ]
    top = max(score for score, _, _ in scored)
    score, _, step = max(entry for entry in scored if entry[0] >= top - 1e-12)
    return step, score


def _inside(left: float, right: float) -> float:
    if np.isinf(left):
        return 0.0 if np.isinf(right) else right - 1
    return left + 1 if np.isinf(right) else (left + right) / 2
