"""Longer sentences: parallel clauses, purposes, linked clauses in reports, heavy subjects."""

from __future__ import annotations

from collections.abc import Sequence

from . import events
from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .events import governed, placed
from .lexicon import Situation
from .links import SCHOOL, Parts, although_parts, because_parts, condition_parts, scholar
from .people import (
    Nominal,
    echo,
    individual,
    named,
    other,
    person,
    pronoun,
    refer,
    relative,
    titled,
)
from .predicates import adjectival, predicate
from .relatives import doing_person
from .statements import errand_clause, event
from .times import when, worded
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal, any_form, chain
from .wording import alt, prefer, say, seq


def parallel(ctx: Context) -> Phrase:
    """我 喜欢 打 篮球 ， 我 弟弟 喜欢 游泳: two people and what each does."""
    first, second = _two(ctx)
    kind = ctx.rng.pick({"like": 3, "did": 3, "now": 2})
    one, two = (_act(ctx, who, kind) for who in (first, second))
    if one.vp.bracketed() == two.vp.bracketed():
        return parallel(ctx)
    two = two.timed(None)
    comma, stop = Leaf("PU", "，"), Leaf("PU", "。")
    tree = node("IP", one.tree(), comma, two.tree(), stop)
    target = seq(one.target(), say(",", comma), say("and|while"), two.target())
    return Phrase(tree, seq(target, say(".", stop)))


def _two(ctx: Context) -> tuple[Nominal, Nominal]:
    first = pronoun("I") if ctx.rng.chance(0.5) else named(ctx)
    second = relative(ctx, pronoun("I")) if first.who == "I" else named(ctx)
    same = first.tree.bracketed() == second.tree.bracketed()
    return _two(ctx) if same else (first, second)


def _act(ctx: Context, who: Nominal, kind: str) -> Clause:
    if kind == "like":
        verb, frame = Leaf("VV", "喜欢"), ctx.frame("hobby")
        done = placed(ctx, frame, predicate(ctx, frame, style="any"), 0.3)
        verbals = chain("like to|like -ing|enjoy -ing", (verb,), done.verbals)
        return Clause(who, node("VP", verb, done.vp), (PredicateWording(verbals, Mood()),))
    if kind == "now":
        return event(ctx, who, "progressive").timed(None)
    clause = errand_clause(ctx, who)
    while clause.wordings[0].mood.tense != "past":
        clause = errand_clause(ctx, who)
    return clause


def purpose(ctx: Context) -> Phrase:
    """为了 通过 考试 ， 他 每天 晚上 在 图书馆 学习."""
    rows = ctx.lexicon.situations
    subject = person(ctx)
    learns = scholar(subject)
    goals = [row for row in rows if row.role == "goal" and (learns or row.event not in SCHOOL)]
    goal = ctx.rng.choice(goals)
    means = ctx.rng.choice([r for r in rows if r.role == "means" and r.theme == goal.theme])
    wanted = predicate(ctx, ctx.lexicon.frame(goal.event), subject=subject)
    main = _means(ctx, subject, means)
    for_, comma, stop = Leaf("P", "为了"), Leaf("PU", "，"), Leaf("PU", "。")
    tree = node("IP", node("PP", for_, node("IP", wanted.vp)), comma, *main.parts(), stop)
    aim = seq(say("to|in order to", for_), any_form(wanted.verbals, "base"))
    target = alt(seq(aim, say(",", comma), main.target(front=False)), seq(main.target(), aim))
    return Phrase(tree, seq(target, say(".", stop)))


def _means(ctx: Context, subject: Nominal, row: Situation) -> Clause:
    """What is done to reach the goal: regularly, or as a plan."""
    frame = ctx.lexicon.frame(row.event)
    done = predicate(ctx, frame, style="any", subject=subject)
    if row.mode == "will":
        helper = Leaf("VV", ctx.rng.choice(("打算", "决定", "准备")))
        if helper.word == "决定":
            way = PredicateWording(chain("decide to", (helper,), done.verbals), Mood("past"))
        else:
            way = governed(helper, done.verbals, Mood())
        return Clause(subject, done.under(helper).vp, (way,))
    done = placed(ctx, frame, done, 0.6)
    commute = frame.id.endswith((".work", ".subway"))
    time = worded(ctx, "commute" if commute else row.mode)
    return Clause(subject, done.vp, (PredicateWording(done.verbals, Mood()),), time)


