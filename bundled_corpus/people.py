"""Noun phrases for people: pronouns, names, titles, relatives and professions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .context import Context
from .english import plural
from .lexicon import Noun
from .trees import Leaf, Tree, node
from .wording import Target, Word, say, seq


@dataclass(frozen=True)
class Nominal:
    """A noun phrase: its tree, its English as object, subject and owner, and its pronoun."""

    tree: Tree
    target: Target
    subject: Target
    owner: Target
    who: str
    pronoun: bool = False


# who: (source word, subject, object, owner)
PRONOUNS = {
    "I": ("我", "I", "me", "my"),
    "we": ("我们", "we", "us", "our"),
    "you": ("你", "you", "you", "your"),
    "he": ("他", "he", "him", "his"),
    "she": ("她", "she", "her", "her"),
    "they": ("他们", "they", "them", "their"),
}
OWN = {
    "I": "my",
    "we": "our",
    "you": "your",
    "he": "his",
    "she": "her",
    "it": "its",
    "they": "their",
}
TITLES = {
    "先生": ("Mr.", "he"), "女士": ("Ms.", "she"), "小姐": ("Miss", "she"),
    "教授": ("Professor", "he"), "医生": ("Dr.", "she"), "经理": ("Manager", "he"),
}  # fmt: skip
# Nouns that can be definite without 那 位.
FAMILIAR = (
    "老师",
    "医生",
    "经理",
    "校长",
    "老板",
    "警察",
    "服务员",
    "司机",
    "护士",
    "孩子",
    "客人",
)
# Nouns that take the plural suffix 们.
GROUPS = ("学生", "老师", "工人", "记者", "同学", "游客")
FEMALE = ("护士", "女孩", "秘书")
SPOUSES = {"he": "wife", "she": "husband"}
# Pronouns that may refer to the same person.
OVERLAPS = {"I": ("I", "we"), "we": ("I", "we"), "he": ("he", "they"), "she": ("she", "they")}


def pronoun(who: str) -> Nominal:
    word, subject, target, owner = PRONOUNS[who]
    leaf = Leaf("PN", word)
    return Nominal(
        node("NP", leaf), say(target, leaf), say(subject, leaf), say(owner, leaf), who, pronoun=True
    )


def unspoken(nominal: Nominal) -> Nominal:
    """The phrase with an empty tree: Chinese has it elsewhere or leaves it out."""
    return replace(nominal, tree=node("NP"))


def simple(tree: Tree, target: Target, who: str) -> Nominal:
    """A noun phrase that looks the same as subject and object."""
    leaves = tuple(tree.leaves())
    mark = Word("'s" if who != "they" else "'", leaves[-1:])
    return Nominal(tree, target, target, seq(target, mark), who)


def named(ctx: Context) -> Nominal:
    name = ctx.name("person")
    leaf = Leaf("NR", name.source)
    return simple(node("NP", leaf), say(name.target[0], leaf), name.classes[1])


def titled(ctx: Context) -> Nominal:
    name, title = ctx.name("surname"), ctx.rng.choice(list(TITLES))
    english, who = TITLES[title]
    surname, leaf = Leaf("NR", name.source), Leaf("NN", title)
    target = seq(say(english, leaf), say(name.target[0], surname))
    return simple(node("NP", surname, leaf), target, who)


def relative(ctx: Context, owner: Nominal | None = None) -> Nominal:
    """我 妈妈, 小明 的 爸爸: someone's relative."""
    if owner is None:
        owner = pronoun(ctx.rng.choice(("I", "I", "he", "she")))
        owner = owner if ctx.rng.chance(0.8) else named(ctx)
    married = owner.who in SPOUSES and ctx.rng.chance(0.12)
    noun = ctx.noun(SPOUSES[owner.who]) if married else ctx.noun("kin")
    leaf = Leaf("NN", noun.source)
    if owner.pronoun:
        tree = node("NP", owner.tree, node("NP", leaf))
        return simple(tree, seq(owner.owner, _kin(noun, leaf)), _gender(noun))
    marker = Leaf("DEG", "的")
    tree = node("NP", node("DNP", owner.tree, marker), node("NP", leaf))
    return simple(tree, seq(owner.target, say("'s", marker), _kin(noun, leaf)), _gender(noun))


