"""Relative clauses, which stand before the noun in Chinese and after it in English."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording
from .context import Context
from .events import placed, starts_with_at
from .lexicon import Frame, Noun
from .people import FEMALE, Nominal, named, pronoun, relative, simple
from .predicates import Predicate, adverb, predicate
from .things import Core, core
from .times import when
from .trees import Leaf, node
from .verbs import Mood, Verbal, chain
from .where import spot
from .wording import EMPTY, Target, alt, say, seq

# Frames of what people are seen doing, and of what they like.
SEEN = ("sing", "dance", "phone.call", "play.chess", "play.ball", "read.news", "paint.hobby",
        "walk.dog", "chat", "play.football", "fishing", "read.book", "drink", "photo")  # fmt: skip
LIKED = ("sing", "dance", "play.chess", "play.ball", "play.football", "swim", "run", "climb",
         "skiing", "listen", "see.film", "cook.meal", "museums", "photo", "fishing")  # fmt: skip


def bought_thing(
    ctx: Context, noun: Noun, uses: tuple[str, ...], avoid: str = "", adjective: float = 0.1
) -> Nominal | None:
    """我 昨天 买 的 书: a thing and what somebody did with it; None if no verb fits the noun."""
    frames = [
        frame
        for frame in ctx.lexicon.frames
        if any(use in frame.classes for use in uses)
        and any(c in noun.classes for c in frame.slots.get("OBJ", ()))
        and frame.source != avoid
    ]
    return _with_clause(ctx, noun, ctx.rng.choice(frames), adjective) if frames else None


def _with_clause(ctx: Context, noun: Noun, frame: Frame, adjective: float) -> Nominal:
    subject = _doer(ctx)
    event = predicate(ctx, frame, subject=subject, given={"OBJ": None})
    event = placed(ctx, frame, event, 0.15)
    perishable = any(c in noun.classes for c in ("food", "drink"))
    uses = ("soon",) if perishable else (*frame.classes, "plain")
    time = when(ctx, "past", uses) if ctx.rng.chance(0.6) else None
    clause = Clause(subject, event.vp, (PredicateWording(event.verbals, Mood("past")),), time)
    marker = Leaf("DEC", "的")
    before = node("CP", clause.tree(), marker)
    linker = alt(EMPTY, say("that", marker), say("which", marker))
    after = seq(linker, clause.target(front=False))
    it = replace(core(ctx, noun, adjective=adjective), before=before, after=after)
    return _determined(ctx, it)


def _determined(ctx: Context, it: Core) -> Nominal:
    """The noun with its relative clause, sometimes with 那 本 between them."""
    noun = it.noun
    sortal = bool(noun.measures) and not noun.measures[0][1] and noun.number == "count"
    batch = "batch" in noun.classes
    numerous = any(c in ("book", "text", "picture") for c in noun.classes)
    kind = ctx.rng.pick(
        {"bare": 6, "that": 2.5 * (sortal and not batch), "those": 0.8 * (sortal and numerous)}
    )
    if kind == "bare":
        return simple(it.wrap(), seq(say("the"), it.known()), it.who)
    pointer = Leaf("DT", "那")
    measure = Leaf("M", noun.measures[0][0])
    if kind == "that":
        tree = it.wrap(node("DP", pointer, node("CLP", measure)))
        return simple(tree, seq(say("the", pointer), it.singular()), "it")
    number = Leaf("CD", ctx.rng.choice(("两", "三", "几")))
    tree = it.wrap(node("DP", pointer, node("QP", number, node("CLP", measure))))
    words = {"两": "two", "三": "three", "几": "few"}[number.word]
    determiner = say("those" if number.word == "几" else "the", pointer)
    count: Target = EMPTY if number.word == "几" else say(words, number)
    return simple(tree, seq(determiner, count, it.plural()), "they")


def _doer(ctx: Context) -> Nominal:
    kind = ctx.rng.pick({"pronoun": 6, "named": 3, "kin": 2})
    if kind == "pronoun":
        return pronoun(ctx.rng.choice(("I", "I", "he", "she", "you", "we")))
    return named(ctx) if kind == "named" else relative(ctx, pronoun("I"))


def doing_person(ctx: Context, noun: Noun, *, settled: bool = False) -> Nominal:
    """正在 唱 歌 的 那 个 女孩, 教 我们 中文 的 老师: a person and what he or she does."""
    who = "she" if noun.source in FEMALE else "he"
    event, mood = _deed(ctx, noun, settled)
    marker, leaf = Leaf("DEC", "的"), Leaf("NN", noun.source)
    linker = simple(node("NP"), say("who|that", marker), who)
    target = Clause(linker, event.vp, (PredicateWording(event.verbals, mood),)).target()
    if mood.aspect == "progressive":
        target = alt(target, *(verbal.form("gerund") for verbal in event.verbals))
    pointer = node("DP", Leaf("DT", "那"), node("CLP", Leaf("M", noun.measures[0][0])))
    tree = node(
        "NP",
        node("CP", node("IP", event.vp), marker),
        pointer if settled or ctx.rng.chance(0.8) else None,
        node("NP", leaf),
    )
    return simple(tree, seq(say("the"), say("|".join(noun.target), leaf), target), who)


def _deed(ctx: Context, noun: Noun, settled: bool) -> tuple[Predicate, Mood]:
    """What identifies a person: something lasting or, unless `settled`, also an activity."""
    kind = ctx.rng.pick(
        {"now": 4.0 * (not settled), "live": 2, "work.at": 2.0 * ("staff" in noun.classes),
         "teach.to": 3.0 * ("teacher" in noun.classes), "phone": 2, "wear": 1.5, "know": 1.5,
         "speak": 1.5, "hobby": 2}
    )  # fmt: skip
    if kind == "now":
        frame = ctx.lexicon.frame(ctx.rng.choice(SEEN))
        event = placed(ctx, frame, predicate(ctx, frame, style="any"), 0.3)
        tree, leaf = adverb("正" if starts_with_at(event) else "正在")
        return event.under(tree), Mood("present", "progressive", helper=(leaf,))
    if kind == "hobby":
        verb, frame = Leaf("VV", "喜欢"), ctx.lexicon.frame(ctx.rng.choice(LIKED))
        done = predicate(ctx, frame, style="any")
        verbals = chain("like to|like -ing|enjoy -ing", (verb,), done.verbals)
        return Predicate(node("VP", verb, done.vp), verbals), Mood()
    if kind == "phone":
        event = predicate(ctx, ctx.lexicon.frame("phone"), given={"OBJ": pronoun("I")})
        time = when(ctx, "past", ("soon",))
        return event.then(time.target).under(time.tree), Mood("past")
    if kind == "wear":
        return _wearing(ctx, noun)
    if kind == "know":
        yesterday, meet = when(ctx, "past", ("plain",)), Leaf("VV", "来")
        school = spot(ctx, ("campus", "work"))
        vp = node("VP", yesterday.tree, node("VP", meet, school.tree))
        came = Verbal("come", (meet,), seq(school.goal, yesterday.target))
        return Predicate(vp, (came,)), Mood("past")
    event = predicate(ctx, ctx.lexicon.frame(kind), style="any", given={"TO": pronoun("we")})
    return event, Mood("present")


def _wearing(ctx: Context, wearer: Noun) -> tuple[Predicate, Mood]:
    """穿 着 红 毛衣 的 …."""
    noun = ctx.noun("wear")
    ladies = wearer.source in FEMALE
    while not noun.measures or noun.number != "count" or ("ladies" in noun.classes and not ladies):
        noun = ctx.noun("wear")
    colour = ctx.lexicon.adjective(ctx.rng.choice(("红", "白", "黑", "蓝")))
    verb, aspect = Leaf("VV", "穿"), Leaf("AS", "着")
    hue, leaf = Leaf("JJ", colour.source), Leaf("NN", noun.source)
    tree = node("VP", verb, aspect, node("NP", node("ADJP", hue), node("NP", leaf)))
    what = seq(say("a"), say(colour.target[0], hue), say("|".join(noun.target), leaf))
    return Predicate(tree, (Verbal("wear", (verb,), what),)), Mood(
        "present", "progressive", helper=(aspect,)
    )
