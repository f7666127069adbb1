"""Counters of the server in the text format of Prometheus."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter

__all__ = ["Metrics"]

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


class Metrics:
    """Requests by dialect and status, their durations, and translated sentences by pair.

    Labels come from fixed sets, so that clients cannot make it grow.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._sentences: Counter[str] = Counter()
        self._characters: Counter[str] = Counter()
        self._slots = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def count(
        self, dialect: str, status: int, seconds: float, pair: str, sentences: int, characters: int
    ) -> None:
        with self._lock:
            self._requests[dialect, status] += 1
            self._slots[bisect_left(_BOUNDS, seconds)] += 1
            self._seconds += seconds
            if pair:
                self._sentences[pair] += sentences
                self._characters[pair] += characters

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """All counters, and gauges given as name: (help, value)."""
        with self._lock:
            lines = [
                *_family("requests_total", "counter", "Answered requests."),
                *(
                    f'demotic_requests_total{{dialect="{dialect}",status="{status}"}} {count}'
                    for (dialect, status), count in sorted(self._requests.items())
                ),
                *self._durations(),
                *_by_pair("sentences_total", "Translated sentences.", self._sentences),
                *_by_pair("characters_total", "Translated characters.", self._characters),
            ]
        for name, (text, value) in gauges.items():
            lines += [*_family(name, "gauge", text), f"demotic_{name} {value:g}"]
        return "\n".join(lines) + "\n"

    def _durations(self) -> list[str]:
        name = "request_seconds"
        lines = _family(name, "histogram", "Time from the head of a request to its answer.")
        below = 0
        for bound, count in zip((*map("{:g}".format, _BOUNDS), "+Inf"), self._slots, strict=True):
            below += count
            lines.append(f'demotic_{name}_bucket{{le="{bound}"}} {below}')
        return [*lines, f"demotic_{name}_sum {self._seconds:.6f}", f"demotic_{name}_count {below}"]


def _family(name: str, kind: str, text: str) -> list[str]:
    return [f"# HELP demotic_{name} {text}", f"# TYPE demotic_{name} {kind}"]


def _by_pair(name: str, text: str, counts: Counter[str]) -> list[str]:
    rows = (f'demotic_{name}{{pair="{pair}"}} {count}' for pair, count in sorted(counts.items()))
    return [*_family(name, "counter", text), *rows]
