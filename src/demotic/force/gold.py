"""Gold forests: the derivations found by forced decoding, mapped from a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.forest import COPIED_WORD, GLUE, Forest
from demotic.forest.rows import FeatureRows, Rows
from demotic.lines import PathLike
from demotic.model import Model
from demotic.verified import open_verified

__all__ = ["GoldForests"]

# The core's codes for edges without a rule: a copied word, known or not; glue of one or two items.
_COPIES, _GLUE_FIRST = (-1, -2), -3


class GoldForests:
    """All derivations of every reachable pair, in corpus order; immutable.

    `gold[i]` has the pair's index, lengths, nodes and edges as arrays; `gold.forest(i)` has the
    same derivations as a `Forest`, which needs the `sources` of the corpus for copied words.
    """

    def __init__(
        self, native: _core.GoldForests, model: Model, sources: Sequence[str] = ()
    ) -> None:
        self.model = model
        self._native = native
        self._sources = sources

    @classmethod
    def open(cls, path: PathLike, model: Model, sources: Sequence[str] = ()) -> GoldForests:
        """`sources`: the decoded sentences, one per pair."""
        native = open_verified(_core.GoldForests.open, path)
        if native.rules != len(model.rules.store):
            raise ModelError(
                f"gold forests of a model with {native.rules:,} rules",
                path=path,
                expected=f"those of {model.path}, which has {len(model.rules.store):,}",
                advice="run demotic force with this model",
            )
        return cls(native, model, sources)

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, i: int) -> _core.GoldForest:
        place = i + len(self) if i < 0 else i
        if not 0 <= place < len(self):
            raise IndexError(f"no forest {i}: there are {len(self)}")
        return self._native.forest(place)

    def __iter__(self) -> Iterator[_core.GoldForest]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"GoldForests({len(self):,} forests, {self._native.size_bytes:,} bytes)"

    def forest(self, i: int) -> Forest:
        """In the form in which a search returns it, without features; the goal is the last node."""
        gold = self[i]
        skipped = int(len(gold.edge_offsets) > 1 and gold.edge_offsets[1] == 0)  # phrases: start
        tails = [[*map(int, row)] for row in _tails(gold, skipped)]
        last = gold.nodes - 1 - skipped
        tails.append([last] if last >= 0 else [])
        targets = [
            self._target(rule, gold.pair, begin, below)
            for rule, begin, below in zip(
                gold.rule.tolist(), gold.begin.tolist(), tails, strict=False
            )
        ]
        targets.append([-1] * (last >= 0))
        rule = np.where(
            gold.rule <= _GLUE_FIRST, GLUE, np.where(gold.rule < 0, COPIED_WORD, gold.rule)
        )
        end = gold.source_length
        return Forest(
            edge_offsets=np.append(gold.edge_offsets[skipped:], gold.edges + 1),
            tail_offsets=np.cumsum([0, *map(len, tails)]),
            tails=np.array([*chain.from_iterable(tails)], dtype=np.int32),
            edge_rule=np.append(rule, GLUE),
            edge_begin=np.append(gold.begin, end if skipped else 0),
            edge_end=np.append(gold.end, end),
            edge_target=Rows.of(targets),
            edge_features=_no_features(gold.edges + 1),
            node_bin=np.append(_bins(gold)[skipped:], end),
            feature_names=self.model.weights.index,
        )

    def _target(self, rule: int, pair: int, begin: int, tails: Sequence[int]) -> list[int]:
        if rule <= _GLUE_FIRST:
            return [-1 - i for i in range(len(tails))]
        if rule >= 0:
            words = self.model.rules.store.target(rule)
            gaps = any(word < 0 for word in words)
            return words if gaps or not tails else [-1, *words]
        if not self._sources:
            raise ValueError("a copied word: open the forests with the source sentences")
        source = _core.SourceSentences(self.model.native, [self._sources[pair]])
        word = int(source.words(0)[begin])
        return [-1, word] if tails else [word]


def _no_features(edges: int) -> FeatureRows:
    none = np.array([], dtype=np.int32)
    return FeatureRows(np.zeros(edges + 1, dtype=np.int64), none, none.astype(np.float64))


def _tails(gold: _core.GoldForest, skipped: int) -> list[list[int]]:
    """The tails of every edge; the start node of phrase forests is not a tail."""
    both = zip(gold.first_tail.tolist(), gold.second_tail.tolist(), strict=True)
    return [[tail - skipped for tail in row if tail >= skipped] for row in both]


def _bins(gold: _core.GoldForest) -> NDArray[np.int32]:
    """Phrases: number of covered words; Hiero: index of the item N[i:j], smallest span first."""
    if len(gold.edge_offsets) > 1 and gold.edge_offsets[1] == 0:
        return gold.source_begin
    groups = np.stack([gold.source_end - gold.source_begin, gold.source_begin, gold.label])
    return np.unique(groups, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int32)
