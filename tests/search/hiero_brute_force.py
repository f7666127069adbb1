"""Brute force over a chart: derivations are trees of rules, copied words and glue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from demotic.search import SearchResult, Step
from tests.oracle.hiero_search import COPY, GLUE, HieroOracle, ScfgRule, Tree
from tests.search.brute_force import BruteForce, Edge, Part, Words

if TYPE_CHECKING:
    from tests.search.tiny_hiero import TinyHiero

__all__ = ["HieroBruteForce"]


class HieroBruteForce(BruteForce[Tree | None]):
    """The only derivation of a sentence without words is None."""

    def __init__(self, model: TinyHiero, oracle: HieroOracle, *, fell_back: bool) -> None:
        self.model, self.oracle, self.fell_back = model, oracle, fell_back
        self.words, self.weights = oracle.source, oracle.weights

    def derivations(self) -> tuple[list[Tree | None], bool]:
        found, fell_back = self.oracle.derivations()
        return [*found] or [None], fell_back

    def of_steps(self, steps: Sequence[Step]) -> Tree | None:
        """Steps are in pre-order; they must nest."""
        if not self.words:
            assert not steps
            return None
        rest = list(steps)
        tree = self._next_tree(rest)
        assert not rest
        return tree

    def _next_tree(self, rest: list[Step]) -> Tree:
        step = rest.pop(0)
        rule = self._rule(step)
        if rule == GLUE:
            tails = 1 if rest[0].end == step.end else 2
        else:
            source = rule.source if isinstance(rule, ScfgRule) else ()
            tails = sum(symbol.startswith("[") for symbol in source)
        return Tree(rule, *step[1:], tuple(self._next_tree(rest) for _ in range(tails)))

    def _rule(self, step: Step) -> ScfgRule | str:
        key: Any = self.model.names[step.rule]
        return key if isinstance(key, str) else self.model.rules_by_key[key]

    def joined(self, step: Step, tails: Sequence[Tree | None]) -> Tree:
        return Tree(self._rule(step), step.begin, step.end, tuple(filter(None, tails)))

    def step_key(self, step: Step) -> Hashable:
        return self.model.names[step.rule], step.begin, step.end

    def key(self, derivation: Tree | None) -> Hashable:
        return derivation.key if derivation else ()

    def parts(self, derivation: Tree | None) -> list[Part]:
        return [
            Part(one.begin, one.end, one.words(self.words), one.rule == COPY)
            for one in (derivation.steps() if derivation else ())
        ]

    def links(self, derivation: Tree | None) -> list[tuple[int, int]]:
        linked = derivation.linked() if derivation else []
        return [(s, t) for t, sources in enumerate(linked) for s in sources]

    def target(self, derivation: Tree | None) -> Words:
        return derivation.words(self.words) if derivation else ()

    def features(self, derivation: Tree | None, *, complete: bool = True) -> dict[str, float]:
        """The language models know what precedes a part only if it begins the sentence: glue."""
        values = self.oracle.features(derivation)
        if derivation and not complete:
            for i, arpa in enumerate(self.oracle.language_models):
                name = f"language_model_{i + 1}" if i else "language_model"
                begin = derivation.rule == GLUE
                values[name] = arpa.score(self.target(derivation), begin=begin, end=False)
        return values

    def bin(self, derivation: Tree | None) -> Hashable:
        """Nonterminal and span."""
        if derivation is None:
            return None
        rule = derivation.rule
        label = rule.lhs if isinstance(rule, ScfgRule) else self.oracle.space.nonterminal
        return GLUE if rule == GLUE else label, derivation.begin, derivation.end

    def place(self, derivation: Tree | None) -> Hashable:
        return self.bin(derivation)

    def state(self, derivation: Tree | None) -> Hashable:
        """The words at both ends, as far as language models look; one end if it has begun.

        States know whether there are words after those of the left end.  Those with exactly
        `order - 1` words could be recombined with longer ones but are not.
        """
        begun = derivation is not None and derivation.rule == GLUE
        contexts = []
        for arpa in self.model.arpas:
            known = tuple(map(arpa._known, self.target(derivation)))
            size = arpa.order - 1
            last = ("<s>", *known)[-size:] if begun else known[-size:]
            longer = not begun and len(known) > size
            contexts.append((() if begun else known[:size], last, longer) if size else ())
        return tuple(contexts)

    def is_whole(self, derivation: Tree | None) -> bool:
        goal = GLUE if self.fell_back or not self.oracle.space.goal else self.oracle.space.goal
        return self.bin(derivation) == (goal, 0, len(self.words))

    def estimate_of_rest(self, derivation: Tree | None) -> float:
        return 0.0

    def proposals(self, survivors: Mapping[int, Tree | None]) -> dict[Hashable, set[Edge]]:
        chart = _Survivors(self, survivors)
        found: dict[Hashable, set[Edge]] = {}
        labels = {rule.lhs for rule in self.oracle.rules} | {self.oracle.space.nonterminal}
        for end in range(1, len(self.words) + 1):
            for begin in range(end):
                for label in labels:
                    if edges := chart.edges(label, begin, end):
                        found[label, begin, end] = edges
            if self.fell_back or not self.oracle.space.goal:
                glued = labels if self.fell_back else {self.oracle.space.nonterminal}
                if edges := chart.glue_edges(end, sorted(glued)):
                    found[GLUE, 0, end] = edges
        return found

    def bin_names(self, result: SearchResult) -> dict[int, Hashable]:
        bins, labels = result.bins, self.model.rules.store.labels
        return {
            number: (
                labels[bins.label[number]] if bins.label[number] >= 0 else GLUE,
                int(bins.begin[number]),
                int(bins.end[number]),
            )
            for number in bins.numbers
        }


class _Survivors(HieroOracle):
    """A chart whose items are the survivors of a search: its trees are one step deep."""

    def __init__(self, brute: HieroBruteForce, survivors: Mapping[int, Tree | None]) -> None:
        oracle = brute.oracle
        super().__init__(
            oracle.rules, oracle.language_models, oracle.weights, oracle.space, oracle.source
        )
        self.nodes: dict[Hashable, list[Any]] = defaultdict(list)
        for node, derivation in survivors.items():
            self.nodes[brute.bin(derivation)].append(node)

    def of(self, label: str, begin: int, end: int) -> list[Any]:
        return self.nodes[label, begin, end]

    def edges(self, label: str, begin: int, end: int) -> set[Edge]:
        if not self.within_limit(label, begin, end):
            return set()
        found: set[Edge] = set()
        for tree in self._of(label, begin, end):
            key = tree.rule if isinstance(tree.rule, str) else tree.rule.key
            nodes: Any = tree.tails
            found.add(((key, begin, end), nodes))
        return found

    def glue_edges(self, end: int, labels: Sequence[str]) -> set[Edge]:
        found: set[Edge] = set()
        for middle in range(end):
            pieces = [node for label in labels for node in self.of(label, middle, end)]
            before = self.nodes[GLUE, 0, middle] if middle else []
            tails = [(first, piece) for first in before for piece in pieces]
            if middle == 0:
                tails = [(piece,) for piece in pieces]
            found |= {((GLUE, 0, end), one) for one in tails}
        return found
