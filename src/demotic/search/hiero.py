"""The decoder of hierarchical models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import COPIED, GLUE, Decoder, Progress, Step
from demotic.search.nbest import Segment
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.features.weights import Weights
    from demotic.model import Model

__all__ = ["HieroDecoder", "hiero_grammar"]


class HieroDecoder(Decoder):
    """Rules with gaps, concatenated by glue."""

    def __init__(
        self, model: Model, native: _core.HieroModel, options: SearchOptions, weights: Weights
    ) -> None:
        super().__init__(model, options, weights)
        self._model = native
        self._options = options.hiero()

    @cached_property
    def _searchers(self) -> _core.HieroSearchers:
        return _core.HieroSearchers(self._model, self.weights.array, self._options)

    @property
    def _native(self) -> _core.HieroModel:
        return self._model

    def _translate(
        self, source: _core.SourceSentences, threads: int, progress: Progress | None
    ) -> _core.Translations:
        return self._searchers.translate(source, threads, progress)

    def _search(
        self,
        source: _core.SourceSentences,
        kind: _core.RecordKind,
        monotone: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[_core.SearchRecord]:
        if monotone:
            raise ValueError("monotone translations of spans exist only for phrase models")
        weights = self.weights.array
        return self._model.search(source, weights, self._options, kind, threads, progress)

    def _kbest(
        self,
        source: _core.SourceSentences,
        options: _core.KBestOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates:
        weights = self.weights.array
        return self._model.kbest(source, weights, self._options, options, threads, progress)

    def _bins(
        self,
        source: _core.SourceSentences,
        options: _core.BinOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates:
        weights = self.weights.array
        return self._model.bins(source, weights, self._options, options, threads, progress)

    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        return list(map(Step, rules, begins, ends))

    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        tree = _Tree(self.model.rules.store, steps)
        spans = zip(steps, tree.begin, tree.length, strict=True)
        return [Segment((s.begin, s.end), (at, at + words)) for s, at, words in spans]

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        tree = _Tree(self.model.rules.store, steps)
        links = []
        for i, step in enumerate(steps):
            if step.rule == COPIED:
                links.append((step.begin, tree.begin[i]))
            elif step.rule != GLUE:
                source, target = tree.source_places(i), tree.target_places(i)
                pairs = self.model.rules.store.links(step.rule)
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
