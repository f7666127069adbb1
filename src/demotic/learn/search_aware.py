"""Candidate lists as evidence: k-best lists, or for search-aware tuning every bin as a list.

Search-aware tuning (Liu & Huang 2014) is not an optimiser: it gives the learners more lists, those
of the hypotheses that competed in the bins, with the gain of their yield so far (partial) or of its
completion (potential).  The k-best list replaces the last bin, because it contains what the search
recombined (their footnote 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.kind import Found
from demotic.learn.merging import merge
from demotic.learn.options import TuneOptions
from demotic.lines import split_words
from demotic.metrics.metric import Metric
from demotic.search.decoder import Decoder, Progress

__all__ = ["CandidateListKind"]

_ARRAYS = ("offsets", "dense", "statistics", "keys", "sentences", "list_weights", "strings")
_BINS = 1 << 32  # keys of lists: sentence times this, plus the bin; k-best lists are bin 0


class CandidateListKind:
    """Pools of lists that grow over the rounds."""

    search_aware = True

    def search(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        metric: Metric,
        options: TuneOptions,
        threads: int,
        progress: Progress | None = None,
    ) -> Found[Pool]:
        source = decoder.sentences(lines)
        aware = None if options.search_aware == "none" else options.search_aware
        best, bins = decoder.candidates(
            source, k=options.nbest, bins=aware, threads=threads, progress=progress
        )
        count = _Counter(metric, source, threads)
        statistics = count(best)
        tops = statistics[best.offsets[:-1]]
        score = float(metric.objective(tops.sum(axis=0, dtype=np.float64)[None])[0])
        pools = [_pool(decoder, best, statistics)]
        if aware is not None:
            statistics = count(bins)
            if aware == "partial":
                statistics = _partial(bins, statistics, metric, lines)
            pools.append(_before_the_last(_pool(decoder, bins, statistics), options))
        return Found(merge(pools, limit=options.pool_limit), score)

    def joined(self, old: Pool, new: Pool, options: TuneOptions) -> Pool:
        both = merge([old, new], limit=options.pool_limit)
        same = all(np.array_equal(getattr(both, name), getattr(old, name)) for name in _ARRAYS)
        return old if same else both

    def size(self, evidence: Pool) -> int:
        return evidence.candidates

    def arrays(self, evidence: Pool) -> Mapping[str, NDArray[Any]]:
        arrays = {name: getattr(evidence, name) for name in _ARRAYS}
        known = {name: values for name, values in arrays.items() if values is not None}
        return {**known, "names": np.array(evidence.names)}

    def restored(self, arrays: Mapping[str, NDArray[Any]]) -> Pool:
        fields: dict[str, Any] = {name: arrays[name] for name in _ARRAYS if name in arrays}
        return Pool(**fields, names=tuple(arrays["names"].tolist()))


def _owners(candidates: _core.SearchedCandidates) -> NDArray[np.int32]:
    """The sentence of every candidate."""
    return np.repeat(candidates.sentence, np.diff(candidates.offsets))


class _Counter:
    """Statistics of candidates from their word ids; strings are made only of distinct words."""

    def __init__(self, metric: Metric, source: _core.SourceSentences, threads: int) -> None:
        self._metric, self._source, self._threads = metric, source, threads

    def __call__(self, candidates: _core.SearchedCandidates) -> NDArray[np.int32]:
        words = candidates.words
        used = np.zeros(int(words.max(initial=-1)) + 1, np.bool_)
        used[words] = True
        distinct = np.flatnonzero(used)
        count = self._metric.counter([self._source.word(id_) for id_ in distinct.tolist()])
        ids = np.cumsum(used, dtype=np.int32)[words] - np.int32(1)
        owners = _owners(candidates).astype(np.int64)
        return count(candidates.word_offsets, ids, owners, self._threads)


def _partial(
    bins: _core.SearchedCandidates,
    statistics: NDArray[np.int32],
    metric: Metric,
    lines: Sequence[str],
) -> NDArray[np.int32]:
    """The reference is shortened to the covered share of the source (equation 1)."""
    words = np.array([max(1, len(split_words(line))) for line in lines])
    share = np.repeat(bins.covered / words[bins.sentence], np.diff(bins.offsets))
    return metric.partial_statistics(statistics, _owners(bins), share)


def _pool(
    decoder: Decoder, candidates: _core.SearchedCandidates, statistics: NDArray[np.int32]
) -> Pool:
    return Pool(
        candidates.offsets,
        candidates.features.reshape(len(candidates.scores), -1).astype(np.float32),
        statistics,
        keys=candidates.sentence.astype(np.int64) * _BINS + np.maximum(candidates.bin, 0),
        sentences=candidates.sentence,
        strings=candidates.hashes(),
        names=decoder.weights.index.names,
    )


def _before_the_last(bins: Pool, options: TuneOptions) -> Pool:
    """The lists of bins except the last of each sentence, which its k-best list replaces.

    Recombination keeps only the best hypothesis of each state, so that the last bin would be a
    short list of translations that differ at their ends.
    """
    chosen = np.append(bins.sentences[1:] == bins.sentences[:-1], False)[: len(bins)]
    sizes = np.diff(bins.offsets)
    rows = np.repeat(chosen, sizes)
    sentences = bins.sentences[chosen]
    weights = np.ones(len(sentences))
    if options.bin_weight == "shared":
        weights /= np.bincount(sentences)[sentences]
    return replace(
        bins,
        offsets=np.concatenate(([0], np.cumsum(sizes[chosen], dtype=np.int64))),
        dense=bins.dense[rows],
        statistics=bins.statistics[rows],
        keys=bins.keys[chosen],
        sentences=sentences,
        list_weights=weights,
        strings=None if bins.strings is None else bins.strings[rows],
    )
