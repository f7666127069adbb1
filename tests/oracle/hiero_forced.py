"""The scores of all Hiero derivations that give one translation.

Slow and obvious: a chart of target strings with every score that each of them can have, then the
glue rules from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from demotic.model import Model
from tests.oracle.arpa import Arpa

Words = tuple[str, ...]
Span = tuple[int, int]
Cell = dict[Words, set[float]]

GAP = re.compile(r"\[X,(\d)\]")


class ForcedHiero:
    """Of one model, whose glue rules are built in and whose only nonterminal is X."""

    def __init__(self, model: Model, language_model: Arpa) -> None:
        self.weights = model.weights
        self.longest = int(model.settings["span_limit"])
        self.lm = language_model
        self.rules: dict[Words, list[tuple[Words, float]]] = {}
        for rule in model.rules:
            score = sum(self.weights[name] * value for name, value in rule.scores.items())
            self.rules.setdefault(rule.source, []).append((rule.target, score))

    def scores(self, source: Words, target: Words) -> list[float]:
        """Of every derivation, the best first; equal ones count once."""
        self.source = source
        ends = range(len(target) + 1)
        self.parts = {target[i:j] for i in ends for j in ends if i <= j}
        self.chart: dict[Span, Cell] = {}
        for size in range(1, min(len(source), self.longest) + 1):
            for begin in range(len(source) - size + 1):
                self.chart[begin, begin + size] = self._cell(begin, begin + size)
        outside = self.weights["language_model"] * self.lm.log(target)
        outside -= self.weights["word_penalty"] * len(target)
        return sorted((score + outside for score in self._glued(target)), reverse=True)

    def _cell(self, begin: int, end: int) -> Cell:
        cell: Cell = {}
        word = (self.source[begin],)
        if end - begin == 1 and word not in self.rules and word in self.parts:
            cell[word] = {self.weights["pass_through"] - 100 * self.weights["unknown_word"]}
        for side, rules in self.rules.items():
            for gaps in self._matches(side, begin, end):
                for target, score in rules:
                    for words, scores in self._built(target, gaps, score):
                        cell.setdefault(words, set()).update(scores)
        return cell

    def _matches(self, side: Words, begin: int, end: int) -> Iterator[list[Span]]:
        """Where the gaps of a source side may lie so that it covers begin to end."""
        if not side:
            if begin == end:
                yield []
        elif GAP.fullmatch(side[0]):
            for middle in range(begin + 1, end + 1):
                if self.chart.get((begin, middle)):
                    for rest in self._matches(side[1:], middle, end):
                        yield [(begin, middle), *rest]
        elif begin < end and self.source[begin] == side[0]:
            yield from self._matches(side[1:], begin + 1, end)

    def _built(
        self, target: Words, gaps: list[Span], score: float
    ) -> list[tuple[Words, set[float]]]:
        built: list[tuple[Words, set[float]]] = [((), {score})]
        for word in target:
            gap = GAP.fullmatch(word)
            pieces = self.chart[gaps[int(gap[1]) - 1]] if gap else {(word,): {0.0}}
            built = [
                (left + right, sums(a, b))
                for left, a in built
                for right, b in pieces.items()
                if left + right in self.parts
            ]
        return built

    def _glued(self, target: Words) -> set[float]:
        # The first piece is not glued.
        found: dict[Span, set[float]] = {(0, 0): {-self.weights["glue"]}}
        for end in range(1, len(self.source) + 1):
            for (begin, done), scores in list(found.items()):
                for words, pieces in self.chart.get((begin, end), {}).items():
                    place = (end, done + len(words))
                    if target[done : place[1]] == words:
                        glued = sums(sums(scores, pieces), {self.weights["glue"]})
                        found.setdefault(place, set()).update(glued)
        return found.get((len(self.source), len(target)), set())


def sums(a: set[float], b: set[float]) -> set[float]:
    """Rounded, so that the same derivation in another order is the same number."""
    return {round(x + y, 7) for x in a for y in b}
