"""Linked clauses: because, although and if join situations of one theme, and so make sense."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, Way
from .context import Context, Phrase
from .events import governed
from .lexicon import Frame, Situation
from .people import Nominal, person, pronoun, refer, simple
from .predicates import Predicate, adjectival, adverb, predicate, takes_aspect
from .things import Style
from .times import worded
from .trees import Leaf, Tree, grow, node
from .verbs import Mood, chain
from .wording import Target, alt, prefer, render, say, seq

IT = simple(node("NP"), say("it"), "it")
TRAFFIC = simple(node("NP"), say("there"), "it")

Parts = tuple[list[Tree | Leaf], Target]


def because(ctx: Context) -> Phrase:
    return closed(because_parts(ctx, person(ctx)))


def although(ctx: Context) -> Phrase:
    return closed(although_parts(ctx, person(ctx)))


def condition(ctx: Context) -> Phrase:
    who = pronoun(ctx.dice.choice(("you", "you", "I", "we", "he", "she")))
    return closed(condition_parts(ctx, who))


def closed(parts: Parts) -> Phrase:
    """The linked clauses with a full stop."""
    children, target = parts
    stop = Leaf("PU", "。")
    return Phrase(node("IP", *children, stop), seq(target, say(".", stop)))


def because_parts(ctx: Context, subject: Nominal) -> Parts:
    """因为 … ， 所以 …."""
    subject, cause, result = _pair(ctx, "result", subject)
    why, comma, so = Leaf("P", "因为"), Leaf("PU", "，"), Leaf("AD", "所以")
    said = [node("ADVP", so)] if ctx.dice.chance(0.7) else []
    children = [node("PP", why, cause.tree()), comma, *said, *result.parts()]
    forward = seq(
        say("because|since|as", why), cause.target(front=False), say(",", comma), result.target()
    )
    backward = seq(_named(result, subject), say("because", why), _again(cause, result))
    therefore = seq(
        cause.target(), say(",", comma), say("so", so if said else why), result.target()
    )
    return children, alt(forward, backward, therefore)


def although_parts(ctx: Context, subject: Nominal) -> Parts:
    """虽然 … ， 但是 …."""
    subject, cause, result = _pair(ctx, "despite", subject)
    though, comma = Leaf("CS", "虽然"), Leaf("PU", "，")
    but = Leaf("AD", ctx.dice.choice(("但是", "可是")))
    children = [node("CP", though, cause.tree()), comma, node("ADVP", but), *result.parts()]
    word = say("although|though|even though", though)
    forward = seq(word, cause.target(front=False), say(",", comma), result.target())
    contrast = seq(cause.target(), say(",", comma), say("but", but), result.target())
    backward = seq(_named(result, subject), word, _again(cause, result))
    return children, alt(forward, contrast, backward)


def condition_parts(ctx: Context, subject: Nominal) -> Parts:
    """如果 … ， 就 …."""
    _, cause, result = _pair(ctx, "advice", subject)
    if_, comma = Leaf("CS", ctx.dice.choice(("如果", "要是"))), Leaf("PU", "，")
    children = [node("CP", if_, cause.tree()), comma, *result.parts()]
    clause = seq(say("if", if_), cause.target(front=False))
    forward = seq(clause, say(",", comma), result.target())
    return children, prefer(forward, seq(result.target(), clause))


def _pair(ctx: Context, role: str, subject: Nominal) -> tuple[Nominal, Clause, Clause]:
    """A cause and what goes with it, from one theme."""
    rows = ctx.lexicon.situations
    outcome = ctx.dice.choice([row for row in rows if row.role == role])
    causes = [row for row in rows if row.theme == outcome.theme and row.role == "cause"]
    cause = ctx.dice.choice(causes)
    if outcome.mode == "dont":
        subject = pronoun("you")
    conditional = role == "advice"
    first = situation(ctx, cause, subject, role)
    again = subject if cause.subject != "same" else refer(subject)
    second = advice(ctx, outcome, again) if conditional else consequence(ctx, outcome, again)
    return subject, first, second


def _named(result: Clause, subject: Nominal) -> Target:
    """The second clause said first in English: there the person gets the full name."""
    return replace(result, subject=subject).target()


def _again(cause: Clause, result: Clause) -> Target:
    """The first clause said second: there a pronoun will do."""
    personal = cause.subject.who != "it" and cause.subject.who == result.subject.who
    return (replace(cause, subject=result.subject) if personal else cause).target(front=False)


def situation(ctx: Context, row: Situation, subject: Nominal, role: str) -> Clause:
    """A cause: past in a report, present in a condition."""
    conditional, despite = role == "advice", role == "despite"
    tense = Mood("present") if conditional else Mood("past")
    doer, place = _subject(row, subject)
    if row.event.startswith("is:"):
        too = row.mode == "too" and not conditional and not despite
        done = adjectival(ctx, row.event[3:], "太" if too else "很")
        return Clause(
            doer, done.vp, (Way(done.verbals, tense),), final=Leaf("SP", "了") if too else None
        )
    frame = ctx.lexicon.frame(row.event)
    if row.mode == "not":
        tree, leaf = adverb("没")
        done = predicate(ctx, frame, style="that", subject=subject).under(tree)
        if conditional and row.event in ("breakfast", "review"):
            tense = Mood("present", "perfect")
        return Clause(doer, done.vp, (Way(done.verbals, replace(tense, negation=(leaf,))),))
    clause = _finished(ctx, frame, doer, conditional and frame.kind not in ("change", "event"))
    clause = replace(clause, ways=tuple(Way(way.verbals, tense) for way in clause.ways))
    if place is not None:
        clause = replace(clause, vp=node("VP", place, clause.vp))
    if doer is IT:
        time = worded(ctx, "future" if conditional else "past")
        return clause.timed(time) if ctx.dice.chance(0.7) else clause
    return clause


def _subject(row: Situation, subject: Nominal) -> tuple[Nominal, Tree | None]:
    if row.subject == "same":
        return subject, None
    if row.subject == "it":
        return IT, None
    brackets, _, english = row.subject.partition("=")
    tree = grow(brackets)
    if english == "there":
        return TRAFFIC, tree
    who = "they" if english == "things" else "it"
    return simple(tree, render(english, tuple(tree.leaves()), {}), who), None


def _finished(ctx: Context, frame: Frame, subject: Nominal, bare: bool = False) -> Clause:
    """V 了 O, or V O 了 where the verb cannot take 了; `bare` leaves 了 out."""
    inside = takes_aspect(frame) and frame.kind != "change" and not bare
    aspect = Leaf("AS", "了") if inside else None
    done = predicate(ctx, frame, aspect=aspect, style="some", subject=subject)
    final = Leaf("SP", "了") if not inside and not bare and frame.kind != "state" else None
    return Clause(subject, done.vp, (Way(done.verbals, Mood("past")),), final=final)


def consequence(ctx: Context, row: Situation, subject: Nominal) -> Clause:
    """What happened then, or all the same (还是)."""
    still = row.role == "despite"
    if row.event.startswith("is:"):
        done = adjectival(ctx, row.event[3:])
        return Clause(subject, done.vp, (Way(done.verbals, Mood("past")),))
    frame = ctx.lexicon.frame(row.event)
    if row.mode == "not":
        tree, leaf = adverb("没" if "(VE 有)" in frame.source or ctx.dice.chance(0.5) else "没有")
        done = predicate(ctx, frame, style="that", subject=subject).under(tree)
        return Clause(subject, done.vp, (Way(done.verbals, Mood("past", negation=(leaf,))),))
    if row.mode == "will" and not still:
        tree, leaf = adverb("只好")
        done = predicate(ctx, frame, style="the", subject=subject)
        had_to = chain("have to", (leaf,), done.verbals)
        return Clause(subject, done.under(tree).vp, (Way(had_to, Mood("past")),))
    clause = _finished(ctx, frame, subject, bare=row.mode in ("will", "plain"))
    if not still:
        return clause
    tree, leaf = adverb("还是")
    mood = Mood("past", adverb=say("still", leaf))
    return replace(
        clause, vp=node("VP", tree, clause.vp), ways=(Way(clause.ways[0].verbals, mood),)
    )


def advice(ctx: Context, row: Situation, subject: Nominal) -> Clause:
    """就 应该, 就 可以, 就 不要, 就 会: what to do or to expect."""
    frame = ctx.lexicon.frame(row.event)
    style: Style = "any" if row.mode == "dont" else "the"
    style = "some" if row.event in ("eat", "drink") else style
    done = predicate(ctx, frame, style=style, subject=subject)
    then, _ = adverb("就")
    if row.mode == "dont":
        helper = Leaf("AD", "不要")
        vp = node("VP", then, node("VP", node("ADVP", helper), done.vp))
        return _imperative(subject, vp, done, helper)
    if row.mode == "cannot":
        tree, no = adverb("不")
        helper = Leaf("VV", "能")
        vp = node("VP", then, node("VP", tree, node("VP", helper, done.vp)))
        mood = Mood(modal="can", helper=(helper,), negation=(no,))
        return Clause(subject, vp, (Way(done.verbals, mood),))
    helper = Leaf("VV", {"should": "应该", "can": "可以", "will": "会"}[row.mode])
    if row.event in ("pass.exam", "good.grades"):
        helper = Leaf("VV", ctx.dice.choice(("能", "会")))
    vp = node("VP", then, node("VP", helper, done.vp))
    if helper.word == "会":
        return Clause(subject, vp, (Way(done.verbals, Mood("future", helper=(helper,))),))
    modal = {"应该": "should", "可以": "can", "能": "can"}[helper.word]
    ways = [Way(done.verbals, Mood(modal=modal, helper=(helper,)))]
    if helper.word == "能":
        ways = [Way(governed(helper, done.verbals, Mood()).verbals, Mood("future"))]
    return Clause(subject, vp, tuple(ways))


def _imperative(subject: Nominal, vp: Tree, done: Predicate, helper: Leaf) -> Clause:
    """`do not go`, and also `you should not go`, since Chinese may keep the subject."""
    dont = Mood(modal="should", negation=(helper,))
    return Clause(subject, vp, (Way(done.verbals, dont),))
