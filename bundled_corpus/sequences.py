"""Events in time (when, after, while), and pairs of qualities (not only, but)."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .events import ongoing, placed
from .lexicon import Frame, Noun
from .links import Parts, closed, retired, scholar
from .people import (
    Nominal,
    echo,
    individual,
    named,
    person,
    pronoun,
    refer,
    relative,
    titled,
)
from .predicates import adjectival, adverb, predicate
from .statements import errand_clause
from .things import core, pointed
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal, Verbals, any_form
from .where import city, place_spot
from .wording import Target, alt, prefer, say, seq

PAIRS = (("listen", "do.homework"), ("listen", "cook.meal"), ("listen", "run"),
         ("drink", "read.book"), ("sing", "cook.meal"), ("listen", "drive.car"),
         ("tv", "dinner"), ("chat", "walk"), ("drink", "chat"), ("drink", "read.news"))  # fmt: skip
# Frames of what people do in a room.
ROOMS = {
    "厨房": ("cook.meal", "do.dishes", "make.cake", "make.tea"),
    "客厅": ("tv", "chat", "phone.call", "read.news", "play.chess", "drink"),
    "卧室": ("sleep", "online", "rest", "listen", "tidy.room"),
    "教室": ("study", "chat", "read.book", "exercises"),
    "会议室": ("meeting", "phone.call", "write"),
    "办公室": ("write", "phone.call", "meeting", "read.news", "drink"),
}
PUBLIC = ("教室", "会议室", "办公室")
# Frames of what people often did while they lived elsewhere.
PASTIMES = ("run", "swim", "walk", "exercise", "see.film", "play.ball", "play.football", "climb",
            "read.book", "shop", "cook.meal", "museums", "chat", "radio", "keep.diary", "by.bike",
            "dance", "photo", "online", "listen", "play.chess", "visit.friends")  # fmt: skip
PRAISE = ("便宜", "漂亮", "好看", "有意思", "好吃", "舒服", "新", "干净")
BUT = (("漂亮", "贵"), ("好看", "贵"), ("有意思", "难"), ("好吃", "贵"), ("舒服", "贵"),
       ("便宜", "旧"), ("有意思", "贵"))  # fmt: skip


def while_busy(ctx: Context) -> Phrase:
    """我 回 家 的 时候 ， 妈妈 正在 做 饭."""
    somebody = pronoun(ctx.rng.choice(("I", "I", "we", "he", "she")))
    first = somebody if ctx.rng.chance(0.7) else named(ctx)
    return closed(_joined(*_scene(ctx, first)))


def reported_scene(ctx: Context) -> Phrase:
    """小明 说 他 回 家 的 时候 ， 妈妈 正在 做 饭."""
    speaker = named(ctx) if ctx.rng.chance(0.6) else titled(ctx)
    children, inner = _joined(*_scene(ctx, refer(speaker)))
    verb = Leaf("VV", ctx.rng.choice(("说", "记得")))
    vp = node("VP", verb, node("IP", *children))
    rest = seq(say("that"), inner)
    said = PredicateWording((Verbal("say", (verb,), rest),), Mood("past"))
    recalls = PredicateWording((Verbal("remember", (verb,), rest),), Mood())
    return sentence(Clause(speaker, vp, (said if verb.word == "说" else recalls,)))


def _scene(ctx: Context, first: Nominal) -> tuple[Clause, Clause]:
    """Somebody arrives or calls; somebody else is busy."""
    other = relative(ctx, pronoun("I")) if ctx.rng.chance(0.5) else named(ctx)
    while other.who == first.who:
        other = relative(ctx, pronoun("I")) if ctx.rng.chance(0.5) else named(ctx)
    kind = ctx.rng.pick({"home": 3, "room": 3, "call": 3})
    if kind == "room":
        room = ctx.rng.choice(list(ROOMS))
        while room in PUBLIC and any(leaf.tag == "NN" for leaf in other.tree.leaves()):
            room = ctx.rng.choice(list(ROOMS))
        frame = ctx.lexicon.frame(ctx.rng.choice(ROOMS[room]))
        return _entering(ctx, first, room), _busy(ctx, other, frame)
    if kind == "home":
        return _homecoming(ctx, first), _busy(ctx, other, ctx.frame("home"))
    done = predicate(ctx, ctx.lexicon.frame("phone"), given={"OBJ": other})
    calling = _past(first, done.vp, done.verbals[:2])
    return calling, _busy(ctx, refer(other), ctx.frame("home", "away"))


def _busy(ctx: Context, subject: Nominal, frame: Frame) -> Clause:
    """正在 V: what somebody was doing."""
    done = ongoing(predicate(ctx, frame, style="kind", subject=subject))
    tree, leaf = adverb("正在")
    mood = Mood("past", "progressive", helper=(leaf,))
    return Clause(subject, done.under(tree).vp, (PredicateWording(done.verbals, mood),))


def _joined(trigger: Clause, main: Clause) -> Parts:
    of, time, comma = Leaf("DEC", "的"), Leaf("NN", "时候"), Leaf("PU", "，")
    opening = node("NP", node("CP", trigger.tree(), of), node("NP", time))
    clause = seq(say("when", of, time), trigger.target(front=False))
    forward = seq(clause, say(",", comma), main.target())
    if main.subject.pronoun:
        return [opening, comma, *main.parts()], forward
    return [opening, comma, *main.parts()], prefer(forward, seq(main.target(front=False), clause))


def _homecoming(ctx: Context, subject: Nominal) -> Clause:
    """回 家, 到 家."""
    verb, leaf = Leaf("VV", ctx.rng.choice(("回", "到"))), Leaf("NN", "家")
    words = seq(say("home", leaf))
    second = "arrive" if verb.word == "到" else "come"
    verbals = (Verbal("get", (verb,), words), Verbal(second, (verb,), words))
    return _past(subject, node("VP", verb, node("NP", leaf)), verbals)


def _entering(ctx: Context, subject: Nominal, name: str) -> Clause:
    """走 进 厨房."""
    walk, into, room = Leaf("VV", "走"), Leaf("VV", "进"), place_spot(ctx.lexicon.place(name))
    verbals = (
        Verbal("walk", (walk,), seq(say("into", into), room.target)),
        Verbal("enter", (walk, into), room.target),
    )
    return _past(subject, node("VP", node("VCD", walk, into), room.tree), verbals)


def _past(subject: Nominal, vp: Tree, verbals: Verbals) -> Clause:
    return Clause(subject, vp, (PredicateWording(verbals, Mood("past")),))


def in_those_days(ctx: Context) -> Phrase:
    """在 北京 学习 的 时候 ， 他 常常 去 公园 跑步."""
    subject = individual(ctx)
    place = city(ctx)
    work = ctx.rng.chance(0.5)
    verb, at = Leaf("VV", "工作" if work else "学习"), Leaf("P", "在")
    vp = node("VP", node("PP", at, place.tree), node("VP", verb))
    verbals = (Verbal("work" if work else "study", (verb,), place.at(at)),)
    trigger = _past(subject, vp, verbals)
    frame = ctx.lexicon.frame(ctx.rng.choice(PASTIMES))
    done = placed(ctx, frame, predicate(ctx, frame, style="any"), 0.7)
    tree, leaf = adverb(ctx.rng.choice(("常常", "经常")))
    main = Clause(
        subject,
        done.under(tree).vp,
        (PredicateWording(done.verbals, Mood("past", adverb=say("often", leaf))),),
    )
    who = echo(subject)
    of, time = Leaf("DEC", "的"), Leaf("NN", "时候")
    comma, stop = Leaf("PU", "，"), Leaf("PU", "。")
    opening = node("NP", node("CP", node("IP", vp), of), node("NP", time))
    tree = node("IP", opening, comma, *main.parts(), stop)
    word = say("when|while", of, time)
    forward = seq(word, replace(trigger, subject=who).target(), say(",", comma), main.target())
    backward = seq(main.target(), word, replace(trigger, subject=who).target())
    return Phrase(tree, seq(alt(forward, backward), say(".", stop)))


def after(ctx: Context) -> Phrase:
    """吃 完 晚饭 以后 ， 我们 去 公园 散步 了."""
    subject = individual(ctx)
    kind = ctx.rng.pick(
        {"dinner": 3, "work": 3.0 * (not retired(subject)), "class": 3.0 * scholar(subject)}
    )
    opening, verbals = finished_doing(kind)
    later = Leaf("LC", ctx.rng.choice(("以后", "之后")))
    main = errand_clause(ctx, subject, "leisure").timed(None)
    past = main.wordings[0].mood.tense == "past"
    comma, stop = Leaf("PU", "，"), Leaf("PU", "。")
    tree = node("IP", node("LCP", node("IP", opening), later), comma, *main.parts(), stop)
    who = echo(subject)
    clause = Clause(who, opening, (PredicateWording(verbals, Mood("past" if past else "present")),))
    word = say("after", later)
    first = alt(seq(word, clause.target()), seq(word, any_form(verbals, "gerund")))
    last = seq(main.target(), word, any_form(verbals, "gerund"))
    return Phrase(
        tree, seq(prefer(seq(first, say(",", comma), main.target()), last), say(".", stop))
    )


def finished_doing(kind: str) -> tuple[Tree, Verbals]:
    if kind == "dinner":
        eat, done, meal = Leaf("VV", "吃"), Leaf("VV", "完"), Leaf("NN", "晚饭")
        vp = node("VP", node("VRD", eat, done), node("NP", meal))
        return vp, (
            Verbal("have", (eat, done), say("dinner", meal)),
            Verbal("finish", (eat, done), say("dinner", meal)),
        )
    if kind == "work":
        leaf = Leaf("VV", "下班")
        return node("VP", leaf), (
            Verbal("finish", (leaf,), say("work", leaf)),
            Verbal("get", (leaf,), say("off work", leaf)),
        )
    if kind == "lunch":
        eat, done, meal = Leaf("VV", "吃"), Leaf("VV", "完"), Leaf("NN", "午饭")
        vp = node("VP", node("VRD", eat, done), node("NP", meal))
        return vp, (Verbal("finish", (eat, done), say("lunch", meal)),)
    leaf = Leaf("VV", "下课")
    return node("VP", leaf), (Verbal("finish", (leaf,), say("class", leaf)),)


def together(ctx: Context) -> Phrase:
    """他 喜欢 一边 听 音乐 一边 做 作业."""
    subject = person(ctx)
    pairs = [pair for pair in PAIRS if scholar(subject) or "do.homework" not in pair]
    names = ctx.rng.choice(pairs)
    first, second = (predicate(ctx, ctx.lexicon.frame(name), style="any") for name in names)
    one, two = Leaf("AD", "一边"), Leaf("AD", "一边")
    vp = node(
        "VP", node("VP", node("ADVP", one), first.vp), node("VP", node("ADVP", two), second.vp)
    )
    often, leaf = adverb(ctx.rng.choice(("常常", "经常", "总是")))
    word = "always" if leaf.word == "总是" else "often"
    verbals = tuple(
        verbal.then(say("while", one, two), any_form(first.verbals, "gerund"))
        for verbal in second.verbals
    )
    way = PredicateWording(verbals, Mood(adverb=say(word, leaf)))
    stop = Leaf("PU", "。")
    clause = Clause(subject, node("VP", often, vp), (way,))
    return Phrase(node("IP", *clause.parts(), stop), seq(clause.target(), say(".", stop)))


def not_only(ctx: Context) -> Phrase:
    """这 个 房间 不但 很 大 ， 而且 很 干净; 这 件 衣服 很 漂亮 ， 但是 太 贵 了."""
    noun = ctx.noun("wear", "food", "house2", "goods", "book", "show", "furniture", "own")
    if not noun.measures or noun.measures[0][1] or noun.number != "count":
        return not_only(ctx)
    subject = pointed(core(ctx, noun, adjective=0), near=ctx.rng.chance(0.7))
    pairs = [pair for pair in BUT if all(_fits(ctx, word, noun) for word in pair)]
    good = [word for word in PRAISE if _fits(ctx, word, noun)]
    if pairs and ctx.rng.chance(0.5):
        return _contrast(ctx, subject, *ctx.rng.choice(pairs))
    if len(good) < 2:
        return not_only(ctx)
    one, two = ctx.rng.shuffled(good)[:2]
    if {one, two} == {"漂亮", "好看"}:
        return not_only(ctx)
    return _both(ctx, subject, one, two)


def _fits(ctx: Context, word: str, noun: Noun) -> bool:
    entry = ctx.lexicon.adjective(word)
    return "pred" in entry.uses and any(c in noun.classes for c in entry.classes)


def _both(ctx: Context, subject: Nominal, one: str, two: str) -> Phrase:
    first, second = adjectival(ctx, one, ""), adjectival(ctx, two, "很")
    second_plain: list[Target] = [verbal.rest for verbal in second.verbals]
    not_, but, comma, stop = (
        Leaf("CC", "不但"),
        Leaf("CC", "而且"),
        Leaf("PU", "，"),
        Leaf("PU", "。"),
    )
    verbals = tuple(
        Verbal(
            "be",
            (),
            seq(say("not only", not_), verbal.rest, say("but also", but), alt(*second_plain)),
        )
        for verbal in first.verbals
    )
    vp = node("VP", node("VP", not_, first.vp), comma, node("VP", but, second.vp))
    clause = Clause(subject, vp, (PredicateWording(verbals, Mood()),))
    return Phrase(node("IP", *clause.parts(), stop), seq(clause.target(), say(".", stop)))


def _contrast(ctx: Context, subject: Nominal, one: str, two: str) -> Phrase:
    first, second = adjectival(ctx, one, "很"), adjectival(ctx, two, "太")
    comma, but, stop = (
        Leaf("PU", "，"),
        Leaf("AD", ctx.rng.choice(("但是", "可是", "不过"))),
        Leaf("PU", "。"),
    )
    clause = Clause(subject, first.vp, (PredicateWording(first.verbals, Mood()),))
    it = "it" if subject.who == "it" else "they"
    echo_ = Clause(
        replace(subject, subject=say(it), pronoun=True),
        second.vp,
        (PredicateWording(second.verbals, Mood()),),
    )
    short = alt(*(verbal.rest for verbal in second.verbals))
    tree = node(
        "IP",
        node("IP", *clause.parts()),
        comma,
        node("IP", node("ADVP", but), second.vp, Leaf("SP", "了")),
        stop,
    )
    target = seq(
        clause.target(),
        alt(seq(say(",", comma), say("but", but), echo_.target()), seq(say("but", but), short)),
    )
    return Phrase(tree, seq(target, say(".", stop)))
