"""Linked clauses: because, although and if join plausible situations (`themes.tsv`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypedDict, Unpack

from .clauses import Clause, PredicateWording
from .context import Context, Phrase
from .events import governed
from .lexicon import Frame, Situation
from .people import Nominal, echo, individual, pronoun, refer, simple, unspoken
from .predicates import Predicate, adjectival, adverb, predicate, takes_aspect
from .things import Style
from .times import worded
from .trees import Leaf, Tree, grow, node
from .verbs import Mood, Verbals, chain
from .wording import Target, alt, prefer, render, say, seq

IT = simple(node("NP"), say("it"), "it")
TRAFFIC = simple(node("NP"), say("there"), "it")
PEOPLE = simple(node("NP"), say("there"), "they")

Parts = tuple[list[Tree | Leaf], Target]
# Events that need a student.
SCHOOL = (
    "to.class",
    "pass.exam",
    "good.grades",
    "review",
    "review.well",
    "study.hard",
    "do.homework",
    "understand",
)
# Events that need somebody who works.
WORK = ("to.work", "overtime", "walk.work", "by.subway", "bike.work", "ask.leave", "take.cab",
        "miss.meeting", "finish.report", "keep.working", "find.better")  # fmt: skip
# Events whose English refers back to the first clause with `it`.
TIED = ("see.again", "have.repaired", "rent.this", "rent.other", "to.hospital.him")
# Nouns for people who may be students.
YOUNG = ("学生", "学生们", "同学", "同学们", "弟弟", "妹妹", "儿子", "女儿", "孩子", "男孩", "女孩")


class SlotFilling(TypedDict, total=False):
    """Keywords of `predicate`: how to fill the slots of a frame."""

    aspect: Leaf | None
    style: Style
    subject: Nominal | None


def because(ctx: Context) -> Phrase:
    return closed(because_parts(ctx, individual(ctx)))


def although(ctx: Context) -> Phrase:
    return closed(although_parts(ctx, individual(ctx)))


def condition(ctx: Context) -> Phrase:
    who = pronoun(ctx.rng.choice(("you", "you", "you", "we", "he", "she")))
    return closed(condition_parts(ctx, who))


def closed(parts: Parts) -> Phrase:
    """The linked clauses with a full stop."""
    children, target = parts
    stop = Leaf("PU", "。")
    return Phrase(node("IP", *children, stop), seq(target, say(".", stop)))


def because_parts(ctx: Context, subject: Nominal, student: bool | None = None) -> Parts:
    """因为 … ， 所以 …."""
    subject, cause, result, tied = _pair(ctx, "result", subject, student)
    why, comma, so = Leaf("P", "因为"), Leaf("PU", "，"), Leaf("AD", "所以")
    said = [node("ADVP", so)] if ctx.rng.chance(0.75) else []
    opening, result = _opening(ctx, "PP", why, subject, cause, result)
    children = [*opening, comma, *said, *result.parts()]
    forward = seq(
        say("because|since|as", why), cause.target(front=False), say(",", comma), result.target()
    )
    backward = seq(_named(result, subject), say("because", why), _again(cause, result))
    therefore = seq(
        cause.target(), say(",", comma), say("so", so if said else why), result.target()
    )
    return children, alt(forward, therefore) if tied else alt(forward, backward, therefore)


def although_parts(ctx: Context, subject: Nominal, student: bool | None = None) -> Parts:
    """虽然 … ， 但是 …."""
    subject, cause, result, tied = _pair(ctx, "despite", subject, student)
    though, comma = Leaf("CS", "虽然"), Leaf("PU", "，")
    but = Leaf("AD", ctx.rng.choice(("但是", "可是", "不过")))
    opening, result = _opening(ctx, "CP", though, subject, cause, result)
    children = [*opening, comma, node("ADVP", but), *result.parts()]
    word = say("although|though|even though", though)
    forward = seq(word, cause.target(front=False), say(",", comma), result.target())
    contrast = seq(cause.target(), say(",", comma), say("but", but), result.target())
    backward = seq(_named(result, subject), word, _again(cause, result))
    return children, alt(forward, contrast) if tied else alt(forward, contrast, backward)


def condition_parts(ctx: Context, subject: Nominal, *, reported: bool = False) -> Parts:
    """如果 … ， 就 …."""
    subject, cause, result, tied = _pair(ctx, "advice", subject, reported=reported)
    if_, comma = Leaf("CS", ctx.rng.choice(("如果", "要是"))), Leaf("PU", "，")
    opening, result = _opening(ctx, "CP", if_, subject, cause, result)
    children = [*opening, comma, *result.parts()]
    clause = seq(say("if", if_), cause.target(front=False))
    forward = seq(clause, say(",", comma), result.target())
    return children, forward if tied else prefer(forward, seq(result.target(), clause))


def _opening(
    ctx: Context, label: str, link: Leaf, subject: Nominal, cause: Clause, result: Clause
) -> tuple[list[Tree], Clause]:
    """The first clause and the second, which often drops a subject mentioned in the first."""
    if cause.subject is not subject:
        return [node(label, link, cause.tree())], result
    kind = ctx.rng.pick({"full": 3, "drop": 5.0 * subject.pronoun, "topic": 5})
    if kind != "full":
        result = replace(result, subject=echo(subject))
    if kind != "topic":
        return [node(label, link, cause.tree())], result
    inner = replace(cause, subject=unspoken(subject))
    return [subject.tree, node(label, link, inner.tree())], result


def _pair(
    ctx: Context,
    role: str,
    subject: Nominal,
    student: bool | None = None,
    *,
    reported: bool = False,
) -> tuple[Nominal, Clause, Clause, bool]:
    """Subject, cause and outcome of one theme, and whether the outcome refers to the cause."""
    learns = scholar(subject) if student is None else student
    rows = [row for row in ctx.lexicon.situations if _suits(row, subject, learns, reported)]
    themes = sorted({row.theme for row in rows if row.role == role})
    theme = ctx.rng.choice(
        [t for t in themes if any(row.theme == t and row.role == "cause" for row in rows)]
    )
    outcome = ctx.rng.choice([row for row in rows if (row.theme, row.role) == (theme, role)])
    cause = ctx.rng.choice([row for row in rows if (row.theme, row.role) == (theme, "cause")])
    if outcome.mode == "dont" or outcome.event == "use.mine":
        subject = pronoun("you")
    conditional = role == "advice"
    first = situation(ctx, cause, subject, role)
    again = subject if cause.subject != "same" else refer(subject)
    second = advice(ctx, outcome, again) if conditional else consequence(ctx, outcome, again)
    tied = outcome.event in TIED
    return subject, first, second, tied


def _suits(row: Situation, subject: Nominal, learns: bool, reported: bool) -> bool:
    """Whether the situation is plausible for the person."""
    if row.event in SCHOOL and not learns:
        return False
    if row.event in WORK and retired(subject):
        return False
    if row.theme == "birthday":
        return subject.who in ("I", "we")
    if row.theme == "child":  # `he` could also refer to the child
        return subject.who != "he" or not subject.pronoun
    return not (reported and row.event == "use.mine")


def retired(subject: Nominal) -> bool:
    return any(leaf.word in ("爷爷", "奶奶", "老人") for leaf in subject.tree.leaves())


def scholar(subject: Nominal) -> bool:
    """Whether the person may be a student."""
    return all(leaf.tag != "NN" or leaf.word in YOUNG for leaf in subject.tree.leaves())


def plainly(ctx: Context, frame: Frame, **how: Unpack[SlotFilling]) -> Predicate:
    """The frame filled without adjectives, which might contradict the other clause."""
    done = predicate(ctx, frame, **how)
    while "(JJ" not in frame.source and re.search(r"\(JJ|\(DEC", done.vp.bracketed()):
        done = predicate(ctx, frame, **how)
    return done


def _named(result: Clause, subject: Nominal) -> Target:
    """The second clause when English puts it first: it names the person in full."""
    return replace(result, subject=subject).target()


def _again(cause: Clause, result: Clause) -> Target:
    """The first clause when English puts it second: a pronoun refers to the person."""
    personal = cause.subject.who != "it" and cause.subject.who == result.subject.who
    return (replace(cause, subject=result.subject) if personal else cause).target(front=False)


def situation(ctx: Context, row: Situation, subject: Nominal, role: str) -> Clause:
    """A cause in the past, or in the present if it is a condition."""
    conditional, despite = role == "advice", role == "despite"
    tense = Mood("present") if conditional else Mood("past")
    doer, place = _subject(row, subject)
    if row.event.startswith("is:"):
        too = row.mode == "too" and not conditional and not despite
        done = adjectival(ctx, row.event[3:], "太" if too else "很")
        return Clause(
            doer,
            done.vp,
            (PredicateWording(done.verbals, tense),),
            final=Leaf("SP", "了") if too else None,
        )
    frame = ctx.lexicon.frame(row.event)
    tenses = [tense]
    if role == "result" and frame.kind != "state" and doer not in (IT, TRAFFIC, PEOPLE):
        tenses.append(Mood("past", "perfect"))
    if row.mode in ("not", "bu"):
        tree, leaf = adverb("没" if row.mode == "not" else "不")
        done = plainly(ctx, frame, style="that", subject=subject).under(tree)
        if conditional and row.event in ("breakfast", "review"):
            tenses = [Mood("present", "perfect")]
        wordings = tuple(_told(done.verbals, replace(t, negation=(leaf,))) for t in tenses)
        return Clause(doer, done.vp, wordings)
    clause = _finished(ctx, frame, doer, conditional and frame.kind not in ("change", "event"))
    clause = replace(clause, wordings=tuple(_told(clause.wordings[0].verbals, t) for t in tenses))
    if place is not None:
        clause = replace(clause, vp=node("VP", place, clause.vp))
    if doer is IT:
        time = worded(ctx, "future" if conditional else "past")
        return clause.timed(time) if ctx.rng.chance(0.7) else clause
    return clause


def _told(verbals: Verbals, mood: Mood) -> PredicateWording:
    """The verbals in the mood, without `had had` and `had been` where possible."""
    fit = tuple(v for v in verbals if mood.aspect != "perfect" or v.verb not in ("have", "be"))
    return PredicateWording(fit or verbals, mood)


def _subject(row: Situation, subject: Nominal) -> tuple[Nominal, Tree | None]:
    if row.subject == "same":
        return subject, None
    if row.subject == "it":
        return IT, None
    brackets, _, english = row.subject.partition("=")
    tree = grow(brackets)
    if english.startswith("there"):
        return (TRAFFIC if english == "there" else PEOPLE), tree
    who = "they" if english.rpartition(" ")[2].partition("^")[0].endswith("s") else "it"
    return simple(tree, render(english, tuple(tree.leaves()), {}), who), None


def _finished(ctx: Context, frame: Frame, subject: Nominal, bare: bool = False) -> Clause:
    """V 了 O, or V O 了 where the verb cannot take 了; `bare` leaves 了 out."""
    inside = takes_aspect(frame) and frame.kind != "change" and not bare
    aspect = Leaf("AS", "了") if inside else None
    done = plainly(ctx, frame, aspect=aspect, style="some", subject=subject)
    final = Leaf("SP", "了") if not inside and not bare and frame.kind != "state" else None
    return Clause(subject, done.vp, (PredicateWording(done.verbals, Mood("past")),), final=final)


def consequence(ctx: Context, row: Situation, subject: Nominal) -> Clause:
    """What happened as a result, or nevertheless (还是)."""
    still = row.role == "despite"
    if row.event.startswith("is:"):
        done = adjectival(ctx, row.event[3:])
        return Clause(subject, done.vp, (PredicateWording(done.verbals, Mood("past")),))
    frame = ctx.lexicon.frame(row.event)
    if row.mode == "not":
        tree, leaf = adverb("没" if "(VE 有)" in frame.source or ctx.rng.chance(0.5) else "没有")
        done = plainly(ctx, frame, style="that", subject=subject).under(tree)
        return Clause(
            subject, done.vp, (PredicateWording(done.verbals, Mood("past", negation=(leaf,))),)
        )
    if row.mode == "will" and not still:
        tree, leaf = adverb("只好")
        done = plainly(ctx, frame, style="the", subject=subject)
        had_to = chain("have to", (leaf,), done.verbals)
        return Clause(subject, done.under(tree).vp, (PredicateWording(had_to, Mood("past")),))
    clause = _finished(ctx, frame, subject, bare=row.mode in ("will", "plain"))
    if not still:
        return clause
    tree, leaf = adverb("还是")
    mood = Mood("past", adverb=say("still", leaf))
    return replace(
        clause,
        vp=node("VP", tree, clause.vp),
        wordings=(PredicateWording(clause.wordings[0].verbals, mood),),
    )


def advice(ctx: Context, row: Situation, subject: Nominal) -> Clause:
    """就 应该, 就 可以, 就 不要, 就 会: what to do or to expect."""
    frame = ctx.lexicon.frame(row.event)
    style: Style = "kind" if row.mode == "dont" else "one"
    done = plainly(ctx, frame, style=style, subject=subject)
    then, _ = adverb("就")
    if row.mode == "dont":
        helper = Leaf("AD", ctx.rng.choice(("不要", "别")))
        vp = node("VP", then, node("VP", node("ADVP", helper), done.vp))
        return _imperative(subject, vp, done, helper)
    if row.mode == "cannot":
        tree, no = adverb("不")
        helper = Leaf("VV", "能")
        vp = node("VP", then, node("VP", tree, node("VP", helper, done.vp)))
        mood = Mood(modal="can", helper=(helper,), negation=(no,))
        return Clause(subject, vp, (PredicateWording(done.verbals, mood),))
    helper = Leaf("VV", {"should": "应该", "can": "可以", "will": "会"}[row.mode])
    if row.event in ("pass.exam", "good.grades"):
        helper = Leaf("VV", ctx.rng.choice(("能", "会")))
    vp = node("VP", then, node("VP", helper, done.vp))
    if helper.word == "会":
        return Clause(
            subject, vp, (PredicateWording(done.verbals, Mood("future", helper=(helper,))),)
        )
    modal = {"应该": "should", "可以": "can", "能": "can"}[helper.word]
    wordings = [PredicateWording(done.verbals, Mood(modal=modal, helper=(helper,)))]
    if helper.word == "能":
        wordings = [
            PredicateWording(governed(helper, done.verbals, Mood()).verbals, Mood("future"))
        ]
    return Clause(subject, vp, tuple(wordings))


def _imperative(subject: Nominal, vp: Tree, done: Predicate, helper: Leaf) -> Clause:
    """不要, 别: `you should not go`, since the Chinese keeps its subject."""
    dont = Mood(modal="should", negation=(helper,))
    return Clause(subject, vp, (PredicateWording(done.verbals, dont),))
