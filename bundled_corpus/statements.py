"""Plain statements: who did, does or will do what, when and where."""

from __future__ import annotations

from collections.abc import Callable

from . import events
from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .lexicon import Frame
from .people import Nominal, definite, person
from .predicates import Given, Predicate, adverb, predicate, takes_aspect
from .relatives import bought_thing, doing_person
from .things import Style
from .times import hour_of_day, when
from .trees import Leaf, node
from .verbs import Form, Mood, Verbal, Verbals, chain
from .where import Spot, destination
from .wording import say, seq

Kind = Callable[[Context, Nominal, Frame], Clause]
# Kind of event: rule, weight, uses and kinds of the frames that fit it.
KINDS: dict[str, tuple[Kind, float, tuple[str, ...], tuple[str, ...]]] = {
    "completed": (events.completed, 30, ("free",), ("act", "done", "event")),
    "negated": (events.negated, 7, ("free",), ("act", "done", "event")),
    "experienced": (events.experienced, 7, ("guo",), ("act", "done", "pursuit")),
    "progressive": (events.progressive, 10, ("free",), ("act", "pursuit", "ongoing")),
    "habitual": (events.habitual, 10, ("hobby", "ride"), ("act", "done", "pursuit")),
    "future": (events.future, 14, ("free",), ("act", "done", "pursuit")),
    "expected": (events.expected, 2, ("hope",), ("act", "done", "pursuit", "event")),
    "modal": (events.modal, 12, ("free",), ("act", "done", "pursuit", "ongoing")),
    "already": (events.already, 4, ("free",), ("done", "event")),
    "not_yet": (events.not_yet, 4, ("free",), ("done", "event")),
    "just": (events.just, 3, ("free",), ("done", "event")),
    "stative": (events.stative, 7, ("free",), ("state",)),
}

# Daily events: part of the day, earliest and latest hour.
HOURS = {
    "get.up": ("早上", 6, 7), "breakfast": ("早上", 7, 8), "go.work": ("早上", 7, 8),
    "begin.class": ("上午", 8, 10), "off.work": ("下午", 5, 5), "go.home": ("下午", 5, 5),
    "dinner": ("晚上", 6, 7), "go.bed": ("晚上", 9, 11),
}  # fmt: skip


def event(ctx: Context, subject: Nominal, *kinds: str) -> Clause:
    """A clause of one of the kinds, or of any."""
    names = kinds or tuple(KINDS)
    name = ctx.rng.weighted(names, [KINDS[kind][1] for kind in names])
    rule, _, uses, allowed = KINDS[name]
    return rule(ctx, subject, fitting(ctx, uses, allowed))


def fitting(ctx: Context, uses: tuple[str, ...], kinds: tuple[str, ...]) -> Frame:
    frame = ctx.frame(*uses)
    while frame.kind not in kinds:
        frame = ctx.frame(*uses)
    return frame


def plain(ctx: Context) -> Phrase:
    return sentence(event(ctx, person(ctx)))


def at_work(ctx: Context) -> Phrase:
    """那 位 医生 昨天 做 了 一 个 手术: what people of a trade do."""
    trade, names = ctx.rng.choice(list(ctx.lexicon.trades.items()))
    noun = ctx.lexicon.noun(trade)
    if noun.held and ctx.held_weight == 0:
        return at_work(ctx)
    heavy = ctx.rng.chance(0.25)
    subject = doing_person(ctx, noun, settled=True) if heavy else definite(ctx, noun)
    frame = ctx.lexicon.frame(ctx.rng.choice(names))
    kinds = [
        kind
        for kind in ("completed", "progressive", "future", "already", "negated")
        if frame.kind in KINDS[kind][3]
    ]
    kind = ctx.rng.weighted(kinds, [KINDS[kind][1] for kind in kinds])
    return sentence(KINDS[kind][0](ctx, subject, frame))


def daily(ctx: Context) -> Phrase:
    """我 每天 早上 七点 起床."""
    return sentence(daily_clause(ctx, person(ctx)), front=False)


