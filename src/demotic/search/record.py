"""The record of a search: the forest of its derivations and the bins they competed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.counts import counted
from demotic.forest import Derivations, Forest
from demotic.forest.rows import FeatureRows, Rows

if TYPE_CHECKING:
    from demotic.search.decoder import Decoder, Step

__all__ = ["Bins", "Candidate", "SearchResult"]


@dataclass(frozen=True)
class Candidate:
    """An entry of a k-best list."""

    words: tuple[str, ...]
    score: float
    features: NDArray[np.float64]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, eq=False, repr=False)
class Bins:
    """Every hypothesis that entered a bin: the nodes of the forest except its goal.

    Phrase models have one bin per number of covered words, 1, 2, ...; hierarchical models one per
    nonterminal and span, N[i:j], numbered from 0 in the order in which they were filled.
    """

    bin: NDArray[np.int32]
    score: NDArray[np.float32]  # as used by the search: weights . features so far
    future: NDArray[np.float32]  # the future cost estimate added for comparisons
    alive: NDArray[np.bool_]  # kept in its bin
    reaches_goal: NDArray[np.bool_]  # part of a complete derivation
    # By bin, only for hierarchical models: the index of its nonterminal, -1 for glue, and its span.
    label: NDArray[np.int32]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]

    @property
    def numbers(self) -> range:
        """The numbers of the bins."""
        if len(self.label):
            return range(len(self.label))
        return range(1, int(self.bin[-1]) + 1) if len(self.bin) else range(0)

    def __len__(self) -> int:
        return len(self.numbers)

    def members(self, number: int) -> NDArray[np.intp]:
        """The nodes of a bin."""
        return np.flatnonzero(self.bin == number)

    def __repr__(self) -> str:
        kept = np.count_nonzero(self.alive)
        return f"Bins({counted(len(self), 'bin')}, {len(self.bin):,} hypotheses, {kept:,} kept)"


class SearchResult:
    """The search of one sentence: its forest, its bins, its best translations."""

    def __init__(
        self,
        decoder: Decoder,
        source: _core.SourceSentences,
        sentence: int,
        native: _core.SearchRecord,
        *,
        parts: bool = False,
    ) -> None:
        self.decoder = decoder
        self.fell_back = native.fell_back
        self._source = source
        self._sentence = sentence
        self._native = native
        self._has_parts = parts

    @cached_property
    def source(self) -> tuple[str, ...]:
        """The sentence's words."""
        return self.spelled(self._source.words(self._sentence).tolist())

    @cached_property
    def forest(self) -> Forest:
        native = self._native
        return Forest(
            edge_offsets=native.edge_offsets,
            tail_offsets=native.tail_offsets,
            tails=native.tails,
            edge_rule=native.edge_rule,
            edge_begin=native.edge_begin,
            edge_end=native.edge_end,
            edge_target=Rows(native.target_offsets, native.target_symbols),
            edge_features=FeatureRows(
                native.feature_offsets, native.feature_ids, native.feature_values
            ),
            node_bin=native.node_bin,
            feature_names=self.decoder.weights.index,
            edge_parts=Rows(native.part_offsets, native.parts) if self._has_parts else None,
        )

    @property
    def part_keys(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Offsets and keys of the sparse features of each part of the forest, if recorded."""
        return self._native.key_offsets, self._native.keys

    @property
    def part_values(self) -> NDArray[np.float64]:
        """One value per key; empty if all are 1."""
        return self._native.key_values

    @cached_property
    def bins(self) -> Bins:
        """With record="forest" only the hypotheses of complete derivations."""
        native = self._native
        return Bins(
            native.node_bin[:-1],
            native.node_score[:-1],
            native.node_future[:-1],
            native.node_alive[:-1].astype(np.bool_),
            native.node_reaches[:-1].astype(np.bool_),
            native.bin_label,
            native.bin_begin,
            native.bin_end,
        )

    def bin_name(self, number: int) -> str:
        """Number of covered source words, or nonterminal and span such as X[2:5] (S: glue)."""
        bins = self.bins
        if not len(bins.label):
            return str(number)
        # The label beyond all is that of copied words in a grammar without the default nonterminal.
        names = [*self.decoder.model.rules.store.labels, "-", "S"]
        return f"{names[bins.label[number]]}[{bins.begin[number]}:{bins.end[number]}]"

    def covered(self, forest: Forest) -> NDArray[np.int32]:
        """Number of source words covered by each node of the forest, pruned or not."""
        native = self._native
        words = np.array([len(self.source)], np.int32)
        if not len(native.bin_label):  # phrase models: bins are numbers of covered words
            return np.concatenate([forest.node_bin[:-1], words])
        return np.concatenate([(native.bin_end - native.bin_begin)[forest.node_bin[:-1]], words])

    @cached_property
    def edge_scores(self) -> NDArray[np.float64]:
        """The scores of edges under the weights of the search."""
        return self.forest.scores(self.decoder.weights)

    @property
    def best(self) -> Candidate:
        return self.kbest(1)[0]

    def kbest(self, k: int, *, distinct: bool = False) -> list[Candidate]:
        """The k best derivations of the forest, or with `distinct` the best of each translation."""
        return self.candidates(self.forest.kbest(k, self.edge_scores, distinct=distinct))

    def candidates(self, found: Derivations) -> list[Candidate]:
        """Derivations of the forest with words, features and steps."""
        forest = self.forest
        sums = forest.derivation_features(found)
        features = np.zeros((len(found), len(forest.feature_names)))
        features[np.repeat(np.arange(len(found)), np.diff(sums.offsets)), sums.ids] = sums.values
        return [
            Candidate(
                self.spelled(words.tolist()),
                float(found.scores[i]),
                features[i],
                self._steps(found[i]),
            )
            for i, words in enumerate(forest.yields(found))
        ]

    def _steps(self, edges: NDArray[np.int32]) -> tuple[Step, ...]:
        columns = (self.forest.edge_rule, self.forest.edge_begin, self.forest.edge_end)
        inner = edges[1:]  # without the goal
        return tuple(self.decoder.steps_of(*(column[inner].tolist() for column in columns)))

    def monotone(self, begin: int, end: int) -> tuple[str, ...]:
        """The best monotone translation of source words begin to end, if it was recorded."""
        row = begin * (len(self.source) + 1) + end
        offsets = self._native.monotone_offsets
        if len(offsets) == 1:
            raise ValueError("monotone translations were not recorded; search with monotone=True")
        words = self._native.monotone_words[offsets[row] : offsets[row + 1]]
        return self.spelled(words.tolist())

    def spelled(self, words: Sequence[int]) -> tuple[str, ...]:
        """The spelling of source or target words, by id."""
        return tuple(self._source.word(word) for word in words)

    def __repr__(self) -> str:
        native = self._native
        return (
            f"SearchResult({len(self.source)} words, {len(native.node_bin):,} nodes, "
            f"{len(native.edge_rule):,} edges)"
        )
