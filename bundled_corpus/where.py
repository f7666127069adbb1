"""Places, and the English phrases for being there and going there."""

from __future__ import annotations

from dataclasses import dataclass

from .context import Context
from .lexicon import Place
from .trees import Leaf, Tree, node
from .wording import Loose, Target, alt, say, seq

NAMED = ("city", "country")


@dataclass(frozen=True)
class Spot:
    """A place: its tree, "the park", "to the park", and the prepositions for being there."""

    tree: Tree
    target: Target
    goal: Target
    prepositions: tuple[str, ...]

    def at(self, *leaves: Leaf) -> Target:
        """In the park; the preposition translates the given leaves."""
        return alt(*(seq(say(word, *leaves), self.target) for word in self.prepositions))


def spot(ctx: Context, classes: tuple[str, ...]) -> Spot:
    """A place of one of the classes."""
    kind = ctx.rng.choice(classes)
    if kind in NAMED:
        return city(ctx, kind)
    if kind == "company":
        return company(ctx)
    if kind == "home":
        return home()
    return place_spot(ctx.place(kind))


def place_spot(place: Place) -> Spot:
    """A place of the lexicon."""
    leaf = Leaf("NR" if "spot" in place.classes else "NN", place.source)
    if place.source == "学校":
        school = say("school", leaf)
        return Spot(node("NP", leaf), seq(say("the"), school), seq(say("to"), school), place.at)
    target = alt(*(_with_article(words, leaf) for words in place.target))
    return Spot(node("NP", leaf), target, seq(say("to"), target), place.at)


def _with_article(words: str, leaf: Leaf) -> Target:
    article, _, noun = words.partition(" ")
    return seq(say(article), say(noun, leaf))


def destination(ctx: Context, classes: tuple[str, ...]) -> Spot:
    """A place that one goes to (去), unlike home, to which one returns (回)."""
    return spot(ctx, tuple(kind for kind in classes if kind != "home"))


def city(ctx: Context, kind: str = "city") -> Spot:
    name = ctx.name(kind)
    leaf = Leaf("NR", name.source)
    target = say("|".join(name.target), leaf)
    return Spot(node("NP", leaf), target, seq(say("to"), target), ("in",))


def company(ctx: Context) -> Spot:
    name = ctx.name("company")
    leaf, noun = Leaf("NR", name.source), Leaf("NN", "公司")
    target = seq(say(name.target[0], leaf), say("Company", noun))
    return Spot(node("NP", leaf, noun), target, seq(say("to"), target), ("at", "for"))


def home() -> Spot:
    leaf = Leaf("NN", "家")
    there = say("home", leaf)
    return Spot(node("NP", leaf), there, there, ("at",))


def located(where: Spot, vp: Tree) -> tuple[Tree, Target]:
    """在 图书馆 before the verb, and its English."""
    at = Leaf("P", "在")
    return node("VP", node("PP", at, where.tree), vp), Loose(where.at(at))