def daily_clause(ctx: Context, subject: Nominal) -> Clause:
    frame = ctx.frame("clock")
    hour = hour_of_day(ctx, *HOURS[frame.id])
    done = predicate(ctx, frame)
    every = Leaf("NT", "每天")
    usual = ctx.rng.chance(0.5)
    time = Phrase(node("NP", every, *hour.tree.children), seq(hour.target, say("every day", every)))
    if usual:
        tree, leaf = adverb(ctx.rng.choice(("一般", "通常")))
        done = done.under(hour.tree).under(tree)
        verbals = tuple(verbal.then(hour.target) for verbal in done.verbals)
        return Clause(
            subject,
            done.vp,
            (PredicateWording(verbals, Mood("present", adverb=say("usually", leaf))),),
        )
    return Clause(subject, done.vp, (PredicateWording(done.verbals, Mood("present")),), time)


def errand(ctx: Context) -> Phrase:
    return sentence(errand_clause(ctx, person(ctx)))


def errand_clause(ctx: Context, subject: Nominal, use: str = "go") -> Clause:
    """去 图书馆 借 书: going somewhere to do something, in the past, as a plan or as a habit."""
    frame = ctx.frame(use)
    while not frame.places:
        frame = ctx.frame(use)
    where = destination(ctx, frame.places)
    usual = 2.0 * (not frame.id.startswith("buy.") or frame.id == "buy.food")
    kind = ctx.rng.pick({"past": 4, "future": 3, "habit": usual, "modal": 2})
    go = Leaf("VV", "去")
    aspect = Leaf("AS", "了") if kind == "past" and takes_aspect(frame) else None
    style: Style = {"habit": "any", "past": "some"}.get(kind, "one")  # type: ignore[assignment]
    if frame.id == "see.zoo":
        style = "any"
    inner = events.ongoing(predicate(ctx, frame, aspect=aspect, style=style, subject=subject))
    vp = node("VP", go, where.tree, inner.vp)
    if aspect is not None:
        # Both were done: `went to the library and borrowed a book`.
        done = Predicate(vp, _going(go, where, "and", inner, "past"))
    else:
        done = Predicate(vp, _going(go, where, "to", inner, "base"))
    return _errand_in_time(ctx, subject, frame, done, kind)


def _going(go: Leaf, where: Spot, link: str, inner: Predicate, form: Form) -> Verbals:
    """Going to the place, joined to what is done there."""
    return tuple(
        Verbal("go", (go,), seq(where.goal, say(link), verbal.form(form)))
        for verbal in inner.verbals
    )


def _errand_in_time(
    ctx: Context, subject: Nominal, frame: Frame, done: Predicate, kind: str
) -> Clause:
    """The errand as something past, usual, wished for or planned."""
    if kind == "past":
        final = None if takes_aspect(frame) else Leaf("SP", "了")
        way, time = PredicateWording(done.verbals, Mood("past")), when(ctx, "past", frame.classes)
        return Clause(subject, done.vp, (way,), time, ctx.rng.chance(0.4), final)
    if kind == "habit":
        tree, leaf = adverb(ctx.rng.choice(("常常", "经常")))
        mood = Mood("present", adverb=say("often", leaf))
        return Clause(subject, done.under(tree).vp, (PredicateWording(done.verbals, mood),))
    if kind == "modal":
        return events.with_modal(subject, done, ctx.rng.choice(("想", "打算")), False)
    helper = Leaf("VV", "要")
    wordings = (
        PredicateWording(done.verbals, Mood("future", helper=(helper,))),
        events.governed(helper, done.verbals, Mood("present")),
    )
    time = when(ctx, "future", frame.classes)
    return Clause(subject, done.under(helper).vp, wordings, time, ctx.rng.chance(0.4))


