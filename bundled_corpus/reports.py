"""Reported speech and thought, requests, and causative verbs."""

from __future__ import annotations

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .people import (
    Nominal,
    individual,
    named,
    other,
    person,
    pronoun,
    refer,
    relative,
    simple,
    titled,
)
from .predicates import Given, predicate
from .qualities import THINGS, described, item
from .relatives import bought_thing
from .statements import errand_clause, event, relative_statement
from .things import Style, thing
from .times import when
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal, Verbals
from .voices import polite
from .wording import EMPTY, Target, alt, say, seq

OWNERS = {"我": "I", "他": "he", "她": "she"}
# Frames of what people are asked to do at home, at work, at school and among friends.
CHORES = ("buy.food", "tidy.room", "clean.room", "do.dishes", "wash.clothes", "phone", "pick.up",
          "water.flowers", "walk.dog", "exercise", "post")  # fmt: skip
TASKS = ("write", "check", "sign", "translate", "prepare", "business", "post",
         "solve", "pick.guest", "meeting", "answer.phone")  # fmt: skip
LESSONS = ("answer", "do.homework", "read", "write", "review", "exercises", "translate",
           "tell.story", "sing.song")  # fmt: skip
FAVOURS = ("repair", "translate", "buy.ticket", "pick.up", "attend", "post", "photo", "dinner",
           "look.after", "buy.drink", "teach.to")  # fmt: skip
# Frames of what one may be asked not to do.
FORBIDDEN = ("open", "play.game", "switch.on", "switch.off", "phone", "talk.with", "watch", "tv",
             "wait")  # fmt: skip


def speech(ctx: Context) -> Phrase:
    """他 说 他 明天 要 去 北京; 他 告诉 我 ...."""
    speaker = _speaker(ctx)
    inner = refer(speaker) if ctx.rng.chance(0.7) else named(ctx)
    kinds = ("completed", "future", "modal", "stative", "already", "not_yet", "habitual")
    return reported(ctx, speaker, event(ctx, inner, *kinds))


def relayed(ctx: Context) -> Phrase:
    """小明 告诉 我 他 很 喜欢 我 上 个 星期 买 的 那 本 小说."""
    speaker = _speaker(ctx)
    inner = refer(speaker) if ctx.rng.chance(0.6) else relative(ctx, pronoun("I"))
    return reported(ctx, speaker, relative_statement(ctx, inner))


def _speaker(ctx: Context) -> Nominal:
    """A person other than the first, who is rarely reported."""
    speaker = person(ctx)
    return _speaker(ctx) if speaker.who in ("I", "we") else speaker


def reported(ctx: Context, speaker: Nominal, clause: Clause) -> Phrase:
    """The clause as somebody said it, or told it to somebody."""
    clause = clause.timed(clause.time)
    verb = Leaf("VV", ctx.rng.choice(("说", "说", "告诉")))
    hearer = other(ctx, speaker) if verb.word == "告诉" else None
    vp = node("VP", verb, hearer.tree if hearer else None, clause.tree())
    whom = hearer.target if hearer else EMPTY
    # Without `that`, the hearer and the subject of the clause could stand side by side.
    that = say("that") if hearer else alt(EMPTY, say("that"))
    told = Verbal("tell" if hearer else "say", (verb,),
                  seq(whom, that, clause.shifted().target(front=False)))  # fmt: skip
    wordings = [PredicateWording((told,), Mood("past"))]
    if hearer is None:
        says = Verbal("say", (verb,), seq(that, clause.target(front=False)))
        wordings.append(PredicateWording((says,), Mood()))
    return sentence(Clause(speaker, vp, tuple(wordings)))


def opinion(ctx: Context) -> Phrase:
    """我 觉得 这 本 书 很 有意思."""
    thinker = individual(ctx)
    noun = ctx.noun(*THINGS)
    adjective = ctx.adjective("pred", noun.classes)
    if adjective is None:
        return opinion(ctx)
    rich = bought_thing(ctx, noun, ("rel",), adjective=0) if ctx.rng.chance(0.35) else None
    inner = described(ctx, rich or item(ctx, noun), adjective.source)
    verb = Leaf("VV", ctx.rng.choice(("觉得", "认为")))
    rest = seq(alt(EMPTY, say("that")), inner.target())
    verbals: Verbals = (Verbal("think", (verb,), rest),)
    if verb.word == "认为":
        verbals = (*verbals, Verbal("believe", (verb,), rest))
    return sentence(
        Clause(thinker, node("VP", verb, inner.tree()), (PredicateWording(verbals, Mood()),))
    )


