"""Measures two sides fairly: alternating on the same machine, after a warm-up each, in CPU and wall
time; the result is the median of the paired ratios, with its range.

CPU time includes user and system time of this process, its threads and its children.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

__all__ = ["Pairing", "Seconds", "compare", "measure"]


@dataclass(frozen=True)
class Seconds:
    cpu: float
    wall: float


@dataclass(frozen=True)
class Pairing:
    """The times of side A and side B, run by run."""

    names: tuple[str, str]
    times: tuple[Sequence[Seconds], Sequence[Seconds]]
    load: float  # load average before the first run, caused by other work

    def ratios(self, kind: str = "cpu") -> list[float]:
        """B / A, pair by pair, ascending: how many times faster A is."""
        pairs = zip(*self.times, strict=True)
        return sorted(getattr(b, kind) / max(getattr(a, kind), 1e-9) for a, b in pairs)

    def report(self, work: str, settings: str) -> str:
        lines = [f"work: {work}", f"settings: {settings}"]
        lines.append(f"{len(self.times[0])} pairs in turns; load average before {self.load:.1f}")
        lines.append(f"{'side':<24} {'CPU s':>10} {'wall s':>10}   (medians)")
        for name, times in zip(self.names, self.times, strict=True):
            cpu, wall = (median(getattr(t, kind) for t in times) for kind in ("cpu", "wall"))
            lines.append(f"{name:<24} {cpu:>10.3f} {wall:>10.3f}")
        for kind in ("cpu", "wall"):
            ratios = self.ratios(kind)
            lines.append(
                f"{self.names[1]} / {self.names[0]} in {kind} time: median {median(ratios):.1f}"
                f" (min {ratios[0]:.1f}, max {ratios[-1]:.1f})"
            )
        return "\n".join(lines)


def measure(work: Callable[[], object]) -> Seconds:
    wall, cpu = time.perf_counter(), _cpu()
    work()
    return Seconds(_cpu() - cpu, time.perf_counter() - wall)


def compare(
    a: tuple[str, Callable[[], object]],
    b: tuple[str, Callable[[], object]],
    *,
    pairs: int = 5,
    warm_ups: int = 1,
) -> Pairing:
    """Runs A B A B ...; give fewer pairs only if a side is very slow, and report it."""
    load = os.getloadavg()[0]
    for _ in range(warm_ups):
        a[1]()
        b[1]()
    times: tuple[list[Seconds], list[Seconds]] = ([], [])
    for _ in range(pairs):
        for side, work in zip(times, (a[1], b[1]), strict=True):
            side.append(measure(work))
    return Pairing((a[0], b[0]), times, load)


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
