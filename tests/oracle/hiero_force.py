"""Forced decoding by enumeration: all derivations of a sentence that yield the reference, and why
there may be none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.oracle.hiero_search import COPY, GAP, HieroOracle, ScfgRule, Space, Tree, Words

__all__ = ["cause", "gold", "space_of"]


def space_of(rules: Sequence[ScfgRule], space: Space, source: Words) -> list[Tree]:
    """All derivations; the fallback of the search does not count."""
    trees, fell_back = HieroOracle(rules, [], {}, space, source).derivations()
    return [] if fell_back else trees


def gold(rules: Sequence[ScfgRule], space: Space, source: Words, reference: Words) -> list[Tree]:
    return [tree for tree in space_of(rules, space, source) if tree.words(source) == reference]


def cause(rules: Sequence[ScfgRule], space: Space, source: Words, reference: Words) -> str:
    """Why an unreachable pair is so."""
    alone = {rule.source for rule in rules}
    copied = {word for word in source if space.pass_through_all or (word,) not in alone}
    has = {symbol for rule in rules for symbol in rule.source} | (copied & set(reference))
    if not set(source) <= has:
        return "unknown_word"
    unlimited = replace(space, span_limit=0)
    if gold(rules, unlimited, source, reference):
        return "limit"
    covered = set(_covered(rules, unlimited, source, reference))
    words = {("source", i) for i in range(len(source))}
    words |= {("target", i) for i in range(len(reference))}
    return "other" if words <= covered else "uncovered_word"


def _covered(
    rules: Sequence[ScfgRule], space: Space, source: Words, reference: Words
) -> Iterator[tuple[str, int]]:
    """Words in the top rule of each subtree whose yield occurs in the reference."""
    oracle = HieroOracle(rules, [], {}, space, source)
    labels = {rule.lhs for rule in rules} | {space.nonterminal}
    ends = range(len(source) + 1)
    for begin, end in ((i, j) for j in ends for i in range(j)):
        for tree in (tree for label in sorted(labels) for tree in oracle.of(label, begin, end)):
            words = tree.words(source)
            for at in range(len(reference) - len(words) + 1):
                if reference[at : at + len(words)] == words:
                    yield from _terminals(tree, source, at)


def _terminals(tree: Tree, source: Words, at: int) -> Iterator[tuple[str, int]]:
    below = {i for tail in tree.tails for i in range(tail.begin, tail.end)}
    yield from (("source", i) for i in range(tree.begin, tree.end) if i not in below)
    if tree.rule == COPY:
        yield "target", at
        return
    assert isinstance(tree.rule, ScfgRule)
    for symbol in tree.rule.target:
        if gap := GAP.fullmatch(symbol):
            at += len(tree.tails[int(gap[2]) - 1].words(source))
        else:
            yield "target", at
            at += 1
