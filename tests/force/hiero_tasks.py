"""Forced decoding of tiny Hiero models: drawn pairs, and forests in the oracle's terms."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple

from demotic import _core
from demotic.force import ForceOptions
from demotic.force.gold import GoldForests
from demotic.rules import RuleOptions, Rules
from demotic.search import SearchOptions
from tests.force.tiny import Pair, Task, TinyModel, Words
from tests.oracle import extraction
from tests.oracle.hiero_force import cause, gold, space_of
from tests.oracle.hiero_search import COPY, GAP, GLUE, ScfgRule, Space, Tree
from tests.rules.test_extraction import build
from tests.search.kinds import enumerable, exhaustive
from tests.search.tiny_hiero import TinyHiero, grammar_of, tiny_hiero, with_grammar
from tests.search.tiny_parts import TARGET, sentences

__all__ = [
    "ALL",
    "SPAN_LIMITS",
    "HieroForest",
    "HieroOracle",
    "ambiguous",
    "drawn",
    "drawn_model",
    "left_out",
    "many_rules",
    "model_of",
]

SPAN_LIMITS = (0, 0, 1, 2, 3)
ALL = exhaustive(SearchOptions(rule_limit=0, span_limit=0))

# The core's codes for edges without a rule.
COPIED, PASSED, GLUE_FIRST, GLUE_NEXT = -1, -2, -3, -4

Key = tuple[object, ...]


class Node(NamedTuple):
    label: int
    begin: int
    end: int
    target_begin: int
    target_end: int


@dataclass(frozen=True)
class HieroForest:
    """A gold forest, spelled out and checked against its pair."""

    rules: Rules
    source: Words
    reference: Words
    native: _core.GoldForest

    @cached_property
    def nodes(self) -> list[Node]:
        names = ("label", "source_begin", "source_end", "target_begin", "target_end")
        columns = [getattr(self.native, name).tolist() for name in names]
        return [Node(*row) for row in zip(*columns, strict=True)]

    @cached_property
    def names(self) -> Mapping[int, object]:
        names: dict[int, object] = {COPIED: COPY, PASSED: COPY, GLUE_FIRST: GLUE, GLUE_NEXT: GLUE}
        for number, rule in enumerate(self.rules):
            names[number] = (rule.lhs, rule.source, rule.target)
        return names

    def edges(self, node: int) -> Iterator[tuple[int, list[int]]]:
        """Rule and tails of the edges into a node, each of which is checked."""
        one = self.native
        offsets = one.edge_offsets
        assert offsets[node] < offsets[node + 1]
        for edge in range(offsets[node], offsets[node + 1]):
            below = [int(t) for t in (one.first_tail[edge], one.second_tail[edge]) if t >= 0]
            assert all(tail < node for tail in below)
            assert (one.begin[edge], one.end[edge]) == self.nodes[node][1:3]
            self.check_edge(self.nodes[node], int(one.rule[edge]), [self.nodes[t] for t in below])
            yield int(one.rule[edge]), below

    def check_edge(self, head: Node, rule: int, tails: list[Node]) -> None:
        """The words of the rule and of the tails are those of the head, on both sides."""
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
            lhs, source, target = self.names[rule]  # type: ignore[misc]
            assert labels[head.label] == lhs
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
        """All derivations of the goal, steps in pre-order; every node is part of one."""
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


@dataclass(frozen=True)
class HieroOracle:
    """The enumeration of derivations, and the forests of the decoder in its terms."""

    rules: Sequence[ScfgRule]
    space: Space

    def derivations(self, source: Words, reference: Words) -> Collection[Key]:
        return [tree.key for tree in gold(self.rules, self.space, source, reference)]

    def cause(self, source: Words, reference: Words) -> str:
        return cause(self.rules, self.space, source, reference)

    def prefixes(self, source: Words, reference: Words, shortest: int) -> list[tuple[int, int]]:
        raise NotImplementedError("Hiero derivations are not built from left to right")

    def spelled(self, model: TinyModel, gold: GoldForests, i: int, pair: Pair) -> list[Key]:
        forest = HieroForest(model.rules, *pair, gold[i])
        used, known = set(gold[i].rule.tolist()), {rule.source for rule in self.rules}
        assert COPIED not in used or any((word,) not in known for word in pair[0])
        assert PASSED not in used or self.space.pass_through_all
        return forest.derivations()


def model_of(model: TinyHiero, folder: Path) -> TinyModel:
    return TinyModel(model.rules, model.native, folder, "hiero")


def drawn_model(rng: random.Random, folder: Path) -> TinyHiero:
    """Some rules have no target words."""
    model = tiny_hiero(rng, folder, language_models=0)
    if rng.random() < 0.8:
        return model
    grammar: dict[object, ScfgRule] = {}
    for rule in model.grammar:
        gaps = tuple(symbol for symbol in rule.target if symbol.startswith("["))
        changed = replace(rule, target=gaps, links=()) if rng.random() < 0.3 else rule
        grammar.setdefault(changed.key, changed)
    return with_grammar(rng, folder, list(grammar.values()), model.space, [])


def drawn(rng: random.Random, folder: Path) -> Task:
    model, limit = drawn_model(rng, folder), rng.choice(SPAN_LIMITS)
    space = replace(model.space, span_limit=limit)
    drawn_from = replace(space, span_limit=rng.choice((0, limit)))
    pairs = [
        (words, reference)
        for words, _ in enumerable(model, ALL, sentences(rng, 5, 3))
        for reference in _references(rng, space_of(model.grammar, drawn_from, words), words)
    ]
    oracle = HieroOracle(model.grammar, space)
    options = ForceOptions(span_limit=limit)
    return Task(model_of(model, folder), options, pairs, [oracle] * len(pairs))


def _references(rng: random.Random, trees: Sequence[Tree], source: Words) -> list[Words]:
    """Yields of some derivations, some of them with a changed word, and random words."""
    yields = sorted({tree.words(source) for tree in trees})
    found = rng.sample(yields, min(3, len(yields)))
    for words in found[:2]:
        changed = list(words) or ["v"]
        changed[rng.randrange(len(changed))] = rng.choice(TARGET)
        found.append(tuple(changed))
    return [*found, tuple(rng.choices((*TARGET, "z"), k=rng.randint(0, 5)))]


def left_out(rng: random.Random, folder: Path) -> Task:
    """A random bitext, decoded with its own rules and leave-one-out."""
    rules = None
    while rules is None or len(rules) == 0:
        text = _bitext(rng)
        rules, _ = build(text, folder / "bitext.bin", "hiero", RuleOptions(max_initial=4))
    settings = _core.HieroGrammar()
    settings.pass_through_all = rng.random() < 0.2
    native = _core.HieroModel(rules.store, [], rules.vocabulary, settings)
    space = Space(pass_through_all=settings.pass_through_all, span_limit=rng.choice((0, 3)))
    pairs = [(tuple(one.source), tuple(one.target)) for one in text]
    oracles = [
        HieroOracle(
            [
                ScfgRule(rule.lhs, rule.source, rule.target, {})
                for rule in rules
                if rule.only_sentence != number
            ],
            space,
        )
        for number in range(len(text))
    ]
    model = TinyModel(rules, native, folder, "hiero")
    options = ForceOptions(span_limit=space.span_limit)
    return Task(model, options, pairs, oracles, leave_one_out=True)


def _bitext(rng: random.Random) -> list[extraction.Sentence]:
    made = []
    for _ in range(rng.randint(2, 4)):
        source = rng.choices("abc", k=rng.randint(1, 5))
        target = rng.choices("xyza", k=rng.randint(1, 5))
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        links = rng.sample(cells, min(len(cells), rng.randint(1, 5)))
        made.append(extraction.Sentence(source, target, frozenset(links)))
    return made


def many_rules(rng: random.Random, folder: Path) -> Task:
    words = [f"t{i}" for i in range(12)]
    texts = {f"X | a | {' '.join(rng.choices(words, k=rng.randint(1, 3)))}" for _ in range(60)}
    texts |= {f"X | b [X,1] | {' '.join(rng.choices(words, k=2))} [X,1]" for _ in range(50)}
    model = grammar_of(folder, *sorted(texts), "X | b [X,1] | [X,1]", "X | c | ")
    pairs = []
    for source in (("a",), ("b", "a"), ("b", "c"), ("a", "c"), ("b", "a", "c")):
        yields = sorted({tree.words(source) for tree in space_of(model.grammar, Space(), source)})
        pairs += [(source, reference) for reference in rng.sample(yields, min(9, len(yields)))]
    oracle = HieroOracle(model.grammar, Space())
    options = ForceOptions(span_limit=0)
    return Task(model_of(model, folder), options, pairs, [oracle] * len(pairs))


def ambiguous(folder: Path) -> TinyModel:
    """Derives `v v ...` from `a a ...` by any binary tree."""
    return model_of(grammar_of(folder, "X | a | v", "X | [X,1] [X,2] | [X,1] [X,2]"), folder)