def _kin(noun: Noun, leaf: Leaf) -> Target:
    words = noun.target if noun.number == "count" else [plural(word) for word in noun.target]
    return say("|".join(words), leaf)


def _gender(noun: Noun) -> str:
    return next(who for who in ("she", "he", "they") if who in noun.classes)


def own_relative(noun: Noun, subject: Nominal) -> Nominal:
    """A bare 妈妈 or 父亲; English adds a possessive."""
    leaf = Leaf("NN", noun.source)
    own = say(OWN.get(subject.who, "the"))
    return simple(node("NP", leaf), seq(own, _kin(noun, leaf)), _gender(noun))


def somebody(ctx: Context, noun: Noun) -> Nominal:
    """那 位 医生, 老师, 一 个 朋友, 两 位 客人: a person by profession or role."""
    leaf = Leaf("NN", noun.source)
    one = say("|".join(noun.target), leaf)
    several = say("|".join(plural(word) for word in noun.target), leaf)
    measure = Leaf("M", noun.measures[0][0])
    who = "she" if noun.source in FEMALE else "he"
    bare = 2.0 * (noun.source in FAMILIAR)
    kind = ctx.rng.pick({"this": 2, "that": 3, "bare": bare, "one": 3, "few": 1})
    if kind == "bare":
        return simple(node("NP", leaf), seq(say("the"), one), who)
    if kind in ("this", "that"):
        pointer = Leaf("DT", "这" if kind == "this" else "那")
        determiner = say("this", pointer) if kind == "this" else say("that|the", pointer)
        tree = node("NP", node("DP", pointer, node("CLP", measure)), node("NP", leaf))
        return simple(tree, seq(determiner, one), who)
    number = Leaf("CD", "一" if kind == "one" else ctx.rng.choice(("两", "三", "几")))
    tree = node("NP", node("QP", number, node("CLP", measure)), node("NP", leaf))
    if kind == "one":
        return simple(tree, seq(say("a", number), one), who)
    words = {"两": "two", "三": "three", "几": "several|a few"}
    return simple(tree, seq(say(words[number.word], number), several), "they")


def definite(ctx: Context, noun: Noun) -> Nominal:
    """那 位 医生 or 医生: a definite person."""
    leaf = Leaf("NN", noun.source)
    one = say("|".join(noun.target), leaf)
    if noun.source in FAMILIAR and ctx.rng.chance(0.7):
        return simple(node("NP", leaf), seq(say("the"), one), "he")
    pointer, measure = Leaf("DT", "那"), Leaf("M", noun.measures[0][0])
    tree = node("NP", node("DP", pointer, node("CLP", measure)), node("NP", leaf))
    return simple(tree, seq(say("that|the", pointer), one), "he")


def acquaintance(ctx: Context, noun: Noun, subject: Nominal | None) -> Nominal:
    """我 的 朋友, 一 个 同学, 他 的 同事."""
    choices = [who for who in ("I", "he", "she") if not _overlap(who, subject)]
    if subject is None or ctx.rng.chance(0.4) or not choices:
        return somebody(ctx, noun)
    owner = pronoun(subject.who if ctx.rng.chance(0.6) and subject.who in PRONOUNS
                    else ctx.rng.choice(choices))  # fmt: skip
    leaf, marker = Leaf("NN", noun.source), Leaf("DEG", "的")
    tree = node("NP", node("DNP", owner.tree, marker), node("NP", leaf))
    return simple(tree, seq(owner.owner, say("|".join(noun.target), leaf)), "he")


def both(first: Nominal, second: Nominal) -> Nominal:
    """A 和 B."""
    joiner = Leaf("CC", "和")
    tree = node("NP", first.tree, joiner, second.tree)
    if first.who == "I" or second.who == "I":
        me, other = (first, second) if first.who == "I" else (second, first)
        target = seq(other.target, say("and", joiner), me.target)
        subject = seq(other.subject, say("and", joiner), me.subject)
        return Nominal(tree, target, subject, target, "we")
    target = seq(first.target, say("and", joiner), second.target)
    return Nominal(
        tree, target, seq(first.subject, say("and", joiner), second.subject), target, "they"
    )