def knowledge(ctx: Context) -> Phrase:
    """我 知道 ..., 我们 希望 ..., 我 听说 ...."""
    knower = (
        pronoun(ctx.rng.choice(("I", "we", "he", "she"))) if ctx.rng.chance(0.7) else named(ctx)
    )
    word = ctx.rng.choice(("知道", "希望", "听说", "相信"))
    subject = titled(ctx) if ctx.rng.chance(0.4) else named(ctx)
    kinds = {"希望": ("expected",), "相信": ("expected",), "听说": ("completed", "future"),
             "知道": ("completed", "stative", "habitual")}[word]  # fmt: skip
    clause = event(ctx, subject, *kinds)
    verb = Leaf("VV", word)
    english = {"知道": "know", "希望": "hope", "听说": "hear", "相信": "believe"}[word]
    rest = seq(alt(EMPTY, say("that")), clause.target(front=False))
    vp = node("VP", verb, clause.tree())
    if word == "听说":
        heard = (PredicateWording((Verbal("hear", (verb,), rest),), Mood("present", "perfect")),)
        return sentence(Clause(knower, vp, heard))
    return sentence(
        Clause(knower, vp, (PredicateWording((Verbal(english, (verb,), rest),), Mood()),))
    )


def causation(ctx: Context) -> Phrase:
    """老师 让 学生们 ..., 妈妈 叫 我 ..., 我 请 朋友 吃 饭."""
    causer, doer, word, name = _superior(ctx)
    verb, frame = Leaf("VV", word), ctx.lexicon.frame(name)
    rich = None
    if frame.id in ("read", "translate", "check", "post") and ctx.rng.chance(0.4):
        rich = bought_thing(ctx, ctx.noun(*frame.slots["OBJ"]), ("made",), frame.source)
    given: Given | None = None if rich is None else {"OBJ": rich}
    style: Style = ctx.rng.choice(("one", "the"))
    done = predicate(ctx, frame, style=style, subject=doer, given=given)
    vp = node("VP", verb, doer.tree, done.vp)
    time = when(ctx, "past", ("plain",)) if ctx.rng.chance(0.5) else None
    verbals = tuple(
        Verbal(
            english,
            (verb,),
            seq(doer.target, say("to"), alt(*(v.form("base") for v in done.verbals))),
        )
        for english in {"让": ("ask", "tell"), "叫": ("tell", "ask"), "请": ("ask",)}[word]
    )
    return sentence(
        Clause(causer, vp, (PredicateWording(verbals, Mood("past")),), time, ctx.rng.chance(0.4))
    )


def _superior(ctx: Context) -> tuple[Nominal, Nominal, str, str]:
    """Who asks, who is asked, the Chinese verb, and the frame of what is to be done."""
    kind = ctx.rng.choice(("home", "work", "school", "friend"))
    if kind == "home":
        causer = somebody_known(ctx, "parent", pronoun(ctx.rng.choice(("I", "I", "he", "she"))))
        doer = pronoun(OWNERS[next(causer.tree.leaves()).word])
        return causer, doer, ctx.rng.choice(("让", "叫")), ctx.rng.choice(CHORES)
    if kind == "work":
        causer = somebody_known(ctx, "boss")
        return causer, other(ctx, causer), ctx.rng.choice(("让", "请")), ctx.rng.choice(TASKS)
    if kind == "school":
        causer = somebody_known(ctx, "teacher")
        we = pronoun(ctx.rng.choice(("I", "we", "we", "they")))
        doer = we if ctx.rng.chance(0.6) else named(ctx)
        return causer, doer, ctx.rng.choice(("让", "叫", "请")), ctx.rng.choice(LESSONS)
    causer = named(ctx) if ctx.rng.chance(0.6) else pronoun(ctx.rng.choice(("he", "she")))
    return causer, other(ctx, causer), "请", ctx.rng.choice(FAVOURS)


