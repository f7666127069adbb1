"""Evidence of forest learners: the forests of a tuning set, with word ids of its references.

A round of tuning makes one from its searches; `joined` combines the last rounds, with each
sentence's forests under one root.  The caller chooses the number of rounds.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.forest import Forest, Rows
from demotic.forest.rows import frozen
from demotic.forest.united import united
from demotic.learn.evidence import checked_weights
from demotic.learn.learner import LearnerResult, Metric
from demotic.lines import split_words
from demotic.metrics import Bleu

if TYPE_CHECKING:
    from demotic.search import Decoder
    from demotic.search.decoder import Progress
    from demotic.search.record import SearchResult

__all__ = ["ForestEvidence", "ForestLearner", "SearchedForests", "joined", "searched_forests"]

# Words in no reference are distinguished by a hash above this; reference words are below.
_UNKNOWN = 1 << 30


@dataclass(frozen=True, eq=False, repr=False)
class ForestEvidence:
    """The forest of each sentence that has one; target words are ids of the references."""

    forests: tuple[Forest, ...]
    sentences: NDArray[np.int64]
    """The sentence of each forest, as index into the references."""
    covered: tuple[NDArray[np.int32], ...]
    """Number of source words covered by every node of a forest."""
    bleu: Bleu
    """The metric that computes statistics of yields."""
    names: tuple[str, ...]
    """Names of the features."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentences", frozen(self.sentences, np.int64))
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
        return len(self.names)

    @property
    def edges(self) -> int:
        return sum(forest.edges for forest in self.forests)

    def __repr__(self) -> str:
        return (
            f"ForestEvidence({len(self):,} forests, {self.edges:,} edges, {self.features} features)"
        )

    @cached_property
    def native(self) -> _core.ForestSet:
        """The forests in native form; the arrays are not copied."""
        parts = [
            (
                forest.graph,
                forest.edge_target.offsets,
                forest.edge_target.values,
                forest.edge_features.offsets,
                forest.edge_features.ids,
                forest.edge_features.values,
                sentence,
            )
            for forest, sentence in zip(self.forests, self.sentences.tolist(), strict=True)
        ]
        references, length = self.bleu.native
        return _core.ForestSet(parts, references, length, self.features)

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

    def checked(self, weights: ArrayLike) -> NDArray[np.float64]:
        """A copy of the weights; refuses a wrong number or values that are not finite."""
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
    """The metric, in [0, 1]."""
    best: list[str]


def searched_forests(
    decoder: Decoder,
    lines: Sequence[str],
    bleu: Bleu,
    *,
    density: float = np.inf,
    threads: int = 1,
    progress: Progress | None = None,
) -> SearchedForests:
    """Decodes the tuning set once; `density` prunes forests, see `Forest.prune`."""
    results = decoder.search(lines, record="forest", threads=threads, progress=progress)
    pruned = [_pruned(result, density) for result in results]
    ids = _reference_ids(pruned, results, bleu)
    forests = tuple(replace(forest, edge_target=_translated(forest, ids)) for forest in pruned)
    evidence = ForestEvidence(
        forests,
        np.arange(len(results)),
        tuple(result.covered(forest) for result, forest in zip(results, pruned, strict=True)),
        bleu,
        decoder.weights.index.names,
    )
    weights = np.ascontiguousarray(decoder.weights.array, np.float64)
    sums = evidence.best_statistics(weights, threads=threads)
    best = [result.best.text for result in results]
    return SearchedForests(evidence, bleu.corpus_score(sums) / 100, best)


def joined(rounds: Sequence[ForestEvidence]) -> ForestEvidence:
    """The forests of several rounds, each sentence's under one root, the newest first."""
    newest = rounds[-1]
    found: dict[int, list[tuple[Forest, NDArray[np.int32]]]] = {}
    for one in reversed(rounds):
        for i, sentence in enumerate(one.sentences.tolist()):
            found.setdefault(sentence, []).append((one.forests[i], one.covered[i]))
    sentences = sorted(found)
    return ForestEvidence(
        tuple(united([forest for forest, _ in found[sentence]]) for sentence in sentences),
        np.array(sentences, np.int64),
        tuple(_covered([rows for _, rows in found[sentence]]) for sentence in sentences),
        newest.bleu,
        newest.names,
    )


def _covered(parts: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return parts[0] if len(parts) == 1 else np.concatenate([*parts, parts[0][-1:]])


def _pruned(result: SearchResult, density: float) -> Forest:
    forest = result.forest
    return forest if np.isinf(density) else forest.prune(result.edge_scores, density=density)


def _reference_ids(
    forests: Sequence[Forest], results: Sequence[SearchResult], bleu: Bleu
) -> dict[int, int]:
    """The id among the references of every word of the forests."""
    if not forests:
        return {}
    symbols = np.unique(np.concatenate([forest.edge_target.values for forest in forests]))
    words = symbols[symbols >= 0].tolist()
    texts = results[0].spelled(words)
    known = bleu.ids_of(texts).tolist()
    return {
        word: id_ if id_ >= 0 else _UNKNOWN + zlib.crc32(text.encode()) % _UNKNOWN
        for word, text, id_ in zip(words, texts, known, strict=True)
    }


def _translated(forest: Forest, ids: dict[int, int]) -> Rows:
    symbols = forest.edge_target.values
    present, places = np.unique(symbols, return_inverse=True)
    table = np.array([ids.get(symbol, symbol) for symbol in present.tolist()], np.int32)
    return Rows(forest.edge_target.offsets, table[places])
