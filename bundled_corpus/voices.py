"""Disposal (把), passive (被) and topic sentences, whose word order English changes."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .events import AUXILIARIES
from .lexicon import Disposal
from .people import (
    Nominal,
    definite,
    named,
    other,
    person,
    pronoun,
    relative,
    simple,
    somebody,
    titled,
    unspoken,
)
from .predicates import PEOPLE, Predicate, adverb, assemble, of_noun, predicate
from .relatives import bought_thing
from .things import bare, core, counted, pointed
from .times import when
from .trees import Leaf, node
from .verbs import Mood, Verbal, any_form
from .where import Spot, spot
from .wording import EMPTY, prefer, say, seq

TOPICAL = ("read", "watch")
# Parts of verbs of mishaps, which nobody plans or requests.
MISHAPS = ("忘", "弄", "打+", "掉")


def disposal(ctx: Context) -> Phrase:
    """他 把 门 关 上 了."""
    entry = ctx.disposal("ba")
    subject = named(ctx) if "pupil" in entry.agents else person(ctx)
    obj = _known(ctx, entry, subject)
    event = _filled(ctx, entry, unspoken(obj), subject)
    ba = Leaf("BA", "把")
    event = Predicate(node("VP", ba, node("IP", obj.tree, event.vp)), event.verbals)
    mishap = any(mark in entry.source for mark in MISHAPS)
    kinds = (
        {"done": 1.0}
        if mishap
        else {"done": 6, "not": 1.5, "future": 2, "should": 1.5, "already": 1.5}
    )
    return sentence(_disposed(ctx, subject, event, ctx.rng.pick(kinds)))


def _disposed(ctx: Context, subject: Nominal, event: Predicate, kind: str) -> Clause:
    if kind in ("done", "already"):
        final = Leaf("SP", "了")
        if kind == "already":
            tree, leaf = adverb("已经")
            mood = Mood("present", "perfect", adverb=say("already", leaf))
            return Clause(
                subject, event.under(tree).vp, (PredicateWording(event.verbals, mood),), final=final
            )
        time = when(ctx, "past") if ctx.rng.chance(0.45) else None
        way = PredicateWording(event.verbals, Mood("past"))
        return Clause(subject, event.vp, (way,), time, ctx.rng.chance(0.4), final)
    if kind == "not":
        tree, leaf = adverb("没" if ctx.rng.chance(0.5) else "没有")
        mood = Mood("past", negation=(leaf,))
        return Clause(subject, event.under(tree).vp, (PredicateWording(event.verbals, mood),))
    if kind == "future":
        helper = Leaf("VV", "会")
        way = PredicateWording(event.verbals, Mood("future", helper=(helper,)))
        return Clause(subject, event.under(helper).vp, (way,), when(ctx, "future", ("soon",)))
    helper = Leaf("VV", ctx.rng.choice(("应该", "必须", "可以")))
    wordings = [
        PredicateWording(event.verbals, Mood("present", modal=modal, helper=(helper,)))
        for modal in AUXILIARIES[helper.word]
    ]
    return Clause(subject, event.under(helper).vp, tuple(wordings))


def _known(ctx: Context, entry: Disposal, subject: Nominal | None) -> Nominal:
    """The object of 把 or 被, which is always definite."""
    if "person" in entry.slots["OBJ"]:
        return other(ctx, subject)
    noun = ctx.noun(*entry.slots["OBJ"])
    if ctx.rng.chance(0.2):
        rich = bought_thing(ctx, noun, ("made",))
        if rich is not None:
            return rich
    if any(c in PEOPLE for c in noun.classes):
        return definite(ctx, noun)
    return of_noun(ctx, noun, "known", subject)


def _filled(
    ctx: Context, entry: Disposal, obj: Nominal | None, subject: Nominal | None
) -> Predicate:
    """The verb and its complement with all slots filled."""
    fillers: dict[str, Nominal | None] = {"OBJ": obj}
    trees = entry.source
    place: Spot | None = None
    if "TO" in trees:
        fillers["TO"] = other(ctx, subject)
    if "SENIOR" in trees:
        fillers["SENIOR"] = definite(ctx, ctx.noun("senior"))
    if "ROOM" in trees:
        room = spot(ctx, ("inside",))
        fillers["ROOM"] = simple(room.tree, room.target, "it")
    for slot, kind in (("ON", "furniture"), ("IN", "box")):
        if f" {slot} " in trees:
            fillers[slot] = bare(core(ctx, ctx.noun(kind), adjective=0))
    if "PLACE" in trees:
        place = spot(ctx, ("work", "travel") if "送" in trees else ("inside", "dine", "work"))
    return assemble(entry, fillers, place, None)


def passive(ctx: Context) -> Phrase:
    """钱包 被 小偷 偷 走 了; English keeps the passive or uses the active."""
    entry = ctx.disposal("bei")
    undergoer = _known(ctx, entry, None)
    agent = (
        _agent(ctx, entry, undergoer)
        if entry.source in ("咬", "撞+倒", "吵+醒") or ctx.rng.chance(0.7)
        else None
    )
    event = _filled(ctx, entry, unspoken(undergoer), undergoer)
    mark = Leaf("LB" if agent else "SB", "被")
    inner = node("IP", agent.tree, event.vp) if agent else event.vp
    vp = node("VP", mark, inner)
    by = seq(say("by", mark), agent.target) if agent else EMPTY
    passives = tuple(
        Verbal("be", (mark,), seq(verbal.form("participle"), by)) for verbal in event.bare
    )
    # A relative clause has a time of its own.
    told = "(CP (IP (NP" in undergoer.tree.bracketed()
    time = when(ctx, "past") if not told and ctx.rng.chance(0.5) else None
    final, stop = Leaf("SP", "了"), Leaf("PU", "。")
    clause = Clause(
        undergoer, vp, (PredicateWording(passives, Mood("past")),), time, ctx.rng.chance(0.4), final
    )
    target = clause.target()
    if agent is not None:
        active = PredicateWording(event.verbals, Mood("past"))
        target = prefer(target, replace(clause, subject=agent, wordings=(active,)).target())
    return Phrase(node("IP", *clause.parts(), stop), seq(target, say(".", stop)))


def _agent(ctx: Context, entry: Disposal, undergoer: Nominal) -> Nominal:
    kind = ctx.rng.choice(entry.agents)
    if kind in ("pet", "cycle", "drive"):
        it = core(ctx, ctx.noun(kind), adjective=0.2)
        return counted(it, Leaf("CD", "一"), Leaf("M", it.noun.measures[0][0]), ())
    if kind in ("young", "mate"):
        return somebody(ctx, ctx.noun(kind))
    if kind != "any":
        return of_noun(ctx, ctx.noun(kind), "some", undergoer)
    return ctx.rng.choice((named, titled, relative))(ctx)


def topic(ctx: Context) -> Phrase:
    """这 本 书 我 已经 看 过 了: what the sentence is about comes first."""
    somebody = pronoun(ctx.rng.choice(("I", "we", "he", "she")))
    subject = somebody if ctx.rng.chance(0.7) else named(ctx)
    frame = ctx.lexicon.frame(ctx.rng.choice(TOPICAL))
    noun = ctx.noun(*frame.slots["OBJ"])
    rich = bought_thing(ctx, noun, ("made",), frame.source) if ctx.rng.chance(0.3) else None
    obj = rich or pointed(core(ctx, noun, adjective=0.2), near=ctx.rng.chance(0.6))
    aspect = Leaf("AS", "过")
    event = predicate(ctx, frame, aspect=aspect, given={"OBJ": unspoken(obj)})
    clause = _topical(ctx, subject, event, aspect)
    stop = Leaf("PU", "。")
    comma = Leaf("PU", "，") if rich is not None else None
    tree = node("IP", obj.tree, comma, *clause.parts(), stop)
    return Phrase(tree, seq(clause.target(), say(".", stop)))


def _topical(ctx: Context, subject: Nominal, event: Predicate, aspect: Leaf) -> Clause:
    """What is said about the topic: done already, done before, or never."""
    kind = ctx.rng.pick({"already": 3, "never": 2, "twice": 2})
    mood = Mood("present", "perfect", helper=(aspect,))
    if kind == "already":
        tree, leaf = adverb("已经")
        way = PredicateWording(event.verbals, replace(mood, adverb=say("already", leaf)))
        return Clause(subject, event.under(tree).vp, (way,), final=Leaf("SP", "了"))
    if kind == "never":
        tree, leaf = adverb("没")
        way = PredicateWording(event.verbals, replace(mood, adverb=say("never", leaf)))
        return Clause(subject, event.under(tree).vp, (way,))
    number, times = Leaf("CD", ctx.rng.choice(("两", "三"))), Leaf("M", "遍")
    count = node("QP", number, node("CLP", times))
    words = (
        seq(say("twice", number, times))
        if number.word == "两"
        else seq(say("three", number), say("times", times))
    )
    vp = node("VP", *event.vp.children, count)
    return Clause(subject, vp, (PredicateWording(event.then(words).verbals, mood),))


def polite(ctx: Context) -> Phrase:
    """请 把 门 关 上."""
    entry = ctx.disposal("ba")
    while any(mark in entry.source for mark in MISHAPS):
        entry = ctx.disposal("ba")
    hearer = pronoun("you")
    obj = _known(ctx, entry, hearer)
    event = _filled(ctx, entry, unspoken(obj), hearer)
    please, ba, stop = Leaf("VV", "请"), Leaf("BA", "把"), Leaf("PU", "。")
    tree = node("IP", node("VP", please, node("VP", ba, node("IP", obj.tree, event.vp))), stop)
    core = any_form(event.verbals, "base")
    asked = say("please", please)
    return Phrase(tree, seq(prefer(seq(asked, core), seq(core, say(","), asked)), say(".", stop)))
