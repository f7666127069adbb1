"""A forest: a hypergraph with what its edges mean; returned by searches.

Algorithms are native and see one score per edge (`core/include/demotic/forest/`): model best, hope
and fear are the same `viterbi` with different scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.features.weights import FeatureIndex, Weights
from demotic.forest.derivations import Derivations, Envelope
from demotic.forest.rows import FeatureRows, Rows, make_readonly, readonly_array

__all__ = ["COPIED_WORD", "GLUE", "NO_RULE", "Forest"]

# Values of `edge_rule` for edges without a rule in the rule store.
COPIED_WORD = -1  # an unknown word, copied
GLUE = -2  # glue and goal edges
NO_RULE = -3  # unknown, as in foreign files; those below: see `Step`

MAX_EXAMINED = 1_000_000  # derivations over all nodes, a few hundred bytes each


@dataclass(frozen=True, eq=False, repr=False)
class Forest:
    """Immutable; arrays are shared if they are read-only, else copied."""

    # Incoming edges of a node are contiguous, tails precede heads, the root is the last node.
    edge_offsets: NDArray[np.int32]
    tail_offsets: NDArray[np.int32]
    tails: NDArray[np.int32]
    edge_rule: NDArray[np.int32]  # index in the model's rule store, or a constant above
    edge_begin: NDArray[np.int32]  # source span, half open; -1, -1 if unknown
    edge_end: NDArray[np.int32]
    edge_target: Rows  # symbols: a word >= 0, or -(i + 1) for the yield of tail i
    edge_features: FeatureRows
    node_bin: NDArray[np.int32]  # the bin in which the node's hypotheses competed
    feature_names: FeatureIndex
    edge_parts: Rows | None = None  # parts with sparse features, which are kept elsewhere
    graph: _core.Hypergraph = field(init=False)

    def __post_init__(self) -> None:
        for name in _INT32_COLUMNS:
            object.__setattr__(self, name, readonly_array(getattr(self, name), np.int32))
        graph = _core.Hypergraph(self.edge_offsets, self.tail_offsets, self.tails)
        object.__setattr__(self, "graph", graph)
        self._check_lengths()
        _core.check_targets(graph, self.edge_target.offsets, self.edge_target.values)
        self._check_features()

    def _check_lengths(self) -> None:
        columns = (self.edge_rule, self.edge_begin, self.edge_end, self.edge_features)
        for column in (*columns, self.edge_parts):
            if column is not None and len(column) != self.edges:
                raise ValueError(f"expected {self.edges} rows (one per edge), got {len(column)}")
        if len(self.node_bin) != self.nodes:
            raise ValueError(f"expected {self.nodes} bins (one per node), got {len(self.node_bin)}")

    def _check_features(self) -> None:
        rows = self.edge_features
        _core.row_scores(rows.offsets, rows.ids, rows.values, np.zeros(len(self.feature_names)))
        rising = np.diff(rows.ids) > 0
        inner = rows.offsets[1:-1]  # ids may decrease between two rows
        rising[inner[(inner > 0) & (inner < len(rows.ids))] - 1] = True
        if not rising.all():
            raise ModelError("features of an edge out of order", expected="ascending ids")
        if not np.isfinite(rows.values).all():
            raise ModelError("a feature value that is not finite", expected="finite numbers")

    @property
    def nodes(self) -> int:
        return self.graph.nodes

    @property
    def edges(self) -> int:
        return self.graph.edges

    @property
    def number_of_derivations(self) -> float:
        """Derivations of the root: exact below 2^64 - 1, beyond that a rounded float, or inf."""
        exact = int(self.graph.count_derivations()[-1])
        return exact if exact < 2**64 - 1 else float(self.graph.estimate_derivations()[-1])

    def scores(self, weights: Weights | ArrayLike) -> NDArray[np.float64]:
        """weights . features of every edge."""
        if isinstance(weights, Weights):
            weights = weights.ordered(self.feature_names).array
        array = np.ascontiguousarray(weights, dtype=np.float64)
        if array.shape != (len(self.feature_names),):
            raise ValueError(f"expected {len(self.feature_names)} weights, got {array.shape}")
        rows = self.edge_features
        return _core.row_scores(rows.offsets, rows.ids, rows.values, array)

    def viterbi(self, scores: ArrayLike, *, node: int | None = None) -> Derivations:
        """The best derivation of the root or of `node`; empty if it has none."""
        edges, score = _core.best_derivation(self.graph, _doubles(scores), self._place(node))
        lengths = [len(edges)] if len(edges) else []
        return Derivations(Rows(np.array([0, *lengths]), edges), np.full(len(lengths), score))

    def best_of_nodes(self, scores: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Score and first edge of every node's best derivation; -inf and -1 if it has none."""
        return _core.viterbi(self.graph, _doubles(scores))

    def best_with_yield(self, words: ArrayLike, scores: ArrayLike) -> NDArray[np.int32]:
        """Edges of the best derivation with this yield; empty if there is none."""
        target, ids = self.edge_target, np.ascontiguousarray(words, np.int32)
        return _core.best_with_yield(
            self.graph, _doubles(scores), target.offsets, target.values, ids
        )

    def kbest(
        self,
        k: int,
        scores: ArrayLike,
        *,
        distinct: bool = False,
        node: int | None = None,
        max_examined: int = MAX_EXAMINED,
    ) -> Derivations:
        """The k best derivations; with `distinct`, the best derivation of each of k yields.

        The search for distinct yields stops after `max_examined`; the result's `complete` tells.
        """
        if k < 0:
            raise ValueError(f"k is {k}; expected at least 0")
        place = self._place(node)
        if not distinct:
            offsets, edges, best = _core.kbest(self.graph, _doubles(scores), place, k)
            return Derivations(Rows(*make_readonly(offsets, edges)), best)
        target = self.edge_target
        (offsets, edges, best), examined, complete = _core.distinct_kbest(
            self.graph, _doubles(scores), place, k, target.offsets, target.values, max_examined
        )
        return Derivations(Rows(*make_readonly(offsets, edges)), best, complete, examined)

    def inside(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Log of the sum of exp(score) over the derivations of every node (inside scores)."""
        return _core.log_inside(self.graph, _doubles(scores))

    def outside(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Log of the sum of exp(score) over the completions of every node (outside scores)."""
        return _core.log_outside(self.graph, _doubles(scores))

    def edge_posteriors(self, scores: ArrayLike) -> NDArray[np.float64]:
        """The expected number of uses of an edge under p(d) proportional to exp(score)."""
        return _core.edge_posteriors(self.graph, _doubles(scores))

    def node_posteriors(self, scores: ArrayLike) -> NDArray[np.float64]:
        """The expected number of uses of a node under p(d) proportional to exp(score)."""
        return _core.node_posteriors(self.graph, _doubles(scores))

    def prune(
        self, scores: ArrayLike, *, threshold: float = math.inf, density: float = math.inf
    ) -> Forest:
        """Keeps edges whose best derivation is within `threshold` of the best, and of those the
        best, at most `density` per edge of the best derivation.  Without limits: keeps the edges
        of complete derivations."""
        edge_offsets, tail_offsets, tails, nodes, edges = make_readonly(
            *_core.prune(self.graph, _doubles(scores), threshold, density)
        )
        return Forest(
            edge_offsets=edge_offsets,
            tail_offsets=tail_offsets,
            tails=tails,
            edge_rule=self.edge_rule[edges],
            edge_begin=self.edge_begin[edges],
            edge_end=self.edge_end[edges],
            edge_target=self.edge_target.take(edges),
            edge_features=self.edge_features.take(edges),
            node_bin=self.node_bin[nodes],
            feature_names=self.feature_names,
            edge_parts=None if self.edge_parts is None else self.edge_parts.take(edges),
        )

    def sample(
        self, count: int, scores: ArrayLike, *, seed: int, scale: float = 1.0
    ) -> Derivations:
        """Derivations sampled with p(d) proportional to exp(scale * score)."""
        if not math.isfinite(scale):
            raise ValueError(f"scale is {scale}; expected a finite number")
        offsets, edges, drawn = _core.sample(self.graph, _doubles(scores), scale, count, seed)
        return Derivations(Rows(*make_readonly(offsets, edges)), drawn)

    def envelope(self, intercept: ArrayLike, slope: ArrayLike) -> Envelope:
        """The best derivation for every x if an edge scores intercept + x * slope."""
        left, intercepts, slopes, offsets, edges = _core.envelope(
            self.graph, _doubles(intercept), _doubles(slope)
        )
        make_readonly(left, intercepts, slopes, offsets, edges)
        return Envelope(left, intercepts, slopes, Rows(offsets, edges))

    def derivation_features(self, derivations: Derivations | Rows) -> FeatureRows:
        """The feature vectors of derivations: sums over their edges."""
        rows, features = _rows(derivations), self.edge_features
        sums = _core.sum_rows(
            rows.offsets, rows.values, features.offsets, features.ids, features.values
        )
        return FeatureRows(*make_readonly(*sums))

    def yields(self, derivations: Derivations | Rows) -> Rows:
        """The target words of derivations."""
        rows, target = _rows(derivations), self.edge_target
        words = _core.derivation_yields(
            self.graph, rows.offsets, rows.values, target.offsets, target.values
        )
        return Rows(*make_readonly(*words))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Forest):
            return NotImplemented
        return (
            all(np.array_equal(getattr(self, n), getattr(other, n)) for n in _INT32_COLUMNS)
            and self.edge_target == other.edge_target
            and self.edge_features == other.edge_features
            and self.feature_names == other.feature_names
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Forest({self.nodes:,} nodes, {self.edges:,} edges, {len(self.tails):,} tails, "
            f"{len(self.feature_names)} features)"
        )

    def _repr_html_(self) -> str:
        sizes = {
            "nodes": self.nodes,
            "edges": self.edges,
            "bins": len(np.unique(self.node_bin)),
            "features": len(self.feature_names),
            "derivations": self.number_of_derivations,
        }
        names = "".join(f"<th>{name}</th>" for name in sizes)
        values = "".join(f"<td>{_shown(value)}</td>" for value in sizes.values())
        return f"<table><tr>{names}</tr><tr>{values}</tr></table>"

    def _place(self, node: int | None) -> int:
        return self.nodes - 1 if node is None else node


_INT32_COLUMNS = (
    "edge_offsets",
    "tail_offsets",
    "tails",
    "edge_rule",
    "edge_begin",
    "edge_end",
    "node_bin",
)


def _doubles(scores: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(scores, dtype=np.float64)


def _rows(derivations: Derivations | Rows) -> Rows:
    return derivations.edges if isinstance(derivations, Derivations) else derivations


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