def with_relative(ctx: Context) -> Phrase:
    """A statement whose object has a relative clause, and sometimes its subject too."""
    heavy = ctx.rng.chance(0.25)
    subject = doing_person(ctx, ctx.noun("trade"), settled=True) if heavy else person(ctx)
    return sentence(relative_statement(ctx, subject))


def relative_statement(ctx: Context, subject: Nominal) -> Clause:
    """吃 了, 想 看, 很 喜欢 a thing that somebody bought or made."""
    frame = ctx.frame("rich")
    obj = bought_thing(ctx, ctx.noun(*frame.slots["OBJ"]), ("made",), frame.source)
    if obj is None:
        return relative_statement(ctx, subject)
    given: Given = {"OBJ": obj}
    kind = ctx.rng.pick({"past": 4, "want": 3, "like": 3, "now": 2})
    if kind == "past":
        return events.completed(ctx, subject, frame, given)
    if kind == "like":
        return liking(ctx, subject, obj)
    done = predicate(ctx, frame, given=given)
    if kind == "now":
        return _progressive(subject, done)
    word = ctx.rng.choice(("想", "打算"))
    return events.with_modal(subject, done, word, ctx.rng.chance(0.3))


def _progressive(subject: Nominal, done: Predicate) -> Clause:
    tree, leaf = adverb("正在")
    mood = Mood("present", "progressive", helper=(leaf,))
    return Clause(subject, done.under(tree).vp, (PredicateWording(done.verbals, mood),))


def liking(ctx: Context, subject: Nominal, obj: Nominal) -> Clause:
    """喜欢, 不 喜欢, 很 喜欢 something."""
    verb = Leaf("VV", "喜欢")
    vp = node("VP", verb, obj.tree)
    kind = ctx.rng.pick({"very": 3, "not": 2, "plain": 2})
    if kind == "very":
        tree, leaf = adverb(ctx.rng.choice(("很", "非常", "特别")))
        love = Verbal("love", (leaf, verb), obj.target)
        really = PredicateWording(
            (Verbal("like", (verb,), obj.target),), Mood(adverb=say("really", leaf))
        )
        return Clause(subject, node("VP", tree, vp), (PredicateWording((love,), Mood()), really))
    verbals = (Verbal("like", (verb,), obj.target),)
    if kind == "not":
        tree, leaf = adverb("不")
        mood = Mood("present", negation=(leaf,))
        return Clause(subject, node("VP", tree, vp), (PredicateWording(verbals, mood),))
    return Clause(subject, vp, (PredicateWording(verbals, Mood("present")),))


def hobby(ctx: Context) -> Phrase:
    """他 喜欢 在 公园 跑步."""
    subject = person(ctx)
    verb = Leaf("VV", "喜欢")
    frame = ctx.frame("hobby")
    done = events.placed(ctx, frame, predicate(ctx, frame, style="any"), 0.3)
    tree, leaf = adverb("不") if ctx.rng.chance(0.25) else adverb("很")
    links = "like to|like -ing" if leaf.word == "不" else "like to|like -ing|enjoy -ing"
    verbals = chain(links, (verb,), done.verbals)
    vp = node("VP", verb, done.vp)
    negation = (leaf,) if leaf.word == "不" else ()
    if leaf.word == "不" or ctx.rng.chance(0.4):
        vp = node("VP", tree, vp)
    way = PredicateWording(verbals, Mood("present", negation=negation))
    return sentence(Clause(subject, vp, (way,)))


def acquaintance(ctx: Context) -> Phrase:
    """我 认识 那 个 正在 唱 歌 的 女孩."""
    subject = person(ctx)
    obj = doing_person(ctx, ctx.noun("role", "young"))
    verb = Leaf("VV", "认识")
    no = ctx.rng.chance(0.4)
    tree, leaf = adverb("不")
    vp = node("VP", verb, obj.tree)
    way = PredicateWording(
        (Verbal("know", (verb,), obj.target),), Mood("present", negation=(leaf,) if no else ())
    )
    return sentence(Clause(subject, node("VP", tree, vp) if no else vp, (way,)))
