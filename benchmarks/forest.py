"""How algorithms on forests scale: time per edge, 1,000 to 400,000 edges, generated forests.

Three shapes: `phrase`, bins as in phrase search for a sentence of 40 words (arity 1, edges from up
to seven bins back) with a growing beam; `hiero`, a chart of 40 words (arity 0 to 2, several states
per span) with growing states; `long`, like `phrase` with a beam of 30 and a sentence that grows to
about 400 words. Scores are normally distributed.  An envelope has more lines the deeper a forest
is, and all of them are part of the result: on `long` it cannot scale linearly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.pairing import measure
from demotic.features.weights import FeatureIndex
from demotic.forest import FeatureRows, Forest, Rows

__all__ = ["hiero", "long", "main", "phrase"]

EDGES = (1_000, 10_000, 100_000, 400_000)
REPEATS = 5
WORDS = 40
BEAM = 30  # for long sentences
EDGES_A_NODE = 8
SPAN_LIMIT = 10
FEATURES = 10


def main() -> None:
    for shape, sizes in ((phrase, EDGES), (hiero, EDGES), (long, EDGES[:3])):
        forests = [shape(edges) for edges in sizes]
        rows: dict[str, list[float]] = {}
        for forest in forests:
            for name, work in _works(forest).items():
                work()
                cpu = median(measure(work).cpu for _ in range(REPEATS))
                rows.setdefault(name, []).append(cpu)
        print(f"{shape.__name__}: ns per edge (median of {REPEATS}, CPU, 1 thread); growth")
        print(" " * 24 + "".join(f"{forest.edges:>12,}" for forest in forests))
        for name, times in rows.items():
            an_edge = [1e9 * cpu / f.edges for cpu, f in zip(times, forests, strict=True)]
            shown = "".join(f"{ns:>12.1f}" for ns in an_edge)
            print(f"{name:<24}{shown}{_exponent(forests, times):>8.2f}", flush=True)


def _works(forest: Forest) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(2)
    scores, slopes = rng.normal(size=(2, forest.edges))
    best = forest.kbest(100, scores)
    return {
        "scores, 10 features": lambda: forest.scores(np.ones(FEATURES)),
        "viterbi": lambda: forest.viterbi(scores),
        "inside and outside": lambda: forest.edge_posteriors(scores),
        "prune to density 10": lambda: forest.prune(scores, density=10),
        "100 best": lambda: forest.kbest(100, scores),
        "100 best, distinct": lambda: forest.kbest(100, scores, distinct=True),
        "100 samples": lambda: forest.sample(100, scores, seed=1),
        "envelope": lambda: forest.envelope(scores, slopes),
        "yields of 100": lambda: forest.yields(best),
        "features of 100": lambda: forest.derivation_features(best),
    }


def _exponent(forests: list[Forest], times: list[float]) -> float:
    """The growth of the last step, where fixed costs matter least."""
    return math.log(times[-1] / times[-2]) / math.log(forests[-1].edges / forests[-2].edges)


def phrase(edges: int) -> Forest:
    return _bins(edges // EDGES_A_NODE, max(1, edges // EDGES_A_NODE // WORDS))


def long(edges: int) -> Forest:
    return _bins(edges // EDGES_A_NODE, BEAM)


def _bins(nodes: int, beam: int) -> Forest:
    """Nodes in bins of `beam`; the edges of a node come from the seven bins before."""
    rng = np.random.default_rng(1)
    heads = np.repeat(np.arange(nodes), EDGES_A_NODE)
    bins = heads // beam
    first = np.maximum(0, bins - 7) * beam
    tails = first + (rng.random(len(heads)) * np.maximum(bins * beam - first, 1)).astype(int)
    arity = (bins > 0).astype(int)
    return _forest(np.bincount(heads), arity, tails[bins > 0], rng)


def hiero(edges: int) -> Forest:
    """Spans up to a limit, from short to long, then the goal that joins them from left to right."""
    rng = np.random.default_rng(1)
    spans = sum(WORDS - length + 1 for length in range(1, SPAN_LIMIT + 1))
    states = max(1, edges // (spans * EDGES_A_NODE))
    tails: list[tuple[int, ...]] = []
    for length in range(1, SPAN_LIMIT + 1):
        for begin in range(WORDS - length + 1):
            for _ in range(states):
                tails.extend(_children(rng, states, begin, length))
    counts = [EDGES_A_NODE] * (spans * states)
    before = spans * states - 1  # the goal up to word `end` is node before + end
    for end in range(1, WORDS + 1):
        for length in range(1, min(SPAN_LIMIT, end) + 1):
            span = _node(states, end - length, length, 0)
            tails.append((span,) if length == end else (before + end - length, span))
        counts.append(min(SPAN_LIMIT, end))
    arity = np.array([len(row) for row in tails])
    flat = np.array([tail for row in tails for tail in row])
    return _forest(np.array(counts), arity, flat, rng)


def _node(states: int, begin: int, length: int, state: int) -> int:
    """Spans by length, then by begin, then by state."""
    shorter = (length - 1) * WORDS - (length - 1) * (length - 2) // 2
    return (shorter + begin) * states + state


def _children(
    rng: np.random.Generator, states: int, begin: int, length: int
) -> list[tuple[int, ...]]:
    """A phrase, or two adjacent spans in any of their states."""
    if length == 1:
        return [()] * EDGES_A_NODE
    splits = rng.integers(1, length, EDGES_A_NODE)
    chosen = rng.integers(0, states, (EDGES_A_NODE, 2))
    return [
        (_node(states, begin, s, a), _node(states, begin + s, length - s, b))
        for s, (a, b) in zip(splits.tolist(), chosen.tolist(), strict=True)
    ]


def _forest(
    counts: NDArray[np.int_],
    arity: NDArray[np.int_],
    tails: NDArray[np.int_],
    rng: np.random.Generator,
) -> Forest:
    """Each edge adds one of a thousand words after the yields of its tails."""
    edges, nodes = len(arity), len(counts)
    tail_offsets = np.concatenate(([0], np.cumsum(arity)))
    target_offsets = tail_offsets + np.arange(edges + 1)
    symbols = rng.integers(0, 1000, target_offsets[-1])
    is_gap = np.ones(len(symbols), dtype=bool)
    is_gap[target_offsets[1:] - 1] = False
    symbols[is_gap] = -1 - (np.arange(len(tails)) - np.repeat(tail_offsets[:-1], arity))
    none = np.full(edges, -1, dtype=np.int32)
    return Forest(
        edge_offsets=np.concatenate(([0], np.cumsum(counts))),
        tail_offsets=tail_offsets,
        tails=tails.astype(np.int32),
        edge_rule=none,
        edge_begin=none,
        edge_end=none,
        edge_target=Rows(target_offsets, symbols),
        edge_features=_dense(edges, rng),
        node_bin=np.zeros(nodes, dtype=np.int32),
        feature_names=FeatureIndex(map(str, range(FEATURES))),
    )


def _dense(edges: int, rng: np.random.Generator) -> FeatureRows:
    return FeatureRows(
        np.arange(edges + 1) * FEATURES,
        np.tile(np.arange(FEATURES, dtype=np.int32), edges),
        rng.normal(size=edges * FEATURES),
    )


if __name__ == "__main__":
    main()
