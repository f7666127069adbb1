"""Noun phrases for things: measure words, determiners, owners, adjectives and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .context import Context
from .english import plural
from .lexicon import Adjective, Noun
from .people import OWN, Nominal, named, pronoun, simple
from .trees import Leaf, Tree, node
from .wording import EMPTY, Loose, Target, say, seq

# How a noun phrase refers: some and one, new things; kind, one of a kind; any, the kind itself;
# the, known and that, definite things; own, a thing of the subject.
Style = Literal["some", "one", "kind", "the", "known", "that", "any", "own"]
NUMBERS = {"两": "two", "三": "three", "四": "four", "五": "five", "十": "ten"}
# Classes of things that often come in numbers.
PLENTIFUL = (
    "food", "fruit", "drink", "sweet", "book", "text", "picture", "plant", "dish", "tool", "story",
    "song", "ticket", "wear", "glove", "gift", "toy", "question", "farm", "zoo",
)  # fmt: skip
# Classes that take `the` in English even where the Chinese is generic.
UNIQUE = ("instrument", "event", "room")
# Classes that take no article in English.
ARTICLELESS = ("tongue", "subject", "sport", "music")


@dataclass(frozen=True)
class Core:
    """A noun with its modifiers but no determiner; `after` is an English relative clause."""

    noun: Noun
    tree: Tree
    modifier: Target
    leaf: Leaf
    before: Tree | None = None
    after: Target = EMPTY

    def singular(self) -> Target:
        if self.noun.number == "plural":
            return self.plural()
        return seq(Loose(self.modifier), say("|".join(self.noun.target), self.leaf), self.after)

    def plural(self) -> Target:
        if self.noun.number == "mass":
            return self.singular()
        words = "|".join(plural(word) for word in self.noun.target)
        return seq(Loose(self.modifier), say(words, self.leaf), self.after)

    def wrap(self, *determiner: Tree) -> Tree:
        """The whole tree: relative clause, determiner, noun."""
        if self.before is None and not determiner:
            return self.tree
        return node("NP", self.before, *determiner, self.tree)

    def known(self) -> Target:
        """The noun when the number is left open."""
        return self.plural() if "batch" in self.noun.classes else self.singular()

    @property
    def who(self) -> str:
        many = self.noun.number == "plural" or "batch" in self.noun.classes
        return "they" if many else "it"


def core(ctx: Context, noun: Noun, *, adjective: float = 0.2) -> Core:
    leaf = Leaf("NN", noun.source)
    chosen = ctx.adjective("attr", noun.classes) if ctx.rng.chance(adjective) else None
    if chosen is None:
        return Core(noun, node("NP", leaf), EMPTY, leaf)
    tree, modifier = attribute(ctx, chosen)
    return Core(noun, node("NP", tree, node("NP", leaf)), modifier, leaf)


def attribute(ctx: Context, adjective: Adjective) -> tuple[Tree, Target]:
    """新, 红色 的, 漂亮 的 or 很 漂亮 的 before a noun."""
    words = "|".join(adjective.target)
    if adjective.kind == "JJ":
        leaf = Leaf("JJ", adjective.source)
        return node("ADJP", leaf), say(words, leaf)
    if adjective.kind == "NN":
        leaf = Leaf("NN", adjective.source)
        return node("DNP", node("NP", leaf), Leaf("DEG", "的")), say(words, leaf)
    leaf = Leaf("VA", adjective.source)
    degree: Target = EMPTY
    vp = node("VP", leaf)
    if ctx.rng.chance(0.2):
        adverb = Leaf("AD", ctx.rng.choice(("很", "非常")))
        vp = node("VP", node("ADVP", adverb), vp)
        degree = say("very", adverb)
    return node("CP", node("IP", vp), Leaf("DEC", "的")), seq(degree, say(words, leaf))


def thing(ctx: Context, noun: Noun, style: Style, subject: Nominal | None = None) -> Nominal:
    """A noun phrase in one of the styles."""
    fixed = _fixed(ctx, noun, style)
    if fixed is not None:
        return fixed
    if style == "own":
        return bare(core(ctx, noun, adjective=0), subject)
    if style == "any":
        return generic(core(ctx, noun, adjective=0.05))
    if style == "kind":
        return kind_of(core(ctx, noun, adjective=0.03))
    if style == "one":
        return single(ctx, core(ctx, noun, adjective=0.12))
    if style == "some":
        return new(ctx, core(ctx, noun))
    return _definite(ctx, noun, style, subject)


def _fixed(ctx: Context, noun: Noun, style: Style) -> Nominal | None:
    """Nouns that have one form in all styles: study history, play the piano, this news."""
    if any(c in ARTICLELESS for c in noun.classes):
        leaf = Leaf("NN", noun.source)
        return simple(node("NP", leaf), say("|".join(noun.target), leaf), "it")
    if "job" in noun.classes or (style == "the" and "photo" in noun.classes):
        return generic(core(ctx, noun, adjective=0.2))
    if "instrument" in noun.classes:
        return generic(core(ctx, noun, adjective=0))
    if "newsitem" in noun.classes:
        return pointed(core(ctx, noun, adjective=0.3), near=ctx.rng.chance(0.7))
    return None


def _definite(ctx: Context, noun: Noun, style: Style, subject: Nominal | None) -> Nominal:
    """这 本 书 and the like; nouns without a measure word stay bare."""
    if style == "known":
        return known(ctx, core(ctx, noun, adjective=0.12 * _sortal(noun)), subject)
    if not _sortal(noun):
        it = core(ctx, noun, adjective=0)
        return bare(it, subject) if _personal(noun) else generic(it)
    if style == "the":
        return known(ctx, core(ctx, noun, adjective=0.12), subject, bare_=False)
    return pointed(core(ctx, noun, adjective=0.15), near=ctx.rng.chance(0.4))


def generic(it: Core) -> Nominal:
    """A bare noun for the kind: 看 书."""
    if any(c in UNIQUE for c in it.noun.classes):
        return simple(it.wrap(), seq(say("the"), it.singular()), "it")
    if any(c in ("job", "decision") for c in it.noun.classes):
        return simple(it.wrap(), seq(say("a"), it.singular()), "it")
    who = "it" if it.noun.number == "mass" else "they"
    return simple(it.wrap(), it.plural(), who)


def kind_of(it: Core) -> Nominal:
    """A bare noun for one of the kind: 买 车, buy a car."""
    several = it.noun.number != "count" or "batch" in it.noun.classes
    if several or any(c in UNIQUE for c in it.noun.classes):
        return generic(it)
    return simple(it.wrap(), seq(say("a"), it.singular()), "it")


def single(ctx: Context, it: Core) -> Nominal:
    """一 本 书, or just 茶: one new thing."""
    containers = bool(it.noun.measures) and bool(it.noun.measures[0][1])
    if not it.noun.measures or (containers and ctx.rng.chance(0.6)):
        return generic(it)
    measure, english = ctx.rng.choice(it.noun.measures)
    few = "batch" in it.noun.classes and not english
    return counted(it, Leaf("CD", "几" if few else "一"), Leaf("M", measure), english)


def known(ctx: Context, it: Core, subject: Nominal | None, *, bare_: bool = True) -> Nominal:
    """这 本 书, 我 的 书, 书: a thing that both speakers know."""
    weight = 4.0 * (bare_ and it.modifier is EMPTY)
    kind = ctx.rng.pick({"this": 3, "that": 3, "owned": 3, "bare": weight})
    if kind in ("this", "that") and _sortal(it.noun):
        return pointed(it, near=kind == "this")
    stuck = not bare_ and not _sortal(it.noun)
    if (kind == "owned" or stuck) and _ownable(it.noun):
        return owned(ctx, it, subject)
    if not bare_ and _sortal(it.noun):
        return pointed(it, near=ctx.rng.chance(0.5))
    return bare(it, subject)


def bare(it: Core, subject: Nominal | None = None) -> Nominal:
    """A bare noun for a definite thing; English adds `the` or a possessive."""
    own = subject is not None and _personal(it.noun) and subject.who in OWN
    article = say(OWN[subject.who] if own and subject is not None else "the")
    return simple(it.wrap(), seq(article, it.known()), it.who)


def pointed(it: Core, *, near: bool) -> Nominal:
    pointer = Leaf("DT", "这" if near else "那")
    measure = Leaf("M", it.noun.measures[0][0])
    tree = it.wrap(node("DP", pointer, node("CLP", measure)))
    if it.noun.number == "plural":
        return simple(
            tree, seq(say("these" if near else "those|the", pointer), it.plural()), "they"
        )
    words = "this" if near else "that|the"
    return simple(tree, seq(say(words, pointer), it.singular()), "it")


def owned(ctx: Context, it: Core, subject: Nominal | None) -> Nominal:
    """我 的 书, 小明 的 书."""
    if subject is not None and subject.who in OWN and subject.who != "it" and ctx.rng.chance(0.5):
        owner = pronoun(subject.who)
    else:
        owner = named(ctx) if ctx.rng.chance(0.5) else pronoun(ctx.rng.choice(("I", "he", "she")))
    marker = Leaf("DEG", "的")
    tree = node("NP", node("DNP", owner.tree, marker), it.wrap())
    if owner.pronoun:
        return simple(tree, seq(owner.owner, it.known()), it.who)
    return simple(tree, seq(owner.target, say("'s", marker), it.known()), it.who)


def new(ctx: Context, it: Core) -> Nominal:
    """一 本 书, 三 本 书, 几 本 书, 很多 书: things mentioned for the first time."""
    plenty = 1.0 * any(c in PLENTIFUL for c in it.noun.classes)
    kinds = {
        "one": 6,
        "few": 1.5 * plenty,
        "number": 0.2 + 1.5 * plenty,
        "many": 0.7 * plenty,
        "some": 0.7 * plenty,
    }
    kind = ctx.rng.pick(kinds)
    if kind in ("many", "some") or not it.noun.measures:
        return amount(it, "很多" if kind == "many" else "一些")
    measure, containers = ctx.rng.choice(it.noun.measures)
    several = ("两", "两", "两", "三", "三", "四") if plenty else ("两",)
    number = {"one": "一", "few": "几"}.get(kind) or ctx.rng.choice(several)
    return counted(it, Leaf("CD", number), Leaf("M", measure), containers)


def counted(it: Core, number: Leaf, measure: Leaf, containers: tuple[str, ...]) -> Nominal:
    tree = it.wrap(node("QP", number, node("CLP", measure)))
    words = {"一": "a", "几": "several|a few", **NUMBERS}[number.word]
    many = number.word != "一"
    if not containers:
        noun = it.plural() if many else it.singular()
        return simple(tree, seq(say(words, number), noun), "they" if many else "it")
    units = say("|".join(plural(c) if many else c for c in containers), measure)
    target = seq(say(words, number), units, say("of", measure), it.plural())
    return simple(tree, target, "they" if many else "it")


def amount(it: Core, word: str) -> Nominal:
    """很多 书, 一些 水."""
    leaf = Leaf("CD", word)
    mass = it.noun.number == "mass"
    words = "some" if word == "一些" else "a lot of|lots of" if mass else "many|a lot of"
    target = seq(say(words, leaf), it.plural())
    return simple(it.wrap(node("QP", leaf)), target, "it" if mass else "they")


def _sortal(noun: Noun) -> bool:
    """Whether the measure word is left untranslated: 这 本 书 is `this book`."""
    return bool(noun.measures) and not noun.measures[0][1] and noun.number != "mass"


def _ownable(noun: Noun) -> bool:
    classes = ("owned", "own", "personal", "device", "wear", "toy", "room", "tool", "homework")
    return any(c in noun.classes for c in classes)


def _personal(noun: Noun) -> bool:
    return any(c in noun.classes for c in ("personal", "homework", "luggage"))
