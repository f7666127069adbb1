"""Small random forests, rich in corner cases."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from demotic.features.weights import FeatureIndex
from demotic.forest import FeatureRows, Forest, Rows
from tests.oracle import forest as oracle

NAMES = FeatureIndex(["lm", "words", "forward", "backward"])
HALVES = st.integers(-6, 6).map(lambda n: n / 2)  # sums are exact and ties frequent


@dataclass(frozen=True)
class SmallForest:
    forest: Forest
    nodes: oracle.Nodes
    scores: list[float]
    targets: list[list[int]]

    @property
    def root(self) -> int:
        return len(self.nodes) - 1

    def trees(self, node: int | None = None) -> list[oracle.Tree]:
        """All derivations with a finite score."""
        place = self.root if node is None else node
        return [
            tree for tree in oracle.derivations(self.nodes, place) if self.score(tree) > -math.inf
        ]

    def score(self, tree: oracle.Tree) -> float:
        return oracle.total(oracle.edges(tree), self.scores)


def forest_of(
    tails: list[list[tuple[int, ...]]],
    targets: list[list[int]] | None = None,
    features: list[dict[int, float]] | None = None,
) -> Forest:
    """A forest, given the tails of the edges of each node."""
    rows = [edge for node in tails for edge in node]
    flat = Rows.of(rows)
    count = len(rows)
    return Forest(
        edge_offsets=np.cumsum([0, *map(len, tails)]),
        tail_offsets=flat.offsets,  # type: ignore[arg-type]
        tails=flat.values,
        edge_rule=np.arange(count) - 3,
        edge_begin=np.arange(count),
        edge_end=np.arange(count) + 1,
        edge_target=Rows.of(targets or [[-i - 1 for i in range(len(row))] for row in rows]),
        edge_features=FeatureRows.of(features or [{} for _ in rows]),
        node_bin=np.arange(len(tails)) // 2,
        feature_names=NAMES,
    )


def _count(tails: list[list[tuple[int, ...]]]) -> int:
    counts: list[int] = []
    for node in tails:
        counts.append(sum(math.prod(counts[tail] for tail in edge) for edge in node))
    return max(counts)


@st.composite
def _tails(draw: st.DrawFn) -> list[list[tuple[int, ...]]]:
    """Edges with up to 3 tails, repeated tails, nodes without edges, unused nodes."""
    nodes = []
    for node in range(draw(st.integers(1, 6))):
        tail = st.integers(0, node - 1) if node else st.nothing()
        edge = st.lists(tail, max_size=3 if node else 0).map(tuple)
        nodes.append(draw(st.lists(edge, max_size=4)))
    return nodes


@st.composite
def _target(draw: st.DrawFn, arity: int) -> list[int]:
    """Two words and the tails in any order: many derivations have the same yield."""
    symbols = draw(st.lists(st.integers(0, 1), max_size=2)) + [-i - 1 for i in range(arity)]
    return list(draw(st.permutations(symbols)))


@st.composite
def small_forests(draw: st.DrawFn) -> SmallForest:
    tails = draw(_tails().filter(lambda nodes: _count(nodes) <= 300))
    rows = [edge for node in tails for edge in node]
    score = draw(st.sampled_from([HALVES, HALVES | st.just(-math.inf), st.just(0.0)]))
    scores = draw(st.lists(score, min_size=len(rows), max_size=len(rows)))
    targets = [draw(_target(len(row))) for row in rows]
    vector = st.dictionaries(st.integers(0, len(NAMES) - 1), HALVES, max_size=3)
    features = draw(st.lists(vector, min_size=len(rows), max_size=len(rows)))
    numbers = iter(range(len(rows)))
    nodes = [[(next(numbers), edge) for edge in node] for node in tails]
    return SmallForest(forest_of(tails, targets, features), nodes, scores, targets)
