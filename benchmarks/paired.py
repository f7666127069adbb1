"""Paired tests between systems of a grid, over all their runs (Clark et al. 2011)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.results import Results
from demotic.metrics import Metric
from demotic.metrics.significance import PairedTest, bootstrap, compare

__all__ = ["compared", "statistics"]

SAMPLES, TRIALS = 1000, 10_000


def statistics(results: Results, metric: Metric, records: list[dict[str, Any]]) -> np.ndarray:
    """(sentences, runs, columns) of the kept translations."""
    runs = [metric.statistics(results.output(record["key"])) for record in records]
    return np.stack(runs, axis=1)


def compared(metric: Metric, system: np.ndarray, base: np.ndarray) -> PairedTest:
    sides = [(rows, bootstrap(metric, rows, samples=SAMPLES, seed=1)) for rows in (system, base)]
    return compare(metric, sides[0], sides[1], trials=TRIALS, seed=1)
