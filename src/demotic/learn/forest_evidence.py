"""Evidence of forest learners: the forests of a tuning set, with word ids of its references.

A round of tuning makes one from its searches; `joined` combines the last rounds, with each
sentence's forests under one root.  The caller chooses the number of rounds.

BLEU of tokens is counted natively from ids of the references; other metrics count yields as word
ids of a table that the evidence keeps.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.forest import Forest, Rows
from demotic.forest.rows import FeatureRows, make_readonly, readonly_array
from demotic.forest.union import union_of
from demotic.learn.edge_parts import (
    NO_PARTS,
    SUM,
    PartFeatures,
    joined_parts,
    with_sparse_features,
)
from demotic.learn.evidence import checked_weights
from demotic.learn.learner import LearnerResult
from demotic.lines import split_words
from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.metric import Metric

if TYPE_CHECKING:
    from demotic.learn.seen_features import SeenFeatures
    from demotic.search import Decoder
    from demotic.search.decoder import Progress
    from demotic.search.found_forest import FoundForest

__all__ = ["ForestEvidence", "ForestLearner", "SearchedForests", "joined", "searched_forests"]

# Words in no reference are distinguished by a hash above this; reference words are below.
_UNKNOWN = 1 << 30
_NOTHING = readonly_array([], np.int64), readonly_array([], np.int32)
_NO_VALUES = readonly_array([], np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class ForestEvidence:
    """The forest of each sentence that has one; target words are ids of the references."""

    forests: tuple[Forest, ...]
    sentences: NDArray[np.int64]
    """The sentence of each forest, as index into the references."""
    covered: tuple[NDArray[np.int32], ...]
    """Number of source words covered by every node of a forest."""
    bleu: Bleu
    """BLEU of tokens: its ids are those of target words, and it knows lengths."""
    names: tuple[str, ...]
    """Of the features."""
    metric: Metric = None  # type: ignore[assignment]
    """What makes statistics of yields; by default `bleu`."""
    spelling: Mapping[int, str] = field(default_factory=dict)
    """Of every target word, by its id; metrics other than `bleu` need it."""
    parts: tuple[PartFeatures, ...] = ()
    """The sparse features of each forest's parts, with ids from `names` on; empty without any."""
    sparse_features: int = 0
    """Number of sparse features with a weight."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentences", readonly_array(self.sentences, np.int64))
        if self.metric is None:
            object.__setattr__(self, "metric", self.bleu)
        counts = {len(self.forests), len(self.sentences), len(self.covered)}
        if len(counts) != 1:
            raise ValueError("forests, sentences and covered words differ in length")
        for forest, covered in zip(self.forests, self.covered, strict=True):
            if forest.feature_names.names != self.names or len(covered) != forest.nodes:
                raise ValueError("a forest with inconsistent features or nodes")

    def __len__(self) -> int:
        return len(self.forests)

    @property
    def features(self) -> int:
        """The number of weights."""
        return len(self.names) + self.sparse_features

    @property
    def edges(self) -> int:
        return sum(forest.edges for forest in self.forests)

    def __repr__(self) -> str:
        return (
            f"ForestEvidence({len(self):,} forests, {self.edges:,} edges, {self.features} features)"
        )

    @cached_property
    def native(self) -> _core.ForestSet:
        """For native loops, with statistics of the metric; the arrays are not copied."""
        if self.counts_words:
            return self.native_bleu
        return _core.ForestSet(self._parts, self._counter(), self.metric.columns, self.features)

    @cached_property
    def native_bleu(self) -> _core.ForestSet:
        """The same with statistics of BLEU."""
        references, length = self.bleu.native
        return _core.ForestSet(self._parts, references, length, self.features)

    @property
    def counts_words(self) -> bool:
        """Whether the metric is BLEU of tokens, whose gains decompose over edges."""
        return self.metric is self.bleu

    @property
    def _parts(self) -> list[Any]:
        return [
            (
                forest.graph,
                forest.edge_target.offsets,
                forest.edge_target.values,
                forest.edge_features.offsets,
                forest.edge_features.ids,
                forest.edge_features.values,
                sentence,
                *(_NOTHING if own is None else (own.offsets, own.values)),
                parts.ids.offsets,
                parts.ids.values,
                _NO_VALUES if parts.values is None else parts.values,
            )
            for forest, own, sentence, parts in zip(
                self.forests,
                (forest.edge_parts for forest in self.forests),
                self.sentences.tolist(),
                self.parts or [NO_PARTS] * len(self.forests),
                strict=True,
            )
        ]

    def edge_scores(self, place: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of a forest's edges under the weights."""
        return self.native.edge_scores(place, weights)

    def derivation_features(self, place: int, derivations: Rows) -> FeatureRows:
        """The features of derivations of a forest: sums over their edges, dense and sparse."""
        sums = self.native.derivation_features(place, derivations.offsets, derivations.values)
        return FeatureRows(*make_readonly(*sums))

    def _counter(self) -> Callable[[int, Any, Any], Any]:
        """The statistics of yields of a sentence, in one flat array."""
        ids = np.array(sorted(self.spelling), np.int32)
        count = self.metric.counter([self.spelling[id_] for id_ in ids.tolist()])

        def counted(sentence: int, offsets: Any, words: Any) -> NDArray[np.int32]:
            places = np.searchsorted(ids, words).astype(np.int32)
            owners = np.full(len(offsets) - 1, sentence, np.int64)
            return np.ascontiguousarray(count(offsets, places, owners, 1), np.int32).reshape(-1)

        return counted

    @cached_property
    def _count(self) -> Callable[[int, Any, Any], Any]:
        return self._counter()

    def statistics(self, place: int, yields: Rows) -> NDArray[np.int32]:
        """Of yields of one forest, a row each."""
        sentence = int(self.sentences[place])
        if self.counts_words:
            owners = np.full(len(yields.offsets) - 1, sentence)
            return self.bleu.statistics_of_ids(yields.offsets, yields.values, owners)
        flat: NDArray[np.int32] = self._count(sentence, yields.offsets, yields.values)
        return flat.reshape(-1, self.metric.columns)

    def references(self, place: int) -> list[NDArray[np.int32]]:
        """The references of a forest's sentence, in the ids of its yields."""
        texts, first = self.bleu.references.texts, self.bleu.references.first
        sentence = self.sentences[place]
        return [
            self.bleu.ids_of(split_words(text))
            for text in texts[first[sentence] : first[sentence + 1]]
        ]

    def best_statistics(
        self, weights: NDArray[np.float64], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Statistics summed over the best derivations under the weights."""
        return self.native.best_statistics(weights, threads)

    def checked(self, weights: ArrayLike, metric: Metric) -> NDArray[np.float64]:
        """Weights as an array of their own; refuses those that do not fit or are not finite, and a
        metric with other statistics than the evidence's."""
        if metric.columns != self.metric.columns:
            raise ModelError(
                f"the metric {metric.name} for forests whose yields are counted for "
                f"{self.metric.name}",
                expected="the same metric",
            )
        return checked_weights(weights, self.features, self.names)


class ForestLearner(Protocol):
    """Like `Learner`, with forests as evidence."""

    def update(
        self,
        weights: ArrayLike,
        evidence: ForestEvidence,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
    ) -> LearnerResult:
        """The same for any number of threads."""


@dataclass(frozen=True)
class SearchedForests:
    """The evidence of one round, and the score of the best translations of the search."""

    evidence: ForestEvidence
    score: float
    """The metric's objective."""
    best: list[str]


def searched_forests(
    decoder: Decoder,
    lines: Sequence[str],
    metric: Metric,
    *,
    density: float = np.inf,
    seen: SeenFeatures | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> SearchedForests:
    """Decodes the tuning set once; `density` prunes forests, see `Forest.prune`.

    With `seen` the sparse features are features of their own, numbered by it, instead of their sum.
    """
    found = decoder.forests(
        lines, density=density, parts=seen is not None, threads=threads, progress=progress
    )
    forests, parts = [one.forest for one in found], []
    names = decoder.weights.index.names
    if seen is not None:
        both = [with_sparse_features(one, seen) for one in found]
        forests, parts = [forest for forest, _ in both], [rows for _, rows in both]
        names = tuple(name for name in names if name != SUM)
    bleu = _bleu_of_tokens(metric)
    ids = _reference_ids(found, bleu)
    evidence = ForestEvidence(
        tuple(
            replace(forest, edge_target=_translated(forest.edge_target, one.words, ids))
            for forest, one in zip(forests, found, strict=True)
        ),
        np.arange(len(found)),
        tuple(one.covered for one in found),
        bleu,
        names,
        metric,
        {} if metric is bleu else {id_: word for word, id_ in ids.items()},
        tuple(parts),
        0 if seen is None else len(seen),
    )
    best = [one.best for one in found]
    rows = metric.statistics(best, evidence.sentences, threads=threads)
    sums = rows.sum(axis=0, dtype=np.float64)
    return SearchedForests(evidence, float(metric.objective(sums[None])[0]), best)


def joined(rounds: Sequence[ForestEvidence]) -> ForestEvidence:
    """The forests of several rounds, each sentence's under one root, the newest first."""
    newest = rounds[-1]
    found: dict[int, list[tuple[Forest, NDArray[np.int32], PartFeatures]]] = {}
    for one in reversed(rounds):
        parts = one.parts or [NO_PARTS] * len(one)
        for i, sentence in enumerate(one.sentences.tolist()):
            found.setdefault(sentence, []).append((one.forests[i], one.covered[i], parts[i]))
    sentences = sorted(found)
    unions = [_union(*zip(*found[sentence], strict=True)) for sentence in sentences]
    return ForestEvidence(
        tuple(forest for forest, _, _ in unions),
        np.array(sentences, np.int64),
        tuple(covered for _, covered, _ in unions),
        newest.bleu,
        newest.names,
        newest.metric,
        {id_: word for one in rounds for id_, word in one.spelling.items()},
        tuple(parts for _, _, parts in unions) if newest.parts else (),
        newest.sparse_features,
    )


def _union(
    forests: Sequence[Forest], covered: Sequence[NDArray[np.int32]], parts: Sequence[PartFeatures]
) -> tuple[Forest, NDArray[np.int32], PartFeatures]:
    """The forests of one sentence, under one root."""
    same_parts, table = joined_parts(forests, parts)
    return union_of(same_parts), _covered([*covered]), table


def _covered(parts: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return parts[0] if len(parts) == 1 else np.concatenate([*parts, parts[0][-1:]])


def _bleu_of_tokens(metric: Metric) -> Bleu:
    """The metric itself, if it is BLEU of tokens, or one for the same references."""
    if isinstance(metric, Bleu) and metric.counts_words:
        return metric
    return Bleu(metric.references, BleuOptions(tokenize="none"))


def _reference_ids(found: Sequence[FoundForest], bleu: Bleu) -> dict[str, int]:
    """The id among the references of every word that a forest has."""
    words = list(dict.fromkeys(word for one in found for word in one.words))
    return {
        word: id_ if id_ >= 0 else _UNKNOWN + zlib.crc32(word.encode()) % _UNKNOWN
        for word, id_ in zip(words, bleu.ids_of(words).tolist(), strict=True)
    }


def _translated(target: Rows, words: Sequence[str], ids: Mapping[str, int]) -> Rows:
    """Target sides with the ids of these words instead of their places."""
    table = np.array([ids[word] for word in words], np.int32)
    translated = target.values.copy()
    is_word = translated >= 0
    translated[is_word] = table[translated[is_word]]
    return Rows(target.offsets, translated)
