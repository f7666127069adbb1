"""A hypergraph by all its derivations.

Slow and obvious: a derivation is a tree, an edge and a tree for each of its tails; everything else
is a sum, a maximum or a sort over the list of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

Edge = tuple[int, tuple[int, ...]]  # its number and its tails
Nodes = Sequence[Sequence[Edge]]  # the incoming edges of each node
Tree = tuple[int, tuple["Tree", ...]]


def derivations(nodes: Nodes, node: int) -> Iterator[Tree]:
    for edge, tails in nodes[node]:
        for below in product(*(tuple(derivations(nodes, tail)) for tail in tails)):
            yield edge, below


def contexts(nodes: Nodes, node: int, hole: int) -> Iterator[list[int]]:
    """The edges of every derivation of `node` with one derivation of `hole` cut out."""
    if node == hole:
        yield []
    for edge, tails in nodes[node]:
        for i, tail in enumerate(tails):
            others = [tuple(derivations(nodes, t)) for t in tails[:i] + tails[i + 1 :]]
            for around in contexts(nodes, tail, hole):
                for siblings in product(*others):
                    yield [edge, *around, *(e for tree in siblings for e in edges(tree))]


def edges(tree: Tree) -> list[int]:
    """In pre-order."""
    edge, below = tree
    return [edge, *(e for part in below for e in edges(part))]


def total(used: Sequence[int], scores: Sequence[float]) -> float:
    return sum(scores[edge] for edge in used)


def words(tree: Tree, targets: Sequence[Sequence[int]]) -> tuple[int, ...]:
    edge, below = tree
    parts = ((s,) if s >= 0 else words(below[-s - 1], targets) for s in targets[edge])
    return tuple(word for part in parts for word in part)


def log_sum(scores: Sequence[float]) -> float:
    whole = math.fsum(map(math.exp, scores))
    return math.log(whole) if whole else -math.inf


def highest(lines: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The lines (slope, intercept) that are above all others on some interval, by slope.

    A line is, if the largest x at which it overtakes a flatter one is below the smallest x at
    which a steeper one overtakes it.
    """
    best: dict[float, float] = {}
    for slope, intercept in lines:
        best[slope] = max(intercept, best.get(slope, -math.inf))

    def begin(slope: float) -> float:
        flatter = [(best[s] - best[slope]) / (slope - s) for s in best if s < slope]
        return max(flatter, default=-math.inf)

    def end(slope: float) -> float:
        steeper = [(best[slope] - best[s]) / (s - slope) for s in best if s > slope]
        return min(steeper, default=math.inf)

    return [(slope, best[slope]) for slope in sorted(best) if begin(slope) < end(slope)]
