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
from demotic.forest import Rows
from demotic.forest.rows import make_readonly
from demotic.learn.edge_parts import SUM
from demotic.learn.evidence import Pool
from demotic.learn.kind import SearchedEvidence
from demotic.learn.merging import merge
from demotic.learn.options import TuneOptions
from demotic.learn.seen_features import SeenFeatures
from demotic.learn.sparse_rows import SparseRows
from demotic.lines import split_words
from demotic.metrics.metric import Metric
from demotic.search.decoder import Decoder, Progress

__all__ = ["CandidateListKind"]

_ARRAYS = ("offsets", "dense", "statistics", "keys", "sentences", "list_weights", "strings")
_SPARSE_ARRAYS = ("parts", "part_offsets", "features", "feature_offsets")
_VALUES = "feature_values"  # unless all are 1
_BINS = 1 << 32  # keys of lists: sentence times this, plus the bin; k-best lists are bin 0


class CandidateListKind:
    """Pools of lists that grow over the rounds."""

    search_aware = True
    seen: SeenFeatures | None = None

    def search(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        metric: Metric,
        options: TuneOptions,
        threads: int,
        progress: Progress | None = None,
    ) -> SearchedEvidence[Pool]:
        source = decoder.sentences(lines)
        aware = None if options.search_aware == "none" else options.search_aware
        best, bins = decoder.candidates(
            source,
            k=options.nbest,
            bins=aware,
            parts=self.seen is not None,
            threads=threads,
            progress=progress,
        )
        count = _Counter(metric, source, threads)
        statistics = count(best)
        tops = statistics[best.offsets[:-1]]
        score = float(metric.objective(tops.sum(axis=0, dtype=np.float64)[None])[0])
        pools = [_pool(decoder, best, statistics, self.seen)]
        if aware is not None:
            statistics = count(bins)
            if aware == "partial":
                statistics = _partial(bins, statistics, metric, lines)
            found = _pool(decoder, bins, statistics, self.seen)
            pools.append(_before_the_last(found, options))
        return SearchedEvidence(self._sized(merge(pools, limit=options.pool_limit)), score)

    def joined(self, old: Pool, new: Pool, options: TuneOptions) -> Pool:
        both = merge([old, new], limit=options.pool_limit)
        same = all(np.array_equal(getattr(both, name), getattr(old, name)) for name in _ARRAYS)
        return self._sized(old if same else both)

    def _sized(self, pool: Pool) -> Pool:
        """With a weight for every feature seen so far, even if no candidate kept has it."""
        if self.seen is None or (
            pool.lexicalized is not None and len(pool.lexicalized) == len(self.seen)
        ):
            return pool
        return replace(pool, sparse_features=len(self.seen), lexicalized=self.seen.lexicalized)

    def size(self, evidence: Pool) -> int:
        return evidence.candidates

    def arrays(self, evidence: Pool) -> Mapping[str, NDArray[Any]]:
        arrays = {name: getattr(evidence, name) for name in _ARRAYS}
        if evidence.sparse is not None:
            arrays |= dict(zip(_SPARSE_ARRAYS, _sparse_arrays(evidence.sparse), strict=True))
            arrays[_VALUES] = evidence.sparse.values
        known = {name: values for name, values in arrays.items() if values is not None}
        return {**known, "names": np.array(evidence.names)}

    def restored(self, arrays: Mapping[str, NDArray[Any]]) -> Pool:
        fields: dict[str, Any] = {name: arrays[name] for name in _ARRAYS if name in arrays}
        if self.seen is not None:
            parts, offsets, features, feature_offsets = (arrays[name] for name in _SPARSE_ARRAYS)
            fields["sparse"] = SparseRows(
                Rows(offsets, parts), Rows(feature_offsets, features), arrays.get(_VALUES)
            )
        return self._sized(Pool(**fields, names=tuple(arrays["names"].tolist())))


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


def _sparse_arrays(rows: SparseRows) -> tuple[NDArray[Any], ...]:
    return rows.parts.values, rows.parts.offsets, rows.features.values, rows.features.offsets


def _pool(
    decoder: Decoder,
    candidates: _core.SearchedCandidates,
    statistics: NDArray[np.int32],
    seen: SeenFeatures | None,
) -> Pool:
    dense = candidates.features.reshape(len(candidates.scores), -1).astype(np.float32)
    names, sparse = decoder.weights.index.names, None
    if seen is not None:
        # The sum of the sparse features is replaced by the features themselves.
        kept = np.array([name != SUM for name in names])
        dense, names = dense.compress(kept, axis=1), tuple(name for name in names if name != SUM)
        found = seen.add_valued(candidates.key_offsets, candidates.keys, candidates.key_values)
        sparse = SparseRows(Rows(candidates.part_offsets, candidates.parts), *found)
    make_readonly(dense, statistics)
    return Pool(
        candidates.offsets,
        dense,
        statistics,
        sparse,
        0 if seen is None else len(seen),
        keys=candidates.sentence.astype(np.int64) * _BINS + np.maximum(candidates.bin, 0),
        sentences=candidates.sentence,
        strings=candidates.hashes(),
        names=names,
    )


def _before_the_last(bins: Pool, options: TuneOptions) -> Pool:
    """The lists of bins except the last of each sentence, which its k-best list replaces.

    Recombination keeps only the best hypothesis of each state, so that the last bin would be a
    short list of translations that differ at their ends.
    """
    chosen = np.append(bins.sentences[1:] == bins.sentences[:-1], False)[: len(bins)]
    sizes = np.diff(bins.offsets)
    rows = np.flatnonzero(np.repeat(chosen, sizes))
    sentences = bins.sentences[chosen]
    weights = np.ones(len(sentences))
    if options.bin_weight == "shared":
        weights /= np.bincount(sentences)[sentences]
    dense, statistics = make_readonly(
        bins.dense.take(rows, axis=0), bins.statistics.take(rows, axis=0)
    )
    return replace(
        bins,
        offsets=np.concatenate(([0], np.cumsum(sizes[chosen], dtype=np.int64))),
        dense=dense,
        statistics=statistics,
        sparse=None if bins.sparse is None else bins.sparse.take(rows),
        keys=bins.keys[chosen],
        sentences=sentences,
        list_weights=weights,
        strings=None if bins.strings is None else bins.strings[rows],
    )
