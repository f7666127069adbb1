"""The steps of Hiero search's derivations, and the grammar around the rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import COPIED, GIVEN, GLUE, Step
from demotic.search.nbest import Segment
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["HieroSteps", "hiero_grammar"]


class HieroSteps:
    """Rules with gaps, head before tails, tails in the order of the source."""

    def __init__(self, model: Model, options: SearchOptions) -> None:
        self._store = model.rules.store

    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        return list(map(Step, rules, begins, ends))

    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        tree = _Tree(self._store, steps)
        spans = zip(steps, tree.begin, tree.length, strict=True)
        return [Segment((s.begin, s.end), (at, at + words)) for s, at, words in spans]

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        tree = _Tree(self._store, steps)
        links = []
        for i, step in enumerate(steps):
            if step.rule == COPIED:
                links.append((step.begin, tree.begin[i]))
            elif step.rule <= GIVEN:
                target_span = range(tree.begin[i], tree.begin[i] + tree.length[i])
                links += product(range(step.begin, step.end), target_span)
            elif step.rule != GLUE:
                source, target = tree.source_places(i), tree.target_places(i)
                pairs = self._store.links(step.rule)
                found = [(source[a], target[b]) for a, b in pairs]
                links += [(a, b) for a, b in found if a is not None and b is not None]
        return sorted(links)


class _Tree:
    """A derivation in pre-order: the tails of each step, and the target words of each."""

    def __init__(self, store: _core.RuleStore, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.targets = [self._target(store, i) for i in range(len(steps))]
        self.tails: list[list[int]] = [[] for _ in steps]
        self.length = [0] * len(steps)
        open_: list[int] = []  # steps whose parent is still to come, the first tail on top
        for i in reversed(range(len(steps))):
            gaps = sum(symbol < 0 for symbol in self.targets[i])
            self.tails[i] = [open_.pop() for _ in range(gaps)]
            own = len(self.targets[i]) - gaps
            self.length[i] = own + sum(self.length[tail] for tail in self.tails[i])
            open_.append(i)
        self.begin = [0] * len(steps)
        for i in range(len(steps)):
            for gap, place in self._gap_places(i):
                self.begin[self.tails[i][gap]] = place

    def _target(self, store: _core.RuleStore, i: int) -> list[int]:
        """Words, and -(k + 1) for tail k."""
        rule, _, end = self.steps[i]
        if rule == COPIED:
            return [0]
        if rule <= GIVEN:
            return [0] * (GIVEN - rule)
        if rule != GLUE:
            return store.target(rule)
        # S -> X covers the same words as its only tail.
        return [-1] if self.steps[i + 1].end == end else [-1, -2]

    def _gap_places(self, i: int) -> list[tuple[int, int]]:
        found, place = [], self.begin[i]
        for symbol in self.targets[i]:
            if symbol < 0:
                found.append((-symbol - 1, place))
                place += self.length[self.tails[i][-symbol - 1]]
            else:
                place += 1
        return found

    def target_places(self, i: int) -> list[int | None]:
        """The position of each target symbol in the translation; None for a gap."""
        places: list[int | None] = []
        place = self.begin[i]
        for symbol in self.targets[i]:
            places.append(place if symbol >= 0 else None)
            place += 1 if symbol >= 0 else self.length[self.tails[i][-symbol - 1]]
        return places

    def source_places(self, i: int) -> list[int | None]:
        """The same for the source symbols: words before, between and after the gaps."""
        places: list[int | None] = []
        place = self.steps[i].begin
        for tail in self.tails[i]:
            places += [*range(place, self.steps[tail].begin), None]
            place = self.steps[tail].end
        return [*places, *range(place, self.steps[i].end)]


def hiero_grammar(model: Model) -> _core.HieroGrammar:
    """The model's settings for nonterminals and glue."""
    grammar = _core.HieroGrammar()
    grammar.nonterminal = str(model.settings.get("default_nonterminal", "X"))
    if model.settings.get("glue", "builtin") == "rules":
        grammar.goal = str(model.settings.get("goal", "S"))
    grammar.pass_through_all = bool(model.settings.get("pass_through_all", False))
    return grammar
