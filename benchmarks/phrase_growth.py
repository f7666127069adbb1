"""How the time of phrase search grows with pop limit, length, distortion limit and text.

An exponent is the slope of a least-squares line through the logarithms; R2 is its fit.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.pairing import measure
from benchmarks.phrase_models import Task, decoder
from benchmarks.texts import sentences

__all__ = ["Point", "growth"]

Point = tuple[float, float]  # size, seconds

LENGTHS = (10, 20, 40, 60, 80, 100)
DISTORTION_LIMITS = (0, 2, 4, 6, 8, 10)
COUNTS = (1_000, 2_500, 5_000, 10_000, 20_000)
WORDS = 9_600  # a multiple of most lengths; the remainder is dropped


def growth(long: Task, short: Task, curves: Mapping[str, Sequence[Point]]) -> None:
    """`long` has long sentences; `curves` holds seconds by pop limit."""
    print("\ngrowth (CPU time, one thread)")
    for name, points in curves.items():
        wide = [point for point in points if point[0] >= 30]
        _slope(f"pop limit 30 to 3000, {name}", wide, low=None, high=1.05)
    by_length(long)
    by_distortion_limit(long)
    by_sentences(short)


def by_length(task: Task) -> None:
    """The same words, split into lines of each length regardless of sentence ends."""
    words = " ".join(task.source).split()[:WORDS]
    points = []
    for length in LENGTHS:
        whole = range(0, len(words) - length + 1, length)
        lines = [" ".join(words[i : i + length]) for i in whole]
        points.append((float(length), _least(task, lines) / (len(lines) * length)))
    _ratio(f"us per word by length, joined and cut text of {task.name}, pop limit 100", points, 1.3)


def by_distortion_limit(task: Task) -> None:
    lines = task.source[:300]
    words = sum(len(line.split()) for line in lines)
    points = [(float(limit), _least(task, lines, limit) / words) for limit in DISTORTION_LIMITS]
    _ratio(f"us per word by distortion limit, {task.name}, pop limit 100", points, 4)


def by_sentences(task: Task) -> None:
    """Training sentences without repetition, since the other sets are too small."""
    every, _ = sentences(f"{task.name}/tok/train.zh.gz")
    lines = sorted({" ".join(words) for words in every})
    random.Random(1).shuffle(lines)
    _least(task, lines[: COUNTS[-1]], pop_limit=30, runs=1)
    points = [(float(count), _least(task, lines[:count], pop_limit=30)) for count in COUNTS]
    _slope(f"sentences 1,000 to 20,000, {task.name} training set, pop limit 30", points, 0.97, 1.03)


def _least(
    task: Task, lines: list[str], limit: int = 6, *, pop_limit: int = 100, runs: int = 3
) -> float:
    """The minimum of a few runs, since other work can only add to the time."""

    def work() -> None:
        decoder(task.model, pop_limit, limit).translate(lines)

    return min(measure(work).cpu for _ in range(runs))


def _slope(what: str, points: Sequence[Point], low: float | None, high: float) -> None:
    x, y = (np.log([point[i] for point in points]) for i in (0, 1))
    slope, intercept = np.polyfit(x, y, 1)
    unexplained = ((y - slope * x - intercept) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    fits = (low is None or slope >= low) and slope <= high
    wanted = f"at most {high}" if low is None else f"{low} to {high}"
    print(
        f"{what}: exponent {slope:.3f}, R2 {1 - unexplained:.4f}; wanted {wanted}:"
        f" {'ok' if fits else 'outside' if low else 'over'}",
        flush=True,
    )


def _ratio(what: str, points: Sequence[Point], most: float) -> None:
    shown = ", ".join(f"{size:g}: {1e6 * seconds:.1f}" for size, seconds in points)
    ratio = points[-1][1] / points[0][1]
    verdict = "ok" if ratio <= most else "over"
    print(f"{what}: {shown}; last / first {ratio:.2f}, wanted at most {most:g}: {verdict}")
    positive = [point for point in points if point[0] > 0]
    x, y = (np.log([point[i] for point in positive]) for i in (0, 1))
    print(
        f"  exponent {np.polyfit(x, y, 1)[0]:.3f}, R2 {np.corrcoef(x, y)[0, 1] ** 2:.4f}",
        flush=True,
    )
