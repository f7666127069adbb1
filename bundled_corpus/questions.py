"""Questions: 吗, A-not-A, and question words, which Chinese leaves in place."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording
from .context import Context, Phrase
from .english import plural
from .events import AUXILIARIES, FAVOURS, GOVERNORS, governed, negated, wish, would_like
from .people import Nominal, named, pronoun, relative, simple
from .predicates import Predicate, adverb, predicate
from .statements import event
from .times import when
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal, chain
from .where import city
from .wording import EMPTY, Target, alt, prefer, say, seq

ASKABLE = ("completed", "experienced", "future", "habitual", "progressive", "stative")
EXPECTED = ("attend", "phone", "do.homework", "to.class", "to.work", "take.exam", "breakfast",
            "give.back", "wait", "help", "tell.news")  # fmt: skip
SKILLS = ("play.ball", "play.football", "play.strum", "play.bow", "swim", "dance", "cook.meal",
          "drive.car", "speak")  # fmt: skip
WHAT = {"eat": "吃", "drink": "喝", "read": "看", "watch": "看", "buy.food": "买", "cook": "做",
        "learn.tongue": "学", "write": "写", "seek": "找"}  # fmt: skip


def asked(ctx: Context) -> Nominal:
    """The subject of a question: often `you`."""
    if ctx.rng.chance(0.5):
        return pronoun("you")
    return (
        pronoun(ctx.rng.choice(("he", "she", "they")))
        if ctx.rng.chance(0.4)
        else ctx.rng.choice((named, relative))(ctx)
    )


def _question(parts: list[Tree | Leaf], target: Target, particle: Leaf | None = None) -> Phrase:
    mark = Leaf("PU", "？")
    english = seq(target, say("?", mark))
    if particle is None:
        return Phrase(node("IP", *parts, mark), english)
    return Phrase(node("CP", node("IP", *parts), particle, mark), english)


def yes_no(ctx: Context) -> Phrase:
    """你 昨天 去 了 图书馆 吗 ？"""
    clause = event(ctx, asked(ctx), *ASKABLE)
    vague = any(leaf.tag == "CD" and leaf.word != "一" for leaf in clause.vp.leaves())
    if vague or any(way.mood.negation for way in clause.wordings):
        return yes_no(ctx)
    return _question(clause.parts(), clause.asked(), Leaf("SP", "吗"))


def a_not_a(ctx: Context) -> Phrase:
    """你 想 不 想 去, 他 是 不 是 老师, 你 有 没有 词典."""
    kind = ctx.rng.pick({"modal": 4, "like": 3, "have": 2, "is": 2})
    subject = asked(ctx)
    if kind == "modal":
        return _modal_choice(ctx, subject)
    if kind == "like":
        return _liking_choice(ctx, subject)
    if kind == "have":
        verb = "have"
        leaves: tuple[Leaf, ...] = (Leaf("VE", "有"), Leaf("VE", "没有"))
        noun = ctx.noun("own", "reference", "pet", "tool", "map", "instrument")
    else:
        verb, leaves = "be", (Leaf("VC", "是"), Leaf("AD", "不"), Leaf("VC", "是"))
        noun = ctx.noun("trade")
        subject = named(ctx) if subject.who in ("you", "they") else subject
    leaf = Leaf("NN", noun.source)
    rest = seq(say("a"), say("|".join(noun.target), leaf))
    vp = node("VP", node("VNV", *leaves), node("NP", leaf))
    return _choice(Clause(subject, vp, (PredicateWording((Verbal(verb, leaves, rest),), Mood()),)))


def _choice(clause: Clause) -> Phrase:
    """The question, in English sometimes with `or not`."""
    target = prefer(clause.asked(), seq(clause.asked(), say("or not")))
    return _question(clause.parts(), target)


def _liking_choice(ctx: Context, subject: Nominal) -> Phrase:
    """喜欢 不 喜欢."""
    leaves = (Leaf("VV", "喜欢"), Leaf("AD", "不"), Leaf("VV", "喜欢"))
    inner = predicate(ctx, ctx.frame("hobby"), style="any")
    verbals = chain("like to|like -ing", leaves, inner.verbals)
    vp = node("VP", node("VNV", *leaves), inner.vp)
    return _choice(Clause(subject, vp, (PredicateWording(verbals, Mood()),)))


def _modal_choice(ctx: Context, subject: Nominal) -> Phrase:
    """能 不 能, 想 不 想, 会 不 会."""
    word = ctx.rng.choice(("想", "想", "能", "愿意", "会"))
    first, no, second = Leaf("VV", word), Leaf("AD", "不"), Leaf("VV", word)
    leaves = (first, no, second)
    if word == "想":
        frame = ctx.frame("dream", "costly", "leisure")
    else:
        frame = ctx.lexicon.frame(ctx.rng.choice(SKILLS if word == "会" else FAVOURS))
    inner = predicate(ctx, frame, style="any" if word == "会" else "one", subject=subject)
    vp = node("VP", node("VNV", *leaves), inner.vp)
    if word in AUXILIARIES or word == "会":
        modal = AUXILIARIES.get(word, ("can",))[0]
        wordings = [PredicateWording(inner.verbals, Mood(modal=modal, helper=leaves))]
    else:
        wordings = [PredicateWording(chain(GOVERNORS[word], leaves, inner.verbals), Mood())]
        if word == "想":
            wordings.append(
                PredicateWording(
                    chain("like to", leaves, inner.verbals), Mood(modal="would", helper=leaves)
                )
            )
    return _choice(Clause(subject, vp, tuple(wordings)))


def what(ctx: Context) -> Phrase:
    """你 昨天 买 了 什么 ？"""
    frame = ctx.lexicon.frame(ctx.rng.choice(list(WHAT)))
    subject = asked(ctx)
    thing = Leaf("PN", "什么")
    kind = ctx.rng.pick({"past": 4, "now": 2, "want": 3, "future": 2})
    word = simple(node("NP", thing), EMPTY, "it")
    aspect = Leaf("AS", "了") if kind == "past" else None
    done = predicate(ctx, frame, aspect=aspect, given={"OBJ": word})
    clause = _asked_event(ctx, subject, done, kind)
    return _question(clause.parts(), seq(say("what", thing), clause.asked()))


def _asked_event(ctx: Context, subject: Nominal, done: Predicate, kind: str) -> Clause:
    """The event that a question word asks about."""
    if kind == "past":
        time = when(ctx, "past", ("plain",)) if ctx.rng.chance(0.7) else None
        return Clause(subject, done.vp, (PredicateWording(done.verbals, Mood("past")),), time)
    if kind == "now":
        tree, leaf = adverb("在" if not done.vp.bracketed().startswith("(VP (PP") else "正在")
        mood = Mood("present", "progressive", helper=(leaf,))
        return Clause(subject, done.under(tree).vp, (PredicateWording(done.verbals, mood),))
    if kind == "want":
        helper = Leaf("VV", "想")
        wordings = (governed(helper, done.verbals, Mood()), would_like(helper, done.verbals))
        return Clause(subject, done.under(helper).vp, wordings)
    helper = Leaf("VV", "要")
    wordings = (
        PredicateWording(done.verbals, Mood("future", helper=(helper,))),
        governed(helper, done.verbals, Mood()),
    )
    return Clause(subject, done.under(helper).vp, wordings, when(ctx, "future"))


def who(ctx: Context) -> Phrase:
    """谁 把 …, 谁 买 了 …: a question about the subject has no inversion."""
    leaf = Leaf("PN", "谁")
    subject = simple(node("NP", leaf), say("who", leaf), "he")
    clause = event(ctx, subject, "completed", "progressive", "future", "modal")
    return _question(
        clause.parts(),
        clause.timed(None).target()
        if clause.time is None
        else seq(clause.timed(None).target(), clause.time.target),
    )


def where(ctx: Context) -> Phrase:
    """你 是 在 哪儿 买 的, 他 在 哪儿 工作, 你 要 去 哪儿."""
    subject, leaf = asked(ctx), Leaf("PN", ctx.rng.choice(("哪儿", "哪里")))
    kind = ctx.rng.pick({"go": 4, "do": 4, "be": 2})
    if kind == "go":
        return _where_to(ctx, subject, leaf)
    if kind == "be":
        return _where_is(ctx, leaf)
    frame = ctx.frame("free")
    while not frame.places or not ("hobby" in frame.classes or frame.id.startswith("buy.")):
        frame = ctx.frame("free")
    inner = predicate(ctx, frame, style="any", subject=subject)
    preposition = Leaf("P", "在")
    vp = node("VP", node("PP", preposition, node("NP", leaf)), inner.vp)
    clause = Clause(subject, vp, (PredicateWording(inner.verbals, Mood()),))
    return _question(clause.parts(), seq(say("where", leaf, preposition), clause.asked()))


def _where_to(ctx: Context, subject: Nominal, leaf: Leaf) -> Phrase:
    """你 要 去 哪儿 ？"""
    go, past = Leaf("VV", "去"), ctx.rng.chance(0.5)
    vp = node("VP", go, Leaf("AS", "了") if past else None, node("NP", leaf))
    done = Predicate(vp, (Verbal("go", (go,)),))
    kind = "past" if past else ctx.rng.choice(("want", "future"))
    clause = _asked_event(ctx, subject, done, kind)
    return _question(clause.parts(), seq(say("where", leaf), clause.asked()))


def _where_is(ctx: Context, leaf: Leaf) -> Phrase:
    """我 的 书 在 哪儿 ？"""
    at, of = Leaf("VV", "在"), Leaf("DEG", "的")
    noun = ctx.noun("personal", "book")
    item = Leaf("NN", noun.source)
    owner = pronoun(ctx.rng.choice(("I", "you", "he", "she")))
    if noun.number == "plural":
        return where(ctx)
    tree = node("NP", node("DNP", owner.tree, of), node("NP", item))
    thing = simple(tree, seq(owner.owner, say(noun.target[0], item)), "it")
    vp = node("VP", at, node("NP", leaf))
    clause = Clause(thing, vp, (PredicateWording((Verbal("be", (at,)),), Mood()),))
    return _question(clause.parts(), seq(say("where", leaf), clause.asked()))


def when_(ctx: Context) -> Phrase:
    """你 什么 时候 去 北京 ？"""
    subject = asked(ctx)
    what_, time = Leaf("DT", "什么"), Leaf("NN", "时候")
    tree = node("NP", node("DP", what_), node("NP", time))
    frame = ctx.frame("free")
    while frame.kind != "done" or frame.id.startswith(("by.", "on.")):
        frame = ctx.frame("free")
    inner = predicate(ctx, frame, style="that", subject=subject)
    if ctx.rng.chance(0.5):
        is_, of = Leaf("VC", "是"), Leaf("SP", "的")
        vp = node("VP", is_, node("VP", tree, inner.vp))
        clause = Clause(subject, vp, (PredicateWording(inner.verbals, Mood("past")),), final=of)
    else:
        helper = Leaf("VV", ctx.rng.choice(("要", "能")))
        vp = node("VP", tree, node("VP", helper, inner.vp))
        mood = (
            Mood("future", helper=(helper,))
            if helper.word == "要"
            else Mood(modal="can", helper=(helper,))
        )
        clause = Clause(subject, vp, (PredicateWording(inner.verbals, mood),))
    return _question(clause.parts(), seq(say("when", what_, time), clause.asked()))


def why(ctx: Context) -> Phrase:
    """你 为什么 没 来 上课 ？ 他 为什么 想 学 中文 ？"""
    subject, leaf = asked(ctx), Leaf("AD", "为什么")
    if ctx.rng.chance(0.5):
        clause = negated(ctx, subject, ctx.lexicon.frame(ctx.rng.choice(EXPECTED)))
    else:
        clause = wish(ctx, subject, ctx.frame("dream", "costly"))
    whole = replace(clause, vp=node("VP", node("ADVP", leaf), clause.vp), early=False)
    return _question(whole.parts(), seq(say("why", leaf), clause.asked()))


def how_many(ctx: Context) -> Phrase:
    """你 买 了 几 本 书 ？ 这 件 衣服 多少 钱 ？"""
    if ctx.rng.chance(0.4):
        noun = ctx.noun("wear", "goods", "book", "furniture")
        if not noun.measures or noun.measures[0][1]:
            return how_many(ctx)
        this, measure, item = (
            Leaf("DT", "这"),
            Leaf("M", noun.measures[0][0]),
            Leaf("NN", noun.source),
        )
        much, money = Leaf("CD", "多少"), Leaf("NN", "钱")
        subject = node("NP", node("DP", this, node("CLP", measure)), node("NP", item))
        vp = node("VP", node("NP", node("QP", much), node("NP", money)))
        name = seq(say("this", this), say("|".join(noun.target), item))
        english = alt(
            seq(say("how much", much, money), say("is"), name),
            seq(say("how much", much, money), say("does"), name, say("cost", money)),
        )
        return _question([subject, vp], english)
    return _counting(ctx)


def _counting(ctx: Context) -> Phrase:
    frame = ctx.lexicon.frame(
        ctx.rng.choice(("buy.book", "read", "watch", "receive", "buy.ticket", "write"))
    )
    noun = ctx.noun(*frame.slots["OBJ"])
    if noun.number != "count" or noun.measures[0][1]:
        return _counting(ctx)
    how, measure, item = Leaf("CD", "几"), Leaf("M", noun.measures[0][0]), Leaf("NN", noun.source)
    tree = node("NP", node("QP", how, node("CLP", measure)), node("NP", item))
    subject = asked(ctx)
    done = predicate(
        ctx, frame, aspect=Leaf("AS", "了"), given={"OBJ": simple(tree, EMPTY, "they")}
    )
    time = when(ctx, "past", ("plain",)) if ctx.rng.chance(0.5) else None
    clause = Clause(subject, done.vp, (PredicateWording(done.verbals, Mood("past")),), time)
    words = say("|".join(plural(word) for word in noun.target), item)
    return _question(clause.parts(), seq(say("how many", how), words, clause.asked()))


def how(ctx: Context) -> Phrase:
    """你 怎么 去 上海 ？"""
    subject, leaf = asked(ctx), Leaf("AD", "怎么")
    place, go = city(ctx), Leaf("VV", "去")
    helper = Leaf("VV", "要")
    vp = node("VP", helper, node("VP", node("ADVP", leaf), node("VP", go, place.tree)))
    done = (Verbal("go", (go,), place.goal), Verbal("get", (go,), place.goal))
    clause = Clause(
        subject,
        vp,
        (PredicateWording(done, Mood("future", helper=(helper,))),),
        when(ctx, "future"),
    )
    return _question(clause.parts(), seq(say("how", leaf), clause.asked()))