def somebody_known(ctx: Context, kind: str, owner: Nominal | None = None) -> Nominal:
    """经理, 老师; with an owner 我 妈妈."""
    noun = ctx.noun(kind)
    leaf = Leaf("NN", noun.source)
    words = say("|".join(noun.target), leaf)
    if owner is None:
        return simple(node("NP", leaf), seq(say("the"), words), "he")
    who = "she" if "she" in noun.classes else "he"
    tree = node("NP", owner.tree, node("NP", leaf))
    return simple(tree, seq(owner.owner, words), who)


def help_(ctx: Context) -> Phrase:
    """他 帮 我 修 好 了 电脑; 我 常常 帮 妈妈 做 饭."""
    subject = person(ctx)
    helped = other(ctx, subject)
    names = ("repair", "clean.room", "write", "translate", "buy.ticket", "buy.food", "post")
    frame = ctx.lexicon.frame(ctx.rng.choice(names))
    verb = Leaf("VV", "帮")
    aspect = Leaf("AS", "了")
    done = predicate(ctx, frame, aspect=aspect, style="some", subject=helped)
    vp = node("VP", verb, helped.tree, done.vp)
    verbals: Verbals = tuple(
        Verbal("help", (verb,), seq(helped.target, say("|to"), v.form("base")))
        for v in done.verbals
    )
    time = when(ctx, "past", frame.classes) if ctx.rng.chance(0.6) else None
    return sentence(
        Clause(subject, vp, (PredicateWording(verbals, Mood("past")),), time, ctx.rng.chance(0.4))
    )


def request(ctx: Context) -> Phrase:
    """请 把 门 关 上; 请 给 我 一 杯 茶; 我们 去 公园 散步 吧."""
    kind = ctx.rng.pick({"ba": 4, "give": 3, "lets": 4, "dont": 2})
    if kind == "ba":
        return polite(ctx)
    if kind == "lets":
        return _lets(ctx)
    return _give(ctx) if kind == "give" else _dont(ctx)


def _give(ctx: Context) -> Phrase:
    """请 给 我 一 杯 茶."""
    please, give, me, stop = Leaf("VV", "请"), Leaf("VV", "给"), pronoun("I"), Leaf("PU", "。")
    item = thing(ctx, ctx.noun("drink", "tool", "fruit", "map", "document2"), "some")
    vp = node("VP", please, node("VP", give, me.tree, item.tree))
    core = seq(say("give|bring", give), me.target, item.target)
    return Phrase(node("IP", vp, stop), seq(_please(please, core), say(".", stop)))


def _dont(ctx: Context) -> Phrase:
    """别 看 电视."""
    frame = ctx.frame("free")
    while frame.id not in FORBIDDEN:
        frame = ctx.frame("free")
    done = predicate(ctx, frame, style="the")
    dont, stop = Leaf("AD", ctx.rng.choice(("别", "不要"))), Leaf("PU", "。")
    vp = node("VP", node("ADVP", dont), done.vp)
    target = seq(say("do not|don't", dont), alt(*(v.form("base") for v in done.verbals)))
    return Phrase(node("IP", vp, stop), seq(target, say(".", stop)))


def _please(please: Leaf, core: Target) -> Target:
    return alt(seq(say("please", please), core), seq(core, say(","), say("please", please)))


def _lets(ctx: Context) -> Phrase:
    subject = pronoun("we")
    clause = errand_clause(ctx, subject)
    while clause.wordings[0].mood.tense != "future":
        clause = errand_clause(ctx, subject)
    helper_vp = clause.vp.children[-1]
    assert isinstance(helper_vp, Tree)
    particle, stop = Leaf("SP", "吧"), Leaf("PU", "。")
    time = clause.time
    parts = [subject.tree, node("VP", time.tree, helper_vp) if time else helper_vp]
    let = next(iter(subject.tree.leaves()))
    core = seq(
        say("let's", let, particle), alt(*(v.form("base") for v in clause.wordings[0].verbals))
    )
    target = seq(core, time.target) if time else core
    return Phrase(node("CP", node("IP", *parts), particle, stop), seq(target, say(".", stop)))
