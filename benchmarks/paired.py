"""Means of runs, and paired tests between systems over all their runs (Clark et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np

from benchmarks.results import Results
from demotic.metrics import Metric
from demotic.metrics.significance import PairedTest, bootstrap, compare

__all__ = ["compared", "spread_of", "statistics"]

SAMPLES, TRIALS = 1000, 10_000


def spread_of(values: Sequence[float]) -> str:
    """Mean, with the sample standard deviation if there are several."""
    more = f" ± {stdev(values):.2f}" if len(values) > 1 else ""
    return f"{fmean(values):.2f}{more}"


def statistics(results: Results, metric: Metric, records: list[dict[str, Any]]) -> np.ndarray:
    """(sentences, runs, columns) of the kept translations."""
    runs = [metric.statistics(results.output(record["key"])) for record in records]
    return np.stack(runs, axis=1)


def compared(metric: Metric, system: np.ndarray, base: np.ndarray) -> PairedTest:
    sides = [(rows, bootstrap(metric, rows, samples=SAMPLES, seed=1)) for rows in (system, base)]
    return compare(metric, sides[0], sides[1], trials=TRIALS, seed=1)