def heard(ctx: Context) -> Phrase:
    """我 听说 因为 … ， 所以 …: a reason inside a report."""
    subject = named(ctx) if ctx.rng.chance(0.6) else titled(ctx)
    rule = because_parts if ctx.rng.chance(0.6) else although_parts
    if ctx.rng.chance(0.5):
        speaker = _known_person(ctx) if ctx.rng.chance(0.5) else subject
        return _told(ctx, speaker, rule(ctx, refer(speaker), scholar(speaker)))
    children, inner = rule(ctx, subject)
    knower = pronoun(ctx.rng.choice(("I", "we")))
    verb = Leaf("VV", "听说")
    vp = node("VP", verb, _pause(children), node("IP", *children))
    hear = Verbal("hear", (verb,), seq(say("that"), inner))
    return sentence(Clause(knower, vp, (PredicateWording((hear,), Mood("past")),)))


def _pause(children: Sequence[Tree | Leaf]) -> Leaf | None:
    """A comma if the reported clause begins with 因为 or 如果 rather than with a person."""
    first = children[0]
    return Leaf("PU", "，") if isinstance(first, Tree) and first.label in ("PP", "CP") else None


def _told(ctx: Context, speaker: Nominal, parts: Parts) -> Phrase:
    """小明 告诉 我们 因为 他 …."""
    children, inner = parts
    verb, hearer = Leaf("VV", "告诉"), other(ctx, speaker)
    time = when(ctx, "past", ("soon",)) if ctx.rng.chance(0.3) else None
    vp = node("VP", verb, hearer.tree, Leaf("PU", "，"), node("IP", *children))
    told = Verbal("tell", (verb,), seq(hearer.target, say("that"), inner))
    clause = Clause(speaker, vp, (PredicateWording((told,), Mood("past")),), time)
    if time is None:
        return sentence(clause)
    stop = Leaf("PU", "。")
    front = seq(time.target, say(","), clause.timed(None).target())
    return Phrase(node("IP", *clause.parts(), stop), seq(front, say(".", stop)))


def warned(ctx: Context) -> Phrase:
    """老师 说 如果 … ， 就 …: a condition inside a report."""
    heavy_ = ctx.rng.chance(0.4)
    speaker = _known_person(ctx) if heavy_ else ctx.rng.choice((named, titled, relative))(ctx)
    hearer = pronoun(ctx.rng.choice(("we", "you", "you")))
    children, inner = condition_parts(ctx, hearer, reported=True)
    verb = Leaf("VV", ctx.rng.choice(("说", "觉得", "认为")))
    english = "say" if verb.word == "说" else "think"
    rest = seq(say("that"), inner)
    way = PredicateWording((Verbal(english, (verb,), rest),), Mood())
    vp = node("VP", verb, _pause(children), node("IP", *children))
    return sentence(Clause(speaker, vp, (way,)))


def heavy(ctx: Context) -> Phrase:
    """住 在 北京 的 那 个 医生 昨天 买 了 …: a subject with a relative clause."""
    subject = _known_person(ctx)
    clause = event(ctx, subject, "completed", "habitual", "experienced", "modal")
    return sentence(clause) if clause.time is None else heavy(ctx)


def _known_person(ctx: Context) -> Nominal:
    return doing_person(ctx, ctx.noun("role", "young"), settled=True)


def contrast(ctx: Context) -> Phrase:
    """他 想 去 北京 旅行 ， 但是 他 没有 时间: a wish and an obstacle."""
    subject = individual(ctx)
    kind = ctx.rng.choice(("时间", "钱", "忙", "累"))
    wish = events.wish(ctx, subject, ctx.frame({"钱": "costly", "累": "active"}.get(kind, "dream")))
    again = echo(subject) if ctx.rng.chance(0.65) else refer(subject)
    obstacle = _obstacle(ctx, again, kind)
    comma, stop = Leaf("PU", "，"), Leaf("PU", "。")
    but = Leaf("AD", ctx.rng.choice(("但是", "可是", "不过")))
    tree = node("IP", wish.tree(), comma, node("IP", node("ADVP", but), *obstacle.parts()), stop)
    target = seq(wish.target(), say(",", comma), say("but", but), obstacle.target())
    although_ = seq(say("although", but), wish.target(), say(",", comma), obstacle.target())
    return Phrase(tree, seq(prefer(target, although_), say(".", stop)))


def _obstacle(ctx: Context, subject: Nominal, kind: str) -> Clause:
    """没 有 时间, 没 有 钱, 太 忙 了, 太 累 了."""
    if kind in ("忙", "累"):
        done = adjectival(ctx, kind, "太")
        return Clause(
            subject, done.vp, (PredicateWording(done.verbals, Mood()),), final=Leaf("SP", "了")
        )
    no, leaf = Leaf("VE", "没有"), Leaf("NN", kind)
    words = say("time" if kind == "时间" else "money", leaf)
    vp = node("VP", no, node("NP", leaf))
    wordings = (
        PredicateWording(
            (Verbal("have", (no,), seq(say("any", no), words)),), Mood(negation=(no,))
        ),
        PredicateWording((Verbal("have", (no,), seq(say("no", no), words)),), Mood()),
    )
    return Clause(subject, vp, wordings)
