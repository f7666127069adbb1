"""Confidence intervals and significance tests from statistics, without translating again.

* bootstrap interval and paired bootstrap: Koehn 2004; p as in sacrebleu and Moses except for ties
* approximate randomisation: Noreen 1989, Riezler & Maxwell 2005
* several runs of a system (with a randomised optimiser): Clark et al. 2011.  Sentences are drawn
  with all their runs; randomisation reassigns the runs of a sentence between the two systems; the
  compared score is that of all runs together.

The statistics of a system have the shape (sentences, runs, columns).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demotic import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demotic.metrics.metric import Floats, Metric, Numbers

__all__ = ["Interval", "PairedTest", "bootstrap", "compare"]


@dataclass(frozen=True)
class Interval:
    """The range of the score in `confidence` % of the samples, and its mean over them."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class PairedTest:
    """A system against a baseline."""

    difference: float  # score minus the baseline's
    wins: float  # share of the bootstrap samples in which the system is better
    p_bootstrap: float
    p_randomisation: float


def pooled(statistics: Numbers) -> NDArray[np.int64]:
    """The sum over sentences and runs."""
    total: NDArray[np.int64] = statistics.sum(axis=(0, 1), dtype=np.int64)
    return total


def bootstrap(
    metric: Metric, statistics: Numbers, *, samples: int, seed: int, threads: int = 1
) -> Floats:
    """The score of each sample; with the same seed the samples of two systems are paired."""
    values = np.ascontiguousarray(statistics, np.int64)
    _, runs, columns = values.shape
    sums = _core.bootstrap_sums(values.reshape(-1), columns, runs, samples, seed, threads)
    return metric.corpus_scores(sums.reshape(samples, columns))


def interval(scores: Floats, confidence: float) -> Interval:
    """The middle `confidence` % of the samples' scores, with end points as in sacrebleu."""
    ordered = np.sort(scores)
    outside = int(len(ordered) * (100 - confidence) / 200 + 1e-9)
    low, high = ordered[outside], ordered[len(ordered) - 1 - outside]
    return Interval(float(scores.mean()), float(low), float(high))


def compare(
    metric: Metric,
    system: tuple[Numbers, Floats],
    baseline: tuple[Numbers, Floats],
    *,
    trials: int,
    seed: int,
    threads: int = 1,
) -> PairedTest:
    """`system` and `baseline`: statistics, and scores by `bootstrap` with one seed."""
    (rows, scores), (base_rows, base_scores) = system, baseline
    difference = metric.corpus_score(pooled(rows)) - metric.corpus_score(pooled(base_rows))
    gaps = scores - base_scores
    better = gaps if metric.higher_is_better else -gaps
    centred = np.abs(gaps) - np.abs(gaps).mean()
    shuffled = _shuffled_differences(metric, rows, base_rows, trials, seed, threads)
    return PairedTest(
        difference=difference,
        wins=float((better > 0).mean()),
        p_bootstrap=_p_value(centred, difference),
        p_randomisation=_p_value(np.abs(shuffled), difference),
    )


def _shuffled_differences(
    metric: Metric, rows: Numbers, base_rows: Numbers, trials: int, seed: int, threads: int
) -> Floats:
    both = np.ascontiguousarray(np.concatenate([rows, base_rows], axis=1), np.int64)
    _, runs, columns = both.shape
    sums = _core.shuffle_sums(
        both.reshape(-1), columns, runs, rows.shape[1], trials, seed, threads
    ).reshape(trials, columns)
    return metric.corpus_scores(sums) - metric.corpus_scores(pooled(both) - sums)


def _p_value(samples: Floats, difference: float) -> float:
    """Two-sided; never 0, since the observed outcome is one of those possible by chance.

    Samples that differ equally count as chance (Noreen 1989), so that no system differs from
    itself; sacrebleu counts only those that differ more.
    """
    return float((np.sum(samples >= abs(difference)) + 1) / (len(samples) + 1))
