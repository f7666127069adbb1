"""Forced Hiero search of tiny models: its forests, spelled out in the oracle's terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.rules import Rules
from tests.oracle.hiero_search import COPY, GAP, GLUE, Words

__all__ = ["CAUSES", "REACHED", "Forced", "forced"]

REACHED = ("whole", "beginning", "not", "undecided")
CAUSES = ("none", "unknown_word", "uncovered_word", "limit", "other")
NONE = 2**32 - 1
COPIED, PASSED, GLUE_FIRST, GLUE_NEXT = NONE, NONE - 1, NONE - 2, NONE - 3

Key = tuple[object, ...]


class Node(NamedTuple):
    label: int
    begin: int
    end: int
    target_begin: int
    target_end: int


@dataclass(frozen=True)
class Forced:
    """What the search gave for one pair; arrays if it is reached."""

    rules: Rules
    source: Words
    reference: Words
    reached: str
    cause: str
    arrays: tuple[NDArray[np.int64], ...] | None

    @cached_property
    def nodes(self) -> list[Node]:
        assert self.arrays
        return [Node(*row) for row in self.arrays[0].reshape(-1, 5).tolist()]

    @cached_property
    def names(self) -> Mapping[int, object]:
        names: dict[int, object] = {COPIED: COPY, PASSED: COPY, GLUE_FIRST: GLUE, GLUE_NEXT: GLUE}
        for number, rule in enumerate(self.rules):
            names[number] = (rule.lhs, rule.source, rule.target)
        return names

    def edges(self, node: int) -> Iterator[tuple[int, list[int]]]:
        """Rule and tails; what every edge promises is checked on the way."""
        assert self.arrays
        _, offsets, rules, tails, spans = self.arrays
        assert offsets[node] < offsets[node + 1]
        for edge in range(offsets[node], offsets[node + 1]):
            below = [int(tail) for tail in tails.reshape(-1, 2)[edge] if tail != NONE]
            assert all(tail < node for tail in below)
            assert tuple(spans.reshape(-1, 2)[edge]) == self.nodes[node][1:3]
            self.check_edge(self.nodes[node], int(rules[edge]), [self.nodes[t] for t in below])
            yield int(rules[edge]), below

    def check_edge(self, head: Node, rule: int, tails: list[Node]) -> None:
        """The words of the rule, with those of the tails, are those of the head, on both sides."""
        labels = self.rules.store.labels
        if rule in (COPIED, PASSED):
            assert not tails
            assert self.source[head.begin] == self.reference[head.target_begin]
            assert head.target_end - head.target_begin == 1
            return
        if rule in (GLUE_FIRST, GLUE_NEXT):
            assert head.label == -1
            assert len(tails) == (1 if rule == GLUE_FIRST else 2)
            source: Words = tuple(f"[X,{i}]" for i, _ in enumerate(tails, 1))
            target = source
        else:
            _, source, target = self.names[rule]  # type: ignore[misc]
            assert labels[head.label] == self.names[rule][0]  # type: ignore[index]
        at = head.begin
        for symbol in source:
            if gap := GAP.fullmatch(symbol):
                tail = tails[int(gap[2]) - 1]
                assert tail.begin == at < tail.end
                assert tail.label == -1 or labels[tail.label] == gap[1]
                at = tail.end
            else:
                assert self.source[at] == symbol
                at += 1
        assert at == head.end
        at = head.target_begin
        for symbol in target:
            if gap := GAP.fullmatch(symbol):
                tail = tails[int(gap[2]) - 1]
                assert tail.target_begin == at
                at = tail.target_end
            else:
                assert self.reference[at] == symbol
                at += 1
        assert at == head.target_end

    def derivations(self) -> list[Key]:
        """Of the goal: all steps in pre-order; every node is part of one."""
        if self.arrays is None:
            return []
        kept: list[list[Key]] = []
        used = {len(self.nodes) - 1}
        assert len(set(self.nodes)) == len(self.nodes)
        for number, node in enumerate(self.nodes):
            kept.append([])
            for rule, tails in self.edges(number):
                used.update(tails)
                head = (self.names[rule], node.begin, node.end)
                for parts in product(*(kept[tail] for tail in tails)):
                    kept[-1].append((head, *sum(parts, ())))
        assert used == set(range(len(self.nodes)))
        assert self.nodes[-1][1:] == (0, len(self.source), 0, len(self.reference))
        return kept[-1]

    @property
    def special(self) -> set[int]:
        """Which kinds of edges are no rules."""
        return set() if self.arrays is None else {int(r) for r in self.arrays[2] if r >= GLUE_NEXT}


def forced(
    model: _core.HieroModel,
    rules: Rules,
    pairs: list[tuple[Words, Words]],
    *,
    numbers: list[int] | None = None,
    **options: int,
) -> list[Forced]:
    given = {"span_limit": 0, "max_nodes": 1_000_000, "find_cause": True, **options}
    force = _core.HieroForce(model, **given)  # type: ignore[arg-type]
    sides = [[" ".join(pair[side]) for pair in pairs] for side in (0, 1)]
    source = _core.SourceSentences(model, sides[0], sides[1], [], numbers or [])
    made = []
    for i, pair in enumerate(pairs):
        reached, cause, forests = force.run(source, i)
        assert len(forests) == (reached == 0)
        arrays = forests[0] if forests else None
        made.append(Forced(rules, *pair, REACHED[reached], CAUSES[cause], arrays))
    return made
