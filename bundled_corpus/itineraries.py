"""Two errands in one day: plainly stated, after work, or in reported speech."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .events import ongoing
from .links import Parts, closed, retired, scholar
from .people import Nominal, individual, named, other, person, refer, titled
from .predicates import Predicate, predicate, takes_aspect
from .relatives import doing_person
from .sequences import finished_doing
from .things import Style
from .times import weekday, worded
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal, any_form
from .where import destination
from .wording import EMPTY, Loose, alt, say, seq


def first_then(ctx: Context) -> Phrase:
    """我们 先 去 银行 取 钱 ， 然后 去 商店 买 东西."""
    past = ctx.rng.chance(0.5)
    time = _day(ctx, "past" if past else "future")
    return closed(_itinerary(ctx, person(ctx), past, time))


def told_itinerary(ctx: Context) -> Phrase:
    """小明 告诉 我们 ， 他 昨天 先 去 银行 取 钱 ， 然后 …."""
    known = doing_person(ctx, ctx.noun("role"), settled=True)
    speaker = known if ctx.rng.chance(0.3) else ctx.rng.choice((named, titled))(ctx)
    past = ctx.rng.chance(0.6)
    time = _day(ctx, "past" if past else "future")
    children, inner = _itinerary(ctx, refer(speaker), past, time, reported=True)
    verb = Leaf("VV", "告诉" if ctx.rng.chance(0.6) else "说")
    hearer = other(ctx, speaker) if verb.word == "告诉" else None
    whom = hearer.target if hearer else EMPTY
    vp = node("VP", verb, hearer.tree if hearer else None, Leaf("PU", "，"), node("IP", *children))
    told = Verbal("tell" if hearer else "say", (verb,), seq(whom, say("that"), inner))
    return sentence(Clause(speaker, vp, (PredicateWording((told,), Mood("past")),)))


def after_then(ctx: Context) -> Phrase:
    """昨天 下班 以后 ， 他 先 去 …, 然后 去 …."""
    subject, past = individual(ctx), ctx.rng.chance(0.5)
    kind = ctx.rng.pick({"work": 3.0 * (not retired(subject)), "class": 2.0 * scholar(subject),
                          "lunch": 2})  # fmt: skip
    opening, verbals = finished_doing(kind)
    time = worded(ctx, "day-past" if past else "day-future")
    later, comma = Leaf("LC", ctx.rng.choice(("以后", "之后"))), Leaf("PU", "，")
    children, inner = _itinerary(ctx, subject, past, None)
    tree = node("LCP", node("IP", time.tree, opening), later)
    start = seq(say("after", later), any_form(verbals, "gerund"), Loose(time.target))
    return closed(([tree, comma, *children], seq(start, say(",", comma), inner)))


def _itinerary(
    ctx: Context, subject: Nominal, past: bool, time: Phrase | None, *, reported: bool = False
) -> Parts:
    """先 去 A ， 然后 去 B: two errands on one day."""
    one, two = _trip(ctx), _trip(ctx, past=past)
    while _errand(one) == _errand(two):
        two = _trip(ctx, past=past)
    first, then, comma = Leaf("AD", "先"), Leaf("AD", "然后"), Leaf("PU", "，")
    helper = None if past else Leaf("VV", "要")
    vp = node("VP", node("ADVP", first), one.vp)
    if helper is not None:
        vp = node("VP", helper, vp)
    mood = Mood("past") if past else Mood("future", helper=(helper,) if helper else ())
    way = PredicateWording(one.verbals, replace(mood, adverb=say("first", first)))
    clause = Clause(subject, vp, (way,), time, early=not reported)
    plain = clause.timed(None)
    plain = plain.shifted() if reported and not past else plain
    second = any_form(two.verbals, "past" if past else "base")
    children: list[Tree | Leaf] = [
        node("IP", *clause.parts()),
        comma,
        node("ADVP", then),
        node("IP", two.vp),
    ]
    core_ = seq(plain.target(), say(",", comma), say("and then|then", then), second)
    if time is None:
        return children, core_
    day = Loose(time.target)
    plain_day = seq(day, core_)
    return children, plain_day if reported else alt(seq(day, say(","), core_), plain_day)


def _errand(trip: Predicate) -> str:
    """The word after 去 and the place: the verb of the errand."""
    return [leaf.word for leaf in trip.vp.leaves()][2]


def _day(ctx: Context, tense: str) -> Phrase:
    """A time that is long enough for two errands."""
    return weekday(ctx, tense) if ctx.rng.chance(0.3) else worded(ctx, f"trip-{tense}")


def _trip(ctx: Context, *, past: bool = False) -> Predicate:
    """去 商店 买 东西; with `past`, the last verb takes 了."""
    frame = ctx.frame("go")
    while not frame.places or "meal" in frame.classes or frame.id == "eat.out":
        frame = ctx.frame("go")
    where, go = destination(ctx, frame.places), Leaf("VV", "去")
    aspect = Leaf("AS", "了") if past and takes_aspect(frame) else None
    style: Style = "any" if frame.id == "see.zoo" else "some" if past else "one"
    inner = ongoing(predicate(ctx, frame, aspect=aspect, style=style))
    vp = node("VP", go, where.tree, inner.vp)
    return Predicate(
        vp,
        tuple(
            Verbal("go", (go,), seq(where.goal, say("to"), v.form("base"))) for v in inner.verbals
        ),
    )
