"""Chart search without a chart: every derivation of a small sentence, each scored from scratch.

A derivation is a tree of rules, copied words and glue.  Its features are worked out for the whole
tree at once, those of the language models on the whole string.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from tests.oracle.arpa import Arpa
from tests.oracle.extraction import reordered

__all__ = ["COPY", "GLUE", "HieroOracle", "ScfgRule", "Space", "Tree", "Words"]

Words = tuple[str, ...]
Span = tuple[int, int]

GAP = re.compile(r"\[(\w+),(\d)\]")
COPY, GLUE = "copy", "glue"


@dataclass(frozen=True)
class ScfgRule:
    """Gaps are written [X,1] on both sides."""

    lhs: str
    source: Words
    target: Words
    scores: Mapping[str, float]
    links: tuple[tuple[int, int], ...] = ()  # between words

    @cached_property
    def reordered(self) -> tuple[bool, ...]:
        """Whether each gap crosses a link or another gap, in the order of the source."""
        kinds = tuple("[X]" if GAP.fullmatch(symbol) else "" for symbol in self.source)
        gaps = [
            (place, self.target.index(symbol))
            for place, symbol in enumerate(self.source)
            if kinds[place]
        ]
        return reordered(kinds, [*self.links, *gaps])

    @cached_property
    def key(self) -> tuple[str, Words, Words]:
        return self.lhs, self.source, self.target

    @cached_property
    def filled(self) -> tuple[str | int, ...]:
        """The target side, with the number of the tail that fills each gap."""
        gaps = [GAP.fullmatch(symbol) for symbol in self.target]
        return tuple(
            int(gap[2]) - 1 if gap else symbol
            for gap, symbol in zip(gaps, self.target, strict=True)
        )


class Tree(NamedTuple):
    """A rule, or COPY or GLUE, over source words begin to end; tails in the order of the source."""

    rule: ScfgRule | str
    begin: int
    end: int
    tails: tuple[Tree, ...] = ()

    def steps(self) -> Iterator[Tree]:
        """Heads before tails."""
        yield self
        for tail in self.tails:
            yield from tail.steps()

    @property
    def key(self) -> tuple[object, ...]:
        return tuple(
            (one.rule if isinstance(one.rule, str) else one.rule.key, one.begin, one.end)
            for one in self.steps()
        )

    def words(self, source: Words) -> Words:
        if self.rule == COPY:
            return source[self.begin : self.end]
        if isinstance(self.rule, str):
            return sum((tail.words(source) for tail in self.tails), ())
        found: Words = ()
        for one in self.rule.filled:
            found += (one,) if isinstance(one, str) else self.tails[one].words(source)
        return found

    def linked(self) -> list[set[int]]:
        """For each target word, the source positions that it is linked with."""
        if self.rule == COPY:
            return [{self.begin}]
        if isinstance(self.rule, str):
            return [one for tail in self.tails for one in tail.linked()]
        places, place, tails = [], self.begin, iter(self.tails)
        for symbol in self.rule.source:
            places.append(place)
            place = next(tails).end if GAP.fullmatch(symbol) else place + 1
        found: list[set[int]] = []
        for at, symbol in enumerate(self.rule.target):
            if gap := GAP.fullmatch(symbol):
                found += self.tails[int(gap[2]) - 1].linked()
            else:
                found.append({places[s] for s, t in self.rule.links if t == at})
        return found


@dataclass(frozen=True)
class Space:
    """What a grammar may derive; without a goal, S -> X and S -> S X are built in."""

    nonterminal: str = "X"
    goal: str = ""
    pass_through_all: bool = False
    span_limit: int = 0
    unknown_phrase_penalty: bool = False
    # How often gaps over 1, 2, ... words were in order and reordered: structural distortion.
    distortion: tuple[Sequence[int], Sequence[int]] | None = None

    def log_probability(self, was_reordered: bool, size: int) -> float:
        """Of the order of a gap; a size without counts has those of the nearest smaller one."""
        assert self.distortion is not None
        pairs = list(zip(*self.distortion, strict=True))
        smaller = [pair for pair in pairs[:size] if any(pair)]
        first = next((pair for pair in pairs if any(pair)), (0, 0))
        counts = smaller[-1] if smaller else first
        return math.log((counts[was_reordered] + 0.5) / (sum(counts) + 1))


class HieroOracle:
    """Of one model and one sentence: rules, language models, weights by feature name."""

    def __init__(
        self,
        rules: Sequence[ScfgRule],
        language_models: Sequence[Arpa],
        weights: Mapping[str, float],
        space: Space,
        source: Words,
    ) -> None:
        self.rules, self.language_models, self.weights = rules, language_models, weights
        self.space, self.source = space, source
        # Words may look like gaps; source sides that are a gap are not words.
        self.known = {rule.source for rule in rules if not GAP.fullmatch(rule.source[0])}
        self.trees: dict[tuple[str, int, int], list[Tree]] = {}

    def derivations(self) -> tuple[list[Tree], bool]:
        """All of the sentence, and whether the grammar has none, so that any piece is glued."""
        ends = (0, len(self.source))
        if self.space.goal:
            found = self.of(self.space.goal, *ends)
        else:
            found = self.glued(ends[1], [self.space.nonterminal])
        if found or not self.source:
            return found, False
        labels = sorted({rule.lhs for rule in self.rules} | {self.space.nonterminal})
        return self.glued(ends[1], labels), True

    def glued(self, end: int, labels: Sequence[str]) -> list[Tree]:
        """S over the first words, from left to right."""
        found = []
        for middle in range(end):
            pieces = [tree for label in labels for tree in self.of(label, middle, end)]
            if middle == 0:
                found += [Tree(GLUE, 0, end, (piece,)) for piece in pieces]
            elif pieces:
                pairs = product(self.glued(middle, labels), pieces)
                found += [Tree(GLUE, 0, end, pair) for pair in pairs]
        return found

    def of(self, label: str, begin: int, end: int) -> list[Tree]:
        """Under one nonterminal."""
        if not self.within_limit(label, begin, end):
            return []
        if (label, begin, end) not in self.trees:
            self.trees[label, begin, end] = list(self._of(label, begin, end))
        return self.trees[label, begin, end]

    def within_limit(self, label: str, begin: int, end: int) -> bool:
        """Only the goal may cover more words than the span limit, and it begins with the first."""
        limit = self.space.span_limit or len(self.source)
        return end - begin <= limit or (label == self.space.goal and begin == 0)

    def _of(self, label: str, begin: int, end: int) -> Iterator[Tree]:
        may_copy = self.space.pass_through_all or self.source[begin:end] not in self.known
        if end - begin == 1 and label == self.space.nonterminal and may_copy:
            yield Tree(COPY, begin, end)
        for rule in self.rules:
            if rule.lhs == label:
                for tails in self._matches(rule.source, begin, end):
                    yield Tree(rule, begin, end, tails)

    def _matches(self, side: Words, begin: int, end: int) -> Iterator[tuple[Tree, ...]]:
        if not side:
            if begin == end:
                yield ()
        elif gap := GAP.fullmatch(side[0]):
            # All other symbols need a word, too.
            for middle in range(begin + 1, end - len(side) + 2):
                rests = list(self._matches(side[1:], middle, end))
                if rests:
                    for pair in product(self.of(gap[1], begin, middle), rests):
                        yield (pair[0], *pair[1])
        elif begin < end and self.source[begin] == side[0]:
            yield from self._matches(side[1:], begin + 1, end)

    def features(self, tree: Tree | None) -> dict[str, float]:
        """All dense features; of no words at all if there is no tree."""
        values = dict.fromkeys(self.weights, 0.0)
        target = tree.words(self.source) if tree else ()
        for i, model in enumerate(self.language_models):
            values[f"language_model_{i + 1}" if i else "language_model"] = model.log(target)
        values["word_penalty"] = float(-len(target))
        for one in tree.steps() if tree else ():
            if one.rule == GLUE:
                values["glue"] += len(one.tails) - 1
            elif one.rule == COPY:
                values["pass_through"] += 1
                values["phrase_penalty"] += self.space.unknown_phrase_penalty
                if self.source[one.begin : one.end] not in self.known:
                    values["unknown_word"] -= 100
            elif isinstance(one.rule, ScfgRule):
                values["phrase_penalty"] += 1
                if self.space.distortion:
                    values["structural_distortion"] += self._distortion(one.rule, one.tails)
                for name, score in one.rule.scores.items():
                    values[name] += score
        return values

    def _distortion(self, rule: ScfgRule, tails: Sequence[Tree]) -> float:
        return sum(
            self.space.log_probability(was_reordered, tail.end - tail.begin)
            for was_reordered, tail in zip(rule.reordered, tails, strict=True)
        )

    def score(self, values: Mapping[str, float]) -> float:
        return sum(weight * values[name] for name, weight in self.weights.items())
