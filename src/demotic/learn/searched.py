"""Evidence out of searches: k-best lists, or for search-aware tuning every bin as a list.

Search-aware tuning (Liu & Huang 2014) is no optimiser of its own: it hands the learners more
lists, those of the hypotheses that competed with each other in the bins, with the gain of what
they say so far (partial) or may still become (potential).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.tuning_metric import TuningBleu
from demotic.search import Decoder

__all__ = ["Evidence", "Gain", "searched"]

Gain = Literal["none", "partial", "potential"]

_BINS = 1 << 20  # keys of lists: sentence times this, plus the bin; k-best lists are bin 0


@dataclass(frozen=True)
class Evidence:
    """The pool of one round, and what the best candidates of the whole search score."""

    pool: Pool
    score: float
    """Of the metric, in [0, 1]."""
    best: list[str]


def searched(
    decoder: Decoder,
    lines: list[str],
    metric: TuningBleu,
    *,
    gain: Gain,
    k: int,
    threads: int,
) -> Evidence:
    """Searches the tuning set once. With a gain for bins, the last bin is their k-best list."""
    source = decoder.sentences(lines)
    best = decoder.kbest(source, 1 if gain != "none" else k, threads=threads)
    texts = best.texts(source)
    statistics = metric.statistics(texts, _owners(best), threads=threads)
    first = best.offsets[:-1]
    score = metric.corpus_score(statistics[first].sum(axis=0, dtype=np.float64))
    top = [texts[i] for i in first.tolist()]
    if gain == "none":
        return Evidence(_pool(decoder, best, statistics), score, top)
    bins = decoder.bins(source, potential=gain == "potential", threads=threads)
    statistics = metric.statistics(bins.texts(source), _owners(bins), threads=threads)
    if gain == "partial":
        lengths = np.array([len(line.split()) for line in lines])
        statistics = _partial(bins, statistics, lengths)
    return Evidence(_pool(decoder, bins, statistics), score, top)


def _owners(candidates: _core.Candidates) -> NDArray[np.int32]:
    """The sentence of every candidate."""
    return np.repeat(candidates.sentence, np.diff(candidates.offsets))


def _partial(
    bins: _core.Candidates, statistics: NDArray[np.int32], lengths: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The reference is as long as the covered share of the source (equation 1), rounded."""
    share = bins.bin / lengths[bins.sentence]
    rows = statistics.copy()
    scaled = rows[:, -1] * np.repeat(share, np.diff(bins.offsets))
    rows[:, -1] = np.maximum(1, np.rint(scaled))
    return rows


def _pool(decoder: Decoder, candidates: _core.Candidates, statistics: NDArray[np.int32]) -> Pool:
    keys = candidates.sentence.astype(np.int64) * _BINS + np.maximum(candidates.bin, 0)
    return Pool(
        candidates.offsets,
        candidates.features.reshape(len(candidates.scores), -1).astype(np.float32),
        statistics,
        keys=keys,
        sentences=candidates.sentence,
        strings=candidates.hashes(),
        names=decoder.weights.index.names,
    )
