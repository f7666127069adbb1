"""The hypotheses in the bins of a recorded search, and their ranks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from demotic.explain.explanation import BinMember, BinView
from demotic.forest import Rows
from demotic.search.record import SearchResult

__all__ = ["RankedBins"]

_BEST = 4  # partial translations listed per bin
_TOP, _SAMPLED = 40, 60  # drawn per bin: the best, and an even sample of the others


class RankedBins:
    """The hypotheses of every bin, best first, and the winner's path through them."""

    def __init__(self, result: SearchResult, winner: NDArray[np.int32]) -> None:
        self._result = result
        self._forest = result.forest
        self._bins = bins = result.bins
        self._heads = self._forest.graph.edge_heads()
        self._first_edge = self._forest.best_of_nodes(result.edge_scores)[1]
        self._totals = bins.score.astype(np.float64) + bins.future
        path = self._nodes(winner)[::-1]
        self._winner = set(path)
        # A chart has too many bins to show, so only those of the winner's parts are used.
        phrases = result.decoder.model.kind == "phrase"
        numbers = np.unique(bins.bin) if phrases else bins.bin[path]
        self._members = {number: self._sorted(number) for number in numbers.tolist()}

    def views(self) -> tuple[BinView, ...]:
        return tuple(self._view(number) for number in self._members)

    def ranked(self) -> Iterator[tuple[int, list[int]]]:
        """The numbers of the bins, each with its hypotheses, best first."""
        for number, members in self._members.items():
            yield number, members.tolist()

    def is_alive(self, node: int) -> bool:
        return bool(self._bins.alive[node])

    def path(self, derivation: NDArray[np.int32]) -> tuple[tuple[str, int, int], ...]:
        """Bin, rank and bin size of each hypothesis of a derivation, first to last."""
        found = []
        for node in reversed(self._nodes(derivation)):
            members = self._sorted(int(self._bins.bin[node]))
            name = self._result.bin_name(int(self._bins.bin[node]))
            found.append((name, _rank(members, node), len(members)))
        return tuple(found)

    def _sorted(self, number: int) -> NDArray[np.intp]:
        members = self._bins.members(number)
        # Of equal scores, survivors come first.
        order = np.lexsort((~self._bins.alive[members], -self._totals[members]))
        return members[order]

    def _nodes(self, derivation: NDArray[np.int32]) -> list[int]:
        """The hypotheses of a derivation, last to first, without the goal."""
        nodes: list[int] = self._heads[derivation[1:]].tolist()
        return nodes

    def _view(self, number: int) -> BinView:
        members, bins = self._members[number], self._bins
        winners = [node for node in members.tolist() if node in self._winner]
        shown = list(dict.fromkeys([*members[:_BEST].tolist(), *winners]))
        rest = members[_TOP :: max(1, -(-(len(members) - _TOP) // _SAMPLED))]
        drawn = list(dict.fromkeys([*members[:_TOP].tolist(), *rest.tolist(), *winners]))
        top = float(self._totals[members[0]]) if len(members) else 0.0
        return BinView(
            name=self._result.bin_name(number),
            entered=len(members),
            survived=int(bins.alive[members].sum()),
            reach_goal=int(bins.reaches_goal[members].sum()),
            winner_rank=_rank(members, winners[0]) if winners else None,
            best=tuple(self.member(number, node) for node in shown),
            dots=tuple((top - float(self._totals[node]), self.state(node)) for node in drawn),
        )

    def member(self, number: int, node: int) -> BinMember:
        edges = self._derivation(node)
        words = self._forest.yields(Rows.of([edges]))[0]
        return BinMember(
            text=" ".join(self._result.spelled(words.tolist())),
            covered=self._covered(edges),
            score=float(self._bins.score[node]),
            future=float(self._bins.future[node]),
            alive=bool(self._bins.alive[node]),
            reaches_goal=bool(self._bins.reaches_goal[node]),
            winner=node in self._winner,
            rank=_rank(self._members[number], node),
        )

    def _derivation(self, node: int) -> list[int]:
        """The edges of the best derivation of a node, in pre-order."""
        forest, edges, todo = self._forest, [], [node]
        while todo:
            edge = int(self._first_edge[todo.pop()])
            edges.append(edge)
            begin, end = forest.tail_offsets[edge : edge + 2].tolist()
            todo += forest.tails[begin:end].tolist()[::-1]
        return edges

    def _covered(self, edges: list[int]) -> str:
        signs = ["."] * len(self._result.source)
        for edge in edges:
            begin, end = int(self._forest.edge_begin[edge]), int(self._forest.edge_end[edge])
            signs[begin:end] = "+" * (end - begin)
        return "".join(signs)

    def state(self, node: int) -> str:
        if node in self._winner:
            return "winner"
        if self._bins.reaches_goal[node]:
            return "goal"
        return "alive" if self._bins.alive[node] else "dead"


def _rank(members: NDArray[np.intp], node: int) -> int:
    return int(np.flatnonzero(members == node)[0]) + 1
