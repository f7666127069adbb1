"""Checks of the record of a search: its proposals, recombination, pruning and scores."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from demotic.search import SearchOptions, SearchResult, Step
from tests.near import near
from tests.search.brute_force import BruteForce, Edge

__all__ = ["OpenedRecord", "check_record", "edges_into"]


def edges_into(result: SearchResult, node: int) -> list[tuple[Step, tuple[int, ...]]]:
    """Steps and tails of the edges into a node, the best edge first."""
    forest = result.forest
    columns = (forest.edge_rule, forest.edge_begin, forest.edge_end)
    return [
        (
            Step(*(int(column[e]) for column in columns)),
            tuple(forest.tails[forest.tail_offsets[e] : forest.tail_offsets[e + 1]].tolist()),
        )
        for e in range(forest.edge_offsets[node], forest.edge_offsets[node + 1])
    ]


@dataclass
class OpenedRecord:
    """The edges into each node, the best derivation of each, and the tails of the goal."""

    edges: list[list[tuple[Step, tuple[int, ...]]]]
    best: dict[int, Any]
    goal_tails: set[int]

    @classmethod
    def of(cls, brute: BruteForce[Any], result: SearchResult) -> OpenedRecord:
        edges = [edges_into(result, node) for node in range(result.forest.nodes)]
        best: dict[int, Any] = {}
        for node, incoming in enumerate(edges[:-1]):
            for step, tails in incoming:
                derivation = brute.joined(step, [best[tail] for tail in tails])
                first = best.setdefault(node, derivation)
                assert brute.place(derivation) == brute.place(first)
        return cls(edges[:-1], best, {tail for _, tails in edges[-1] for tail in tails})


def check_record(brute: BruteForce[Any], result: SearchResult, options: SearchOptions) -> None:
    """Of a search that was recorded with record="bins"."""
    record = OpenedRecord.of(brute, result)
    check_bins(brute, result, record)
    check_proposals(brute, result, record, options)
    check_recombination(brute, result, record)
    check_pruning(result, options)
    check_reaching(brute, result, record)
    check_scores(brute, result, record)


def check_bins(brute: BruteForce[Any], result: SearchResult, record: OpenedRecord) -> None:
    names = brute.bin_names(result)
    assert len(set(names.values())) == len(names)
    for node, number in enumerate(result.bins.bin.tolist()):
        assert brute.bin(record.best[node]) == names[number]


def check_proposals(
    brute: BruteForce[Any], result: SearchResult, record: OpenedRecord, options: SearchOptions
) -> None:
    """Every step from a survivor entered its bin exactly once; of cubes, as many as were popped."""
    names, alive = brute.bin_names(result), result.bins.alive
    proposed: dict[Hashable, list[Edge]] = defaultdict(list)
    for node, incoming in enumerate(record.edges):
        edges = [(brute.step_key(step), tails) for step, tails in incoming]
        proposed[names[int(result.bins.bin[node])]] += edges
    possible = brute.proposals({node: record.best[node] for node in np.flatnonzero(alive).tolist()})
    assert set(proposed) == set(possible)
    for name, edges in proposed.items():
        assert len(set(edges)) == len(edges)
        assert set(edges) <= possible[name]
        limit = options.pop_limit if options.cube_pruning else math.inf
        assert len(edges) == min(limit, len(possible[name]))


def check_recombination(brute: BruteForce[Any], result: SearchResult, record: OpenedRecord) -> None:
    seen = set()
    for node, number in enumerate(result.bins.bin.tolist()):
        state = number, brute.state(record.best[node])
        assert state not in seen, "two hypotheses of a bin with the same future"
        seen.add(state)


def check_pruning(result: SearchResult, options: SearchOptions) -> None:
    bins = result.bins
    total = bins.score.astype(float) + bins.future
    for number in bins.numbers:
        members = bins.members(number)
        if not len(members):
            continue
        alive, pruned = members[bins.alive[members]], members[~bins.alive[members]]
        slack = 1e-5 * max(1, np.abs(total[members]).max())
        lowest = total[alive].max() - (options.beam_threshold or math.inf)
        assert 1 <= len(alive) <= options.beam_size
        assert total[alive].min() >= lowest - slack
        if len(pruned):
            assert total[pruned].max() <= total[alive].min() + slack
        if len(alive) < options.beam_size:
            assert (total[pruned] < lowest + slack).all()


def check_reaching(brute: BruteForce[Any], result: SearchResult, record: OpenedRecord) -> None:
    """The goal follows all survivors of its bin; what it is made of reaches the goal."""
    bins, reaches = result.bins, set(record.goal_tails)
    whole = {node for node, one in record.best.items() if brute.is_whole(one) and bins.alive[node]}
    assert reaches == whole
    for node in reversed(range(len(bins.bin))):
        for _, tails in record.edges[node]:
            assert all(bins.alive[tail] for tail in tails)
            if node in reaches:
                reaches |= set(tails)
    assert reaches == set(np.flatnonzero(bins.reaches_goal).tolist())


def check_scores(brute: BruteForce[Any], result: SearchResult, record: OpenedRecord) -> None:
    """The score of a hypothesis is that of its first edge, which is the best of its edges."""
    bins = result.bins
    best, _ = result.forest.best_of_nodes(result.edge_scores)
    assert bins.score == near(best[:-1], rel=1e-4, abs=1e-4)
    for node, derivation in record.best.items():
        score = brute.score(derivation, complete=False)
        assert bins.score[node] == near(score, rel=1e-4, abs=2e-4)
        assert bins.future[node] == near(brute.future(derivation), rel=1e-4, abs=2e-4)
