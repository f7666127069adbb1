"""Constraints by definition: every derivation of a small sentence that obeys them.

Phrases are filtered one by one, orders of whole derivations at the end; trees are filtered rule by
rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from demotic.search.constraint import Constraint
from tests.oracle.hiero_search import COPY, GAP, GLUE, HieroOracle, ScfgRule, Tree
from tests.oracle.phrase_search import Derivation, Phrase, PhraseOracle, Words

__all__ = ["ConstrainedHieroOracle", "ConstrainedPhraseOracle", "breaks_order", "scope"]

CLOSED = ("exclusive", "constraint")


def words_of(text: str) -> Words:
    return tuple(text.split(" "))


def has(target: Words, constraint: Constraint) -> bool:
    """Whether one of the targets is in it, in one piece."""
    return any(
        target[i : i + len(part)] == part
        for part in (words_of(text) for text, _ in constraint.targets)
        for i in range(len(target) - len(part) + 1)
    )


def scope(wall: int, constraints: Sequence[Constraint], length: int) -> tuple[int, int]:
    """The smallest zone around a wall, or the sentence."""
    zones = [one.span for one in constraints if one.mode == "zone"]
    around = [(begin, end) for begin, end in zones if begin < wall < end]
    return min([*around, (0, length)], key=lambda span: span[1] - span[0])


def target_is_allowed(own: set[int], target: Words, constraints: Sequence[Constraint]) -> bool:
    """Of a rule of the model with these source words."""
    for one in constraints:
        span = set(range(*one.span))
        if not own & span:
            continue
        if one.mode == "exclusive":
            return False
        if one.mode == "constraint" and not (span <= own and has(target, one)):
            return False
        if one.mode == "forbidden" and has(target, one):
            return False
    return True


def closed(place: int, constraints: Sequence[Constraint]) -> bool:
    return any(one.mode in CLOSED and place in range(*one.span) for one in constraints)


def scores_of(log_probability: float) -> dict[str, float]:
    return {"given": log_probability} if log_probability else {}


def given_phrase(words: Words, span: tuple[int, int], target: Words, log: float) -> Phrase:
    return Phrase(*span, target, scores_of(log), words[slice(*span)], given=True)


class ConstrainedPhraseOracle(PhraseOracle):
    """The same space with fewer phrases, and those that are given."""

    constraints: Sequence[Constraint] = ()

    def under(self, options: Any) -> PhraseOracle:
        other = ConstrainedPhraseOracle(
            self.table,
            self.language_models,
            self.weights,
            options,
            self.longest,
            self.unknown_phrase_penalty,
            self.operations,
        )
        other.constraints = self.constraints
        return other

    def phrases(self, words: Words) -> list[Phrase]:
        found = [
            phrase
            for phrase in super().phrases(words)
            if phrase.scores is not None and self._allowed(phrase)
        ]
        alone = {phrase.begin for phrase in found if phrase.end == phrase.begin + 1}
        for place, word in enumerate(words):
            if place not in alone and not closed(place, self.constraints):
                copied = () if self.options.drop_unknown else (word,)
                found.append(Phrase(place, place + 1, copied, None, (word,)))
        spans = {(phrase.begin, phrase.end) for phrase in found}
        for one in self.constraints:
            if one.mode in ("exclusive", "inclusive") or (
                one.mode == "constraint" and one.span not in spans
            ):
                found += [
                    given_phrase(words, one.span, words_of(text), log) for text, log in one.targets
                ]
        return found

    def _allowed(self, phrase: Phrase) -> bool:
        own = set(range(phrase.begin, phrase.end))
        for one in self.constraints:
            begin, end = one.span
            if one.mode == "wall" and phrase.begin < begin < phrase.end:
                return False
            span = set(range(begin, end))
            if one.mode == "zone" and own & span and not (own <= span or span <= own):
                return False
        return target_is_allowed(own, phrase.target, self.constraints)

    def derivations(self, words: Words) -> Iterator[Derivation]:
        for one in super().derivations(words):
            spans = [(phrase.begin, phrase.end) for phrase in one]
            if not breaks_order(spans, self.constraints, len(words)):
                yield one


def breaks_order(
    spans: Sequence[tuple[int, int]], constraints: Sequence[Constraint], length: int
) -> bool:
    """Whether spans in the order of the translation ignore a wall or interrupt a zone."""
    for one in constraints:
        begin, end = one.span
        if one.mode == "wall":
            left, right = scope(begin, constraints, length)
            before = [i for i, span in enumerate(spans) if left <= span[0] < begin]
            after = [i for i, span in enumerate(spans) if begin <= span[0] < right]
            if before and after and max(before) > min(after):
                return True
        if one.mode == "zone":
            inside = [i for i, span in enumerate(spans) if begin <= span[0] and span[1] <= end]
            if any(b != a + 1 for a, b in pairwise(inside)):
                return True
    return False


class ConstrainedHieroOracle(HieroOracle):
    """The same space with fewer rules, and the options that are given as rules of their own."""

    constraints: Sequence[Constraint] = ()

    def within_limit(self, label: str, begin: int, end: int) -> bool:
        longest = max(
            (
                one.span[1] - one.span[0]
                for one in self.constraints
                if one.mode in ("exclusive", "inclusive", "constraint")
            ),
            default=0,
        )
        return super().within_limit(label, begin, end) or end - begin <= longest

    def _of(self, label: str, begin: int, end: int) -> Iterator[Tree]:
        usual = super().within_limit(label, begin, end)
        rules = [
            tree
            for tree in super()._of(label, begin, end)
            if isinstance(tree.rule, ScfgRule)
            and self._may_apply(tree, tree.rule)
            and (usual or is_unary(tree.rule))
        ]
        yield from rules
        if label != self.space.nonterminal:
            return
        may_copy = end - begin == 1 and not closed(begin, self.constraints)
        if may_copy and (self.space.pass_through_all or not self._known_at(begin)):
            yield Tree(COPY, begin, end)
        lacks = all(is_unary(tree.rule) for tree in rules if isinstance(tree.rule, ScfgRule))
        for one in self.constraints:
            giving = one.mode in ("exclusive", "inclusive") or (one.mode == "constraint" and lacks)
            if giving and one.span == (begin, end):
                for text, log in one.targets:
                    rule = ScfgRule("X", self.source[begin:end], words_of(text), scores_of(log))
                    yield Tree(rule, begin, end)

    def _known_at(self, place: int) -> bool:
        """Whether some rule may translate the word alone."""
        return any(
            rule.source == self.source[place : place + 1]
            and self._may_apply(Tree(rule, place, place + 1), rule)
            for rule in self.rules
        )

    def _may_apply(self, tree: Tree, rule: ScfgRule) -> bool:
        own = set(range(tree.begin, tree.end))
        for tail in tree.tails:
            own -= set(range(tail.begin, tail.end))
        joins = not own and not any(rule.reordered)
        for one in self.constraints:
            begin, end = one.span
            if one.mode == "wall" and tree.begin < begin < tree.end and not joins:
                return False
            if one.mode == "zone" and not self._keeps_zone(tree, rule, begin, end, joins):
                return False
        return target_is_allowed(own, rule.target, self.constraints)

    def _keeps_zone(self, tree: Tree, rule: ScfgRule, begin: int, end: int, joins: bool) -> bool:
        if tree.end <= begin or end <= tree.begin or (begin <= tree.begin and tree.end <= end):
            return True
        if any(tail.begin <= begin and end <= tail.end for tail in tree.tails):
            return True
        if not tree.tails and tree.begin <= begin and end <= tree.end:
            return True
        return joins and rule.lhs == self.space.goal and tree.begin == 0

    def features(self, tree: Tree | None) -> dict[str, float]:
        values = super().features(tree)
        unknown = [
            one.begin
            for one in (tree.steps() if tree else ())
            if one.rule == COPY and not self._known_at(one.begin)
        ]
        return values | {"unknown_word": -100.0 * len(unknown)}


def is_unary(rule: ScfgRule | str) -> bool:
    return (
        not isinstance(rule, str) and len(rule.source) == 1 and bool(GAP.fullmatch(rule.source[0]))
    )


def own_spans(tree: Tree, source: Words) -> list[tuple[int, int]]:
    """The source span of the step behind each target word, in the order of the translation."""
    if not isinstance(tree.rule, ScfgRule) or tree.rule == GLUE:
        if tree.rule == COPY:
            return [(tree.begin, tree.end)]
        return [span for tail in tree.tails for span in own_spans(tail, source)]
    found: list[tuple[int, int]] = []
    for symbol in tree.rule.target:
        gap = GAP.fullmatch(symbol)
        if gap:
            found += own_spans(tree.tails[int(gap[2]) - 1], source)
        else:
            found.append((tree.begin, tree.end))
    return found
