"""What a search leaves behind: the forest of its derivations and the bins they competed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic import _core
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


@dataclass(frozen=True, eq=False)
class Bins:
    """Every hypothesis that entered a bin; they are the nodes of the forest, without its goal.

    Phrases have a bin for each number of covered words, 1, 2, ...; hierarchical rules one for each
    nonterminal over a span, N[i:j], numbered from 0 in the order in which they were filled.
    """

    bin: NDArray[np.int32]
    score: NDArray[np.float32]  # as the search had it, weights . features so far
    future: NDArray[np.float32]  # the estimate that was added to it for the comparison
    alive: NDArray[np.bool_]  # survived in its bin
    reaches_goal: NDArray[np.bool_]  # is part of a complete derivation
    # By bin, of hierarchical rules only: the number of its nonterminal, -1 for glue, and its span.
    label: NDArray[np.int32]
    begin: NDArray[np.int32]
    end: NDArray[np.int32]

    @property
    def numbers(self) -> range:
        """Of the bins."""
        if len(self.label):
            return range(len(self.label))
        return range(1, int(self.bin[-1]) + 1) if len(self.bin) else range(0)

    def __len__(self) -> int:
        return len(self.numbers)

    def members(self, number: int) -> NDArray[np.intp]:
        """The nodes of a bin."""
        return np.flatnonzero(self.bin == number)


class SearchResult:
    """One sentence's search: its forest, its bins, its best translations."""

    def __init__(
        self,
        decoder: Decoder,
        source: _core.SourceSentences,
        sentence: int,
        native: _core.SearchRecord,
    ) -> None:
        self.decoder = decoder
        self.fell_back = native.fell_back
        self._source = source
        self._sentence = sentence
        self._native = native

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
        )

    @cached_property
    def bins(self) -> Bins:
        """With record="forest" only those hypotheses that reach the goal."""
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
        """Source words covered, or nonterminal and span such as X[2:5] (S: glue)."""
        bins = self.bins
        if not len(bins.label):
            return str(number)
        # A label beyond all is that of copied words in a grammar that has no such nonterminal.
        names = [*self.decoder.model.rules.store.labels, "-", "S"]
        return f"{names[bins.label[number]]}[{bins.begin[number]}:{bins.end[number]}]"

    @cached_property
    def edge_scores(self) -> NDArray[np.float64]:
        """Under the weights of the search."""
        return self.forest.scores(self.decoder.weights)

    @property
    def best(self) -> Candidate:
        return self.kbest(1)[0]

    def kbest(self, k: int, *, distinct: bool = False) -> list[Candidate]:
        """The k best derivations of the forest, or with `distinct` the best of each translation."""
        return self.candidates(self.forest.kbest(k, self.edge_scores, distinct=distinct))

    def candidates(self, found: Derivations) -> list[Candidate]:
        """Derivations of the forest, spelled out."""
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
        """The best monotone translation of source words begin to end, if the search kept them."""
        row = begin * (len(self.source) + 1) + end
        offsets = self._native.monotone_offsets
        if len(offsets) == 1:
            raise ValueError("the search did not keep monotone translations; ask it to")
        words = self._native.monotone_words[offsets[row] : offsets[row + 1]]
        return self.spelled(words.tolist())

    def spelled(self, words: Sequence[int]) -> tuple[str, ...]:
        """Words of the source or of a target side by their numbers."""
        return tuple(self._source.word(word) for word in words)

    def __repr__(self) -> str:
        native = self._native
        return (
            f"SearchResult({len(self.source)} words, {len(native.node_bin):,} nodes, "
            f"{len(native.edge_rule):,} edges)"
        )
