"""Predicates: a verb frame with its slots filled, as a source verb phrase and English verbals."""

from __future__ import annotations

from dataclasses import dataclass

from .context import Context
from .lexicon import Disposal, Frame, Noun
from .people import Nominal, kin_or_mate, other
from .things import Style, thing
from .trees import Leaf, Tree, grow, node
from .verbs import Verbal, Verbals
from .where import Spot, located, spot
from .wording import EMPTY, Target, render, say, seq

PEOPLE = ("role", "kin", "young", "guest", "thief", "aged", "patient", "customer")
# 很 before a predicate is often left untranslated.
DEGREES = {"很": "|very", "非常": "very|extremely", "太": "too", "特别": "very|particularly"}
Given = dict[str, Nominal | None]


@dataclass(frozen=True)
class Predicate:
    """A verb phrase in both languages."""

    vp: Tree
    verbals: Verbals
    # The same verbals without their object, for the passive.
    bare: Verbals = ()

    def at(self, where: Spot) -> Predicate:
        """The predicate with a place."""
        vp, english = located(where, self.vp)
        return Predicate(vp, tuple(verbal.then(english) for verbal in self.verbals))

    def under(self, *modifiers: Tree | Leaf) -> Predicate:
        """The predicate with adverbs, negation or modals before the Chinese verb."""
        return Predicate(node("VP", *modifiers, self.vp), self.verbals)

    def then(self, *more: Target) -> Predicate:
        return Predicate(self.vp, tuple(verbal.then(*more) for verbal in self.verbals))


def adverb(word: str) -> tuple[Tree, Leaf]:
    """An adverb as (ADVP (AD ...)) and its leaf."""
    leaf = Leaf("AD", word)
    return node("ADVP", leaf), leaf


def takes_aspect(frame: Frame) -> bool:
    """Whether 了 or 过 can stand after the verb."""
    return "ASP" in frame.source or (not frame.source.startswith("(") and bool(frame.slots))


def predicate(
    ctx: Context,
    frame: Frame,
    *,
    aspect: Leaf | None = None,
    style: Style = "some",
    subject: Nominal | None = None,
    given: Given | None = None,
) -> Predicate:
    """The frame with its slots filled; a slot given as None stays empty."""
    fillers: dict[str, Nominal | None] = {}
    place: Spot | None = None
    for slot, classes in frame.slots.items():
        if slot == "PLACE":
            place = spot(ctx, classes)
        elif given is not None and slot in given:
            fillers[slot] = given[slot]
        else:
            fillers[slot] = fill(ctx, classes, _style(frame, style), subject)
    return assemble(frame, fillers, place, aspect)


def _style(frame: Frame, style: Style) -> Style:
    """The style of an object, which some verbs decide: one buys something new."""
    if "own" in frame.classes:
        return "own"
    return "one" if style in ("the", "known") and "new" in frame.classes else style


def fill(ctx: Context, classes: tuple[str, ...], style: Style, subject: Nominal | None) -> Nominal:
    """A noun phrase of one of the classes."""
    if "person" in classes:
        return other(ctx, subject)
    return of_noun(ctx, ctx.noun(*classes), style, subject)


def of_noun(ctx: Context, noun: Noun, style: Style, subject: Nominal | None) -> Nominal:
    if any(c in PEOPLE for c in noun.classes):
        return kin_or_mate(ctx, noun, subject)
    return thing(ctx, noun, style, subject)


def assemble(
    entry: Frame | Disposal,
    fillers: dict[str, Nominal | None],
    place: Spot | None,
    aspect: Leaf | None,
) -> Predicate:
    trees: dict[str, Tree | Leaf | None] = {
        slot: None if nominal is None else nominal.tree for slot, nominal in fillers.items()
    }
    words = {slot: EMPTY if n is None else n.target for slot, n in fillers.items()}
    if place is not None:
        trees["PLACE"] = place.tree
        words |= {"PLACE": place.target, "GOAL": place.goal}
    slotted = {leaf for tree in trees.values() if isinstance(tree, Tree) for leaf in tree.leaves()}
    vp = grow(template(entry.source, "OBJ" in trees, "PLACE" in trees), trees | {"ASP": aspect})
    leaves = [leaf for leaf in vp.leaves() if leaf not in slotted and leaf is not aspect]
    if place is not None:
        words["AT"] = place.at(*(leaf for leaf in leaves if leaf.word == "在"))
    without = words | {"OBJ": EMPTY}
    return Predicate(
        vp,
        tuple(verbal(pattern, leaves, words) for pattern in entry.target),
        tuple(verbal(pattern, leaves, without) for pattern in entry.target),
    )


def template(source: str, has_object: bool, has_place: bool = False) -> str:
    """The tree of a frame in brackets, built here for verbs that the lexicon gives as words."""
    if source.startswith("("):
        return source
    slot = " OBJ" if has_object else " PLACE" if has_place else ""
    first, _, second = source.partition("+")
    head = f"(VRD (VV {first}) (VV {second}))" if second else f"(VV {first})"
    return f"(VP {head} ASP{slot})"


def verbal(pattern: str, leaves: list[Leaf], words: dict[str, Target]) -> Verbal:
    """An English pattern whose first word is the verb to be inflected."""
    head, _, tail = pattern.partition(" ")
    text, _, digits = head.partition("^")
    chosen = [leaves[int(d) - 1] for d in digits if d != "0"] if digits else leaves[:1]
    return Verbal(text, tuple(chosen), render(tail, leaves, words) if tail else EMPTY)


def adjectival(ctx: Context, source: str, degree: str = "很") -> Predicate:
    """很 高兴 as `be (very) happy`; 太 as `too`; no degree word after negation."""
    entry = ctx.lexicon.adjective(source)
    leaf = Leaf("VA", source)
    words = say("|".join(entry.target), leaf)
    if not degree:
        return Predicate(node("VP", leaf), (Verbal("be", (), words),))
    modifier, by = adverb(degree)
    target = seq(say(DEGREES[degree], by), words)
    return Predicate(node("VP", modifier, node("VP", leaf)), (Verbal("be", (), target),))