def person(ctx: Context) -> Nominal:
    """A person or several as the subject of a sentence."""
    kind = ctx.rng.pick(
        {"pronoun": 40, "named": 26, "titled": 8, "kin": 13, "role": 6, "both": 5, "group": 2}
    )
    if kind == "pronoun":
        return pronoun(ctx.rng.pick({"I": 30, "he": 20, "she": 20, "we": 15, "they": 10}))
    if kind == "named":
        return named(ctx)
    if kind == "titled":
        return titled(ctx)
    if kind == "kin":
        return relative(ctx)
    if kind == "role":
        return definite(ctx, ctx.noun("role"))
    if kind == "group":
        return group(ctx)
    first = pronoun("I") if ctx.rng.chance(0.5) else named(ctx)
    second = relative(ctx, pronoun("I")) if ctx.rng.chance(0.3) else named(ctx)
    return both(first, second) if first.tree.bracketed() != second.tree.bracketed() else first


def individual(ctx: Context) -> Nominal:
    """One person, or several as a pronoun."""
    subject = person(ctx)
    while subject.who in ("we", "they") and not subject.pronoun:
        subject = person(ctx)
    return subject


def group(ctx: Context) -> Nominal:
    """很多 学生, 学生们, 这些 工人: several people."""
    noun = ctx.noun("role")
    several = "|".join(plural(word) for word in noun.target)
    leaf = Leaf("NN", noun.source)
    if ctx.rng.chance(0.4):
        many = Leaf("CD", "很多")
        tree = node("NP", node("QP", many), node("NP", leaf))
        return simple(tree, seq(say("many|a lot of", many), say(several, leaf)), "they")
    if noun.source in GROUPS:
        leaf = Leaf("NN", noun.source + "们")
        return simple(node("NP", leaf), seq(say("the"), say(several, leaf)), "they")
    these = Leaf("DT", "这些" if ctx.rng.chance(0.5) else "那些")
    tree = node("NP", node("DP", these), node("NP", leaf))
    words = "these" if these.word == "这些" else "those"
    return simple(tree, seq(say(words, these), say(several, leaf)), "they")


def other(ctx: Context, subject: Nominal | None) -> Nominal:
    """A person other than the subject, as an object."""
    if ctx.rng.chance(0.4):
        choices = [who for who in ("I", "he", "she", "we", "they")
                   if not _overlap(who, subject)]  # fmt: skip
        return pronoun(ctx.rng.choice(choices))
    return named(ctx) if ctx.rng.chance(0.7) else titled(ctx)


def _overlap(who: str, subject: Nominal | None) -> bool:
    """Whether the pronoun could be taken to refer to the subject."""
    if subject is None:
        return False
    return (
        who == subject.who
        or subject.who in OVERLAPS.get(who, ())
        or who in OVERLAPS.get(subject.who, ())
    )


def echo(nominal: Nominal) -> Nominal:
    """An English pronoun for a person whom the Chinese does not mention again."""
    if nominal.pronoun:
        return unspoken(nominal)
    _, subject, target, owner = PRONOUNS[nominal.who]
    return Nominal(node("NP"), say(target), say(subject), say(owner), nominal.who, pronoun=True)


def refer(nominal: Nominal) -> Nominal:
    """The pronoun for a person mentioned before."""
    return pronoun(nominal.who)


def kin_or_mate(ctx: Context, noun: Noun, subject: Nominal | None) -> Nominal:
    """A person described by the noun, as an object."""
    if "kin" in noun.classes:
        grown = subject is None or any(leaf.tag == "NN" for leaf in subject.tree.leaves())
        if grown and "elder" in noun.classes and subject is not None:
            return named(ctx)
        if not grown and subject is not None and ctx.rng.chance(0.7):
            return own_relative(noun, subject)
        owner, leaf = pronoun("I"), Leaf("NN", noun.source)
        tree = node("NP", owner.tree, node("NP", leaf))
        return simple(tree, seq(owner.owner, _kin(noun, leaf)), _gender(noun))
    if "mate" in noun.classes:
        return acquaintance(ctx, noun, subject)
    if "young" in noun.classes or "guest" in noun.classes:
        return somebody(ctx, noun)
    return definite(ctx, noun)
