"""Kinds of events: aspect, negation and modality in Chinese and in English."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording
from .context import Context, Phrase
from .lexicon import Frame
from .people import Nominal, other
from .predicates import Given, Predicate, adverb, of_noun, predicate, takes_aspect
from .things import Style
from .times import when, worded
from .trees import Leaf, node
from .verbs import Mood, Verbal, Verbals, chain
from .where import spot
from .wording import say, seq

STYLES: dict[Style, float] = {"one": 4, "the": 3, "kind": 2}
OFTEN = {"常常": "often", "经常": "often|frequently", "总是": "always", "有时候": "sometimes",
         "很少": "seldom|rarely"}  # fmt: skip
# Auxiliaries, and verbs that govern another verb; both may have several equivalents.
AUXILIARIES = {"能": ("can",), "可以": ("can", "may"), "应该": ("should",), "必须": ("must",)}
GOVERNORS = {
    "想": "want to", "得": "have to", "必须": "have to", "需要": "need to", "愿意": "be willing to",
    "希望": "hope to", "打算": "plan to|intend to", "准备": "plan to", "要": "be going to",
    "应该": "be supposed to", "能": "be able to", "可以": "",
}  # fmt: skip
CARE = (("认真", "carefully"), ("仔细", "carefully|attentively"), ("慢慢", "slowly"))
DENIABLE = ("想", "能", "愿意", "打算")
# Frames of obligations, and of favours that one may be willing to do.
DUTIES = (
    "prepare", "check", "repair", "phone", "answer", "clean.room", "tidy.room", "wash.clothes",
    "meeting", "buy.food", "post", "give.back", "write", "solve", "exercise", "rest", "help",
    "look.after", "translate", "sign", "business", "pick.up", "buy.ticket", "get.visa",
)  # fmt: skip
FAVOURS = ("help", "attend", "pick.up", "look.after", "teach.to", "wait", "translate", "tell.news")
MODALS = {"想": 4, "得": 2, "必须": 1.5, "需要": 1.5, "愿意": 1, "希望": 1.5, "打算": 2, "应该": 2,
          "能": 1.5, "可以": 1}  # fmt: skip


def completed(ctx: Context, subject: Nominal, frame: Frame, given: Given | None = None) -> Clause:
    """V 了 O: something done in the past; verbs that cannot take 了 need a time instead."""
    aspect = Leaf("AS", "了") if takes_aspect(frame) else None
    told = given is not None
    time = None
    if not told and (aspect is None or ctx.rng.chance(0.75)):
        time = when(ctx, "past", frame.classes)
    style: Style = "some" if ctx.rng.chance(0.7) else "that"
    event = predicate(ctx, frame, aspect=aspect, style=style, subject=subject, given=given)
    # Without 了 after the verb, the sentence needs a place, or 了 at its end.
    with_care = "care" in frame.classes and ctx.rng.chance(0.4)
    rate = 0.0 if told or with_care else 0.45 if aspect else 1.0
    event = placed(ctx, frame, event, rate)
    event = event if told else accompanied(ctx, subject, frame, event)
    clause = _clause(ctx, subject, event, Mood("past"), time)
    if aspect is None and not frame.places:
        clause = replace(clause, final=Leaf("SP", "了"))
    return careful(ctx, clause, after=not told) if with_care else clause


def careful(ctx: Context, clause: Clause, *, after: bool) -> Clause:
    """认真 地 V: manner before the verb; in English before it or, with `after`, also after it."""
    word, english = ctx.rng.choice(CARE)
    leaf, marker = Leaf("VA", word), Leaf("DEV", "地")
    how = say(english, leaf)
    vp = node("VP", node("DVP", node("VP", leaf), marker), clause.vp)
    before = tuple(
        PredicateWording(way.verbals, replace(way.mood, adverb=how)) for way in clause.wordings
    )
    last = tuple(
        PredicateWording(tuple(v.then(how) for v in w.verbals), w.mood) for w in clause.wordings
    )
    return replace(clause, vp=vp, wordings=before + last if after else before)


def accompanied(ctx: Context, subject: Nominal, frame: Frame, event: Predicate) -> Predicate:
    """和 朋友 一起 V: with a companion, if the frame allows one."""
    if "with" not in frame.classes or not ctx.rng.chance(0.35) or subject.who in ("we", "they"):
        return event
    companion = (
        of_noun(ctx, ctx.noun("mate", "kin"), "some", subject)
        if ctx.rng.chance(0.6)
        else (other(ctx, subject))
    )
    with_, together = Leaf("P", ctx.rng.choice(("和", "跟"))), Leaf("AD", "一起")
    vp = node("VP", node("PP", with_, companion.tree), node("ADVP", together), event.vp)
    words = seq(say("with|together with", with_, together), companion.target)
    return Predicate(vp, event.then(words).verbals)


def negated(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """没 V: something not done in the past."""
    time = when(ctx, "past", frame.classes) if ctx.rng.chance(0.4) else None
    style: Style = "kind" if frame.kind == "act" and ctx.rng.chance(0.4) else "that"
    tree, leaf = adverb("没" if ctx.rng.chance(0.5) else "没有")
    event = predicate(ctx, frame, style=style, subject=subject).under(tree)
    return _clause(ctx, subject, event, Mood("past", negation=(leaf,)), time)


def experienced(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """V 过, 没 V 过: something done at some time in life, or never."""
    edible = frame.id in ("eat", "eat.snack", "drink", "ride")
    style: Style = "that" if ctx.rng.chance(0.8) and not edible else "any"
    aspect = Leaf("AS", "过")
    event = predicate(ctx, frame, aspect=aspect, style=style, subject=subject)
    verbals = tuple(_been(verbal) for verbal in event.verbals)
    event = Predicate(event.vp, verbals)
    mood = Mood("present", "perfect", helper=(aspect,))
    kind = ctx.rng.pick({"never": 3, "not": 3, "before": 3, "plain": 2})
    if kind in ("never", "not"):
        tree, no = adverb("没")
        event, never = event.under(tree), say("never", no)
        if kind == "never":
            tree, ever = adverb("从来")
            event, never = event.under(tree), say("never", ever, no)
        return _simple(subject, event, replace(mood, adverb=never))
    if kind == "before":
        before = Leaf("NT", "以前")
        event = event.then(say("before", before)).under(node("NP", before))
    return _simple(subject, event, mood)


def _been(verbal: Verbal) -> Verbal:
    """`has been to` for `has gone to`, which would mean that the person is still there."""
    return replace(verbal, verb="be") if verbal.verb == "go" else verbal


def progressive(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """正在 V: something in progress."""
    style: Style = ctx.rng.pick({"kind": 5, "the": 3, "one": 1})
    event = ongoing(predicate(ctx, frame, style=style, subject=subject))
    there = placed(ctx, frame, event)
    # 正在 is shortened to 正 before the 在 of a place: 正 在 家 做 饭.
    tree, leaf = adverb("正" if starts_with_at(there) else "正在")
    event = there.under(tree)
    mood = Mood("present", "progressive", helper=(leaf,))
    time = worded(ctx, "now") if ctx.rng.chance(0.25) else None
    return _clause(ctx, subject, event, mood, time)


def ongoing(event: Predicate) -> Predicate:
    """The event without wordings such as `go fishing`, which have no progressive."""
    verbals = tuple(verbal for verbal in event.verbals if verbal.verb != "go")
    return Predicate(event.vp, verbals or event.verbals, event.bare)


def habitual(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """每天 V, 常常 V: something done regularly."""
    event = placed(ctx, frame, predicate(ctx, frame, style="any", subject=subject))
    event = accompanied(ctx, subject, frame, event)
    if ctx.rng.chance(0.5):
        commute = frame.id.endswith((".work", ".subway"))
        time = worded(ctx, "commute" if commute else "habit")
        if time.tree.bracketed().startswith("(NP (NT 每天)") and ctx.rng.chance(0.5):
            event = event.under(adverb("都")[0])
        return _clause(ctx, subject, event, Mood("present"), time)
    rides = "ride" in frame.classes or frame.id.endswith((".work", ".subway"))
    word = ctx.rng.choice([word for word in OFTEN if rides or word != "总是"])
    tree, leaf = adverb(word)
    return _simple(subject, event.under(tree), Mood("present", adverb=say(OFTEN[word], leaf)))


def expected(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """会 V, 能 V: something hoped for or expected."""
    event = placed(ctx, frame, predicate(ctx, frame, style=ctx.rng.pick(STYLES), subject=subject))
    helper = Leaf("VV", ctx.rng.choice(("会", "能")))
    modal = "can" if helper.word == "能" else ""
    mood = Mood("future", modal=modal, helper=(helper,))
    time = when(ctx, "future", frame.classes)
    return _clause(ctx, subject, event.under(helper), mood, time)


def future(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """明天 要 V, 打算 V, 不 会 V: something in the future."""
    time = when(ctx, "future", frame.classes)
    word = ctx.rng.pick({"要": 4, "会": 3, "打算": 2, "准备": 2, "想": 1, "不": 2})
    style: Style = "the" if word == "不" else ctx.rng.pick(STYLES)
    event = placed(ctx, frame, predicate(ctx, frame, style=style, subject=subject))
    event = accompanied(ctx, subject, frame, event)
    if word == "不":
        tree, no = adverb("不")
        helper = Leaf("VV", ctx.rng.choice(("会", "能")))
        mood = Mood("future", modal="can" if helper.word == "能" else "", helper=(helper,),
                    negation=(no,))  # fmt: skip
        return _clause(ctx, subject, event.under(helper).under(tree), mood, time)
    helper = Leaf("VV", word)
    will = PredicateWording(event.verbals, Mood("future", helper=(helper,)))
    wordings = [will] if word in ("要", "会") else []
    if word in GOVERNORS:
        wordings.append(governed(helper, event.verbals, Mood("present")))
    clause = Clause(subject, event.under(helper).vp, tuple(wordings), time)
    return replace(clause, early=ctx.rng.chance(0.4))


def governed(helper: Leaf, verbals: Verbals, mood: Mood) -> PredicateWording:
    return PredicateWording(chain(GOVERNORS[helper.word], (helper,), verbals), mood)


def would_like(helper: Leaf, verbals: Verbals) -> PredicateWording:
    return PredicateWording(
        chain("like to", (helper,), verbals), Mood("present", modal="would", helper=(helper,))
    )


def modal(
    ctx: Context, subject: Nominal, frame: Frame, word: str = "", no: bool | None = None
) -> Clause:
    """能, 可以, 应该, 想 and the like, sometimes with 不."""
    if not word:
        word = ctx.rng.pick(MODALS)
        frame = _suited(ctx, word, frame)
    denied = word in DENIABLE and ctx.rng.chance(0.3) if no is None else no
    style: Style = "the" if denied else ctx.rng.pick(STYLES)
    event = placed(ctx, frame, predicate(ctx, frame, style=style, subject=subject))
    event = accompanied(ctx, subject, frame, event)
    clause = with_modal(subject, event, word, denied)
    # Possibilities sound odd without a time.
    return clause.timed(worded(ctx, "future")) if word in ("能", "可以") else clause


def _suited(ctx: Context, word: str, frame: Frame) -> Frame:
    """The frame itself, or one that suits the modal verb better."""
    if word in ("得", "必须", "需要", "应该"):
        return ctx.lexicon.frame(ctx.rng.choice(DUTIES))
    if word == "愿意":
        return ctx.lexicon.frame(ctx.rng.choice(FAVOURS))
    if word == "可以":
        return ctx.frame("leisure")
    return ctx.frame("dream", "costly") if word == "希望" else frame


def wish(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """想 V: what somebody would like to do."""
    return modal(ctx, subject, frame, word="想", no=False)


def with_modal(subject: Nominal, event: Predicate, word: str, denied: bool) -> Clause:
    """The event under a modal verb."""
    helper = Leaf("VV", word)
    vp = event.under(helper)
    negation: tuple[Leaf, ...] = ()
    if denied:
        tree, leaf = adverb("不")
        vp, negation = vp.under(tree), (leaf,)
    wordings = [
        PredicateWording(
            event.verbals, Mood("present", modal=english, helper=(helper,), negation=negation)
        )
        for english in AUXILIARIES.get(word, ())
        if not (denied and english == "may")
    ]
    if GOVERNORS[word] and not (denied and word == "必须"):
        wordings.append(governed(helper, event.verbals, Mood("present", negation=negation)))
    if word == "想" and not denied:
        wordings.append(would_like(helper, event.verbals))
    return Clause(subject, vp.vp, tuple(wordings))


def already(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """已经 V 了 O: done by now."""
    tree, leaf = adverb("已经")
    aspect = Leaf("AS", "了") if takes_aspect(frame) else None
    event = predicate(ctx, frame, aspect=aspect, style="that", subject=subject).under(tree)
    mood = Mood("present", "perfect", adverb=say("already", leaf))
    clause = _simple(subject, event, mood)
    return clause if aspect else replace(clause, final=Leaf("SP", "了"))


def not_yet(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """还 没 V: still to be done."""
    still, yet = adverb("还")
    tree, no = adverb("没" if ctx.rng.chance(0.6) else "没有")
    event = predicate(ctx, frame, style="that", subject=subject).under(tree).under(still)
    mood = Mood("present", "perfect", negation=(no,))
    return _simple(subject, event.then(say("yet", yet)), mood)


def just(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """刚 V 了 O: done a moment ago."""
    tree, leaf = adverb("刚" if ctx.rng.chance(0.5) else "刚刚")
    aspect = Leaf("AS", "了") if takes_aspect(frame) else None
    event = predicate(ctx, frame, aspect=aspect, style="some", subject=subject).under(tree)
    adverbial = say("just", leaf)
    wordings = (
        PredicateWording(event.verbals, Mood("present", "perfect", adverb=adverbial)),
        PredicateWording(event.verbals, Mood("past", adverb=adverbial)),
    )
    return Clause(subject, event.vp, wordings)


def stative(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """喜欢, 认识, 住 在: a state, or with 不 its negation."""
    affirmed = frame.id in ("live", "work.at", "study.at") or ctx.rng.chance(0.7)
    new = "new" in frame.classes
    style: Style = "the" if affirmed or not new else "kind"
    event = predicate(ctx, frame, style=style, subject=subject)
    if affirmed:
        if not ctx.rng.chance(0.3):
            return _simple(subject, event, Mood("present"))
        tree, leaf = adverb("也")
        wordings = (
            PredicateWording(event.verbals, Mood("present", adverb=say("also", leaf))),
            PredicateWording(event.then(say(", too", leaf)).verbals, Mood("present")),
        )
        return Clause(subject, event.under(tree).vp, wordings)
    tree, leaf = adverb("不")
    return _simple(subject, event.under(tree), Mood("present", negation=(leaf,)))


def placed(ctx: Context, frame: Frame, event: Predicate, chance: float = 0.45) -> Predicate:
    """The event, with probability `chance` at one of the places of its frame."""
    if not frame.places or not ctx.rng.chance(chance):
        return event
    return event.at(spot(ctx, frame.places))


def starts_with_at(event: Predicate) -> bool:
    return next(event.vp.leaves()).word == "在"


def _simple(subject: Nominal, event: Predicate, mood: Mood) -> Clause:
    return Clause(subject, event.vp, (PredicateWording(event.verbals, mood),))


def _clause(
    ctx: Context, subject: Nominal, event: Predicate, mood: Mood, time: Phrase | None
) -> Clause:
    return replace(
        _simple(subject, event, mood), time=time, early=time is not None and ctx.rng.chance(0.4)
    )
