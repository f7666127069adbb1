"""Manner (得), duration, and emphasis on the time (是 … 的)."""

from __future__ import annotations

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .english import gerund
from .people import Nominal, individual, person, simple
from .predicates import adverb
from .times import duration, when, year
from .trees import Leaf, node
from .verbs import Mood, Verbal
from .where import Spot, city, company, spot
from .wording import alt, say, seq

# Chinese verb: English verb, and manners as Chinese adjective and English adverb.
MANNERS = {
    "跑": ("run", (("快", "fast"), ("慢", "slowly"))),
    "走": ("walk", (("快", "fast|quickly"), ("慢", "slowly"))),
    "写": ("write", (("好", "well"), ("快", "fast|quickly"))),
    "唱": ("sing", (("好", "well"), ("好听", "beautifully"))),
    "跳": ("dance", (("好", "well"), ("好看", "beautifully"))),
    "睡": ("sleep", (("好", "well"), ("晚", "late"))),
    "吃": ("eat", (("多", "a lot"), ("快", "fast|quickly"))),
    "来": ("come", (("早", "early"), ("晚", "late"))),
}


def manner(ctx: Context) -> Phrase:
    """她 唱 得 很 好; 他 汉语 说 得 很 流利."""
    subject = individual(ctx)
    if ctx.rng.chance(0.4):
        return sentence(_speaking(ctx, subject))
    verb = ctx.rng.choice(list(MANNERS))
    english, wordings = MANNERS[verb]
    adjective, words = ctx.rng.choice(wordings)
    leaf, der, how = Leaf("VV", verb), Leaf("DER", "得"), Leaf("VA", adjective)
    tree, degree = adverb(ctx.rng.choice(("很", "非常", "不")))
    vp = node("VP", leaf, der, node("VP", tree, node("VP", how)))
    negation = (degree,) if degree.word == "不" else ()
    rest = say(words, how)
    if not negation and words != "a lot":
        rest = (
            alt(rest, seq(say("very", degree), rest))
            if degree.word == "很"
            else seq(say("very", degree), rest)
        )
    past = verb in ("来", "睡")
    mood = Mood("past" if past else "present", negation=negation)
    return sentence(
        Clause(subject, vp, (PredicateWording((Verbal(english, (leaf,), rest),), mood),))
    )


def _speaking(ctx: Context, subject: Nominal) -> Clause:
    noun = ctx.noun("tongue")
    tongue, leaf, der = Leaf("NN", noun.source), Leaf("VV", "说"), Leaf("DER", "得")
    fluent = ctx.rng.chance(0.5)
    how = Leaf("VA", "流利" if fluent else "好")
    tree, degree = adverb(ctx.rng.choice(("很", "非常")))
    vp = node("VP", leaf, der, node("VP", tree, node("VP", how)))
    words = say("fluently" if fluent else "well", how)
    rest = seq(say(noun.target[0], tongue), alt(seq(say("very", degree), words), words))
    return Clause(
        subject,
        node("VP", node("NP", tongue), vp),
        (PredicateWording((Verbal("speak", (leaf,), rest),), Mood("present")),),
    )


def lasting(ctx: Context) -> Phrase:
    """他 在 北京 住 了 三 年; 我 学 了 五 年 英语; 我们 等 了 半 个 小时."""
    subject, aspect = individual(ctx), Leaf("AS", "了")
    kind = ctx.rng.pick({"live": 3, "learn": 3, "wait": 3, "work": 2})
    time = duration(ctx, "分钟", "小时") if kind == "wait" else duration(ctx, "年", "月")
    if kind == "learn":
        leaf = Leaf("VV", ctx.rng.choice(("学", "学习")))
        noun = ctx.noun("tongue", "subject")
        obj = Leaf("NN", noun.source)
        vp = node("VP", leaf, aspect, time.tree, node("NP", obj))
        what = say("|".join(noun.target), obj)
        verbs: tuple[str, ...] = ("study",)
    else:
        verb, english = {"live": ("住", "live"), "wait": ("等", "wait"), "work": ("工作", "work")}[
            kind
        ]
        where = {"live": city, "wait": _station, "work": company}[kind](ctx)
        leaf, at = Leaf("VV", verb), Leaf("P", "在")
        verbs, what = (english,), where.at(at)
        vp = node("VP", node("PP", at, where.tree), node("VP", leaf, aspect, time.tree))
    for_ = seq(say("for"), time.target)
    verbals = tuple(Verbal(verb, (leaf,), seq(what, for_)) for verb in verbs)
    spent = Verbal("spend", (), seq(time.target, alt(*(say(gerund(v), leaf) for v in verbs)), what))
    return sentence(
        Clause(
            subject,
            vp,
            (PredicateWording(verbals, Mood("past")), PredicateWording((spent,), Mood("past"))),
        )
    )


def _station(ctx: Context) -> Spot:
    return spot(ctx, ("meet",))


def circumstance(ctx: Context) -> Phrase:
    """他 是 去年 来 北京 的: the event is known, the time is emphasised."""
    subject = person(ctx)
    where, time = city(ctx), when(ctx, "past") if ctx.rng.chance(0.7) else year(ctx)
    is_, come, of = (
        Leaf("VC", "是"),
        Leaf("VV", ctx.rng.choice(("来", "到", "离开"))),
        Leaf("SP", "的"),
    )
    vp = node("VP", is_, node("VP", time.tree, node("VP", come, where.tree)))
    plain = {
        "来": Verbal("come", (come,), where.goal), "到": Verbal("arrive", (come,), where.at()),
        "离开": Verbal("leave", (come,), where.target),
    }[come.word]  # fmt: skip
    clause = Clause(subject, vp, (PredicateWording((plain,), Mood("past")),), final=of)
    stop = Leaf("PU", "。")
    cleft = seq(say("it"), say("was", is_), time.target, say("that"), clause.target())
    target = alt(seq(clause.target(), time.target), cleft)
    return Phrase(node("IP", *clause.parts(), stop), seq(target, say(".", stop)))


def founding(ctx: Context) -> Phrase:
    """东方 公司 是 一九九八年 成立 的."""
    where, time = company(ctx), year(ctx, 1950, 2010)
    subject = simple(where.tree, where.target, "it")
    is_, found, of = Leaf("VC", "是"), Leaf("VV", "成立"), Leaf("SP", "的")
    vp = node("VP", is_, node("VP", time.tree, node("VP", found)))
    rest = seq(say("founded|set up|established", found), time.target)
    way = PredicateWording((Verbal("be", (is_,), rest),), Mood("past"))
    return sentence(Clause(subject, vp, (way,), final=of))
