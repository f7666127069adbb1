"""Qualities of people, things and places, and comparisons between them."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .english import comparative, superlative
from .lexicon import Adjective, Noun
from .people import Nominal, echo, named, person, pronoun, relative, simple, titled
from .predicates import adjectival, adverb
from .relatives import bought_thing
from .things import attribute, core, known, pointed
from .trees import Leaf, node
from .verbs import Mood, Verbal
from .where import city
from .wording import EMPTY, Target, alt, say, seq

THINGS = (
    "book", "wear", "goods", "own", "furniture", "house", "house2", "show", "food", "story",
    "picture", "song", "job", "exam", "problem", "problem3", "plan", "box", "luggage",
)  # fmt: skip
TRAITS = ("高", "忙", "努力", "聪明", "年轻", "胖", "瘦", "热情")
SEASONS = {"春天": ("spring", "暖和"), "夏天": ("summer", "热"), "秋天": ("autumn|fall", "凉快"),
           "冬天": ("winter", "冷")}  # fmt: skip
MOODS = ("忙", "累", "高兴", "快乐", "难过", "生气", "着急", "紧张", "激动", "困", "失望")
# Reactions to news, and whether the news is good or bad.
REACTIONS = {"高兴": "好", "激动": "好", "放心": "好", "难过": "坏", "生气": "坏", "着急": "坏",
             "失望": "坏", "害怕": "坏"}  # fmt: skip
CITY = ("大", "漂亮", "热闹", "有名")


def quality(ctx: Context) -> Phrase:
    """这 本 书 很 有意思; 我 昨天 看 的 电影 不 好看."""
    noun = ctx.noun(*THINGS)
    adjective = ctx.adjective("pred", noun.classes)
    if adjective is None:
        return quality(ctx)
    rich = bought_thing(ctx, noun, ("rel",), adjective=0) if ctx.rng.chance(0.55) else None
    clause = described(ctx, rich or item(ctx, noun), adjective.source)
    # Food that has been eaten is described in the past.
    return sentence(clause.shifted() if rich is not None and "food" in noun.classes else clause)


def item(ctx: Context, noun: Noun) -> Nominal:
    """A thing to be described: 这 本 书, 他 的 车."""
    it = core(ctx, noun, adjective=0)
    plain = noun.number == "plural" or (noun.measures and not noun.measures[0][1])
    if noun.measures and plain and ctx.rng.chance(0.6):
        return pointed(it, near=ctx.rng.chance(0.6))
    return known(ctx, it, None, bare_=False)


def described(ctx: Context, subject: Nominal, source: str) -> Clause:
    """The subject with the adjective as predicate: 很, 非常, 特别, 不 or 不 太."""
    kind = ctx.rng.pick({"很": 5, "非常": 2, "特别": 1, "不": 2, "不太": 1.5})
    if kind == "不":
        tree, leaf = adverb("不")
        event = adjectival(ctx, source, "").under(tree)
        return Clause(subject, event.vp, (PredicateWording(event.verbals, Mood(negation=(leaf,))),))
    if kind == "不太":
        no, leaf = adverb("不")
        very, too = adverb("太")
        event = adjectival(ctx, source, "")
        wordings = tuple(
            PredicateWording(
                (Verbal(v.verb, v.leaves, seq(say("very", too), v.rest)),), Mood(negation=(leaf,))
            )
            for v in event.verbals
        )
        return Clause(subject, event.under(no, very).vp, wordings)
    event = adjectival(ctx, source, kind)
    return Clause(subject, event.vp, (PredicateWording(event.verbals, Mood()),))


def feeling(ctx: Context) -> Phrase:
    """听到 这 个 消息 ， 他 很 高兴; 他 今天 很 累."""
    subject = person(ctx)
    today_ = ctx.rng.chance(0.5)
    word = ctx.rng.choice(MOODS if today_ else list(REACTIONS))
    event = adjectival(ctx, word, ctx.rng.choice(("很", "非常")))
    if today_:
        today = Leaf("NT", ctx.rng.choice(("今天", "昨天", "最近")))
        past = today.word == "昨天"
        recent = today.word == "最近"
        words = {"今天": "today", "昨天": "yesterday", "最近": "lately|recently"}[today.word]
        time = Phrase(node("NP", today), say(words, today))
        mood = Mood("past") if past else Mood("present", "perfect" if recent else "simple")
        return sentence(
            Clause(
                subject,
                event.vp,
                (PredicateWording(event.verbals, mood),),
                time,
                ctx.rng.chance(0.4),
            )
        )
    clause = Clause(subject, event.vp, (PredicateWording(event.verbals, Mood("past")),))
    return _on_news(ctx, clause, REACTIONS[word])


def _on_news(ctx: Context, clause: Clause, kind: str) -> Phrase:
    """听到 这 个 消息 before the main clause."""
    hear = Leaf("VV", "听到")
    it = core(ctx, ctx.noun("newsitem"), adjective=0)
    if ctx.rng.chance(0.4):
        tree, english = attribute(ctx, ctx.lexicon.adjective(kind))
        it = replace(it, tree=node("NP", tree, it.tree), modifier=english)
    news = pointed(it, near=True)
    after = Leaf("LC", "以后")
    comma, stop = Leaf("PU", "，"), Leaf("PU", "。")
    opening = node("LCP", node("IP", node("VP", hear, news.tree)), after)
    tree = node("IP", opening, comma, *clause.parts(), stop)
    who = clause.subject
    heard = seq(say("after|when", after), who.subject, say("heard", hear), news.target)
    again = Clause(echo(who), clause.vp, clause.wordings)
    first = seq(heard, say(",", comma), again.target())
    rejoin = seq(say("after|when", after), echo(who).subject, say("heard", hear), news.target)
    return Phrase(tree, seq(alt(first, seq(clause.target(), rejoin)), say(".", stop)))


def comparison(ctx: Context) -> Phrase:
    """A 比 B 高, A 没有 B 高, A 跟 B 一样 高."""
    kind = ctx.rng.pick({"person": 5, "thing": 5, "city": 2})
    if kind == "person":
        first, second = _people(ctx)
        adjective = ctx.lexicon.adjective(ctx.rng.choice(TRAITS))
    elif kind == "city":
        one, two = city(ctx), city(ctx)
        if one.tree.bracketed() == two.tree.bracketed():
            return comparison(ctx)
        first, second = simple(one.tree, one.target, "it"), simple(two.tree, two.target, "it")
        adjective = ctx.lexicon.adjective(ctx.rng.choice(CITY))
    else:
        noun = ctx.noun("book", "wear", "own", "goods", "furniture", "house", "house2", "show")
        if not noun.measures or noun.measures[0][1] or noun.number == "plural":
            return comparison(ctx)
        found = ctx.adjective("comp", noun.classes)
        if found is None:
            return comparison(ctx)
        adjective = found
        first = pointed(core(ctx, noun, adjective=0), near=True)
        second = _that_one(ctx, noun)
    return sentence(compared(ctx, first, second, adjective))


def _that_one(ctx: Context, noun: Noun) -> Nominal:
    tree = pointed(core(ctx, noun, adjective=0), near=False).tree
    pointer, measure, leaf = tree.leaves()
    if ctx.rng.chance(0.65):
        short = node("NP", node("DP", pointer, node("CLP", measure)))
        return simple(short, seq(say("that", pointer), say("one", measure)), "it")
    words = seq(say("that", pointer), alt(say("one", leaf), say("|".join(noun.target), leaf)))
    return simple(tree, words, "it")


def _people(ctx: Context) -> tuple[Nominal, Nominal]:
    rules = (named, titled, relative)
    first = pronoun("I") if ctx.rng.chance(0.2) else ctx.rng.choice(rules)(ctx)
    second = ctx.rng.choice(rules)(ctx)
    while first.tree.bracketed() == second.tree.bracketed():
        second = ctx.rng.choice(rules)(ctx)
    return first, second


def compared(ctx: Context, first: Nominal, second: Nominal, adjective: Adjective) -> Clause:
    leaf = Leaf("VA", adjective.source)
    kind = ctx.rng.pick({"more": 5, "less": 2, "same": 2})
    if kind == "more":
        return _more(ctx, first, second, leaf, adjective.target)
    if kind == "same":
        with_, same = Leaf("P", ctx.rng.choice(("跟", "和"))), Leaf("AD", "一样")
        vp = node(
            "VP", node("PP", with_, second.tree), node("VP", node("ADVP", same), node("VP", leaf))
        )
        verbals = tuple(
            Verbal("be", (), seq(say("as", same), say(word, leaf), say("as", with_), second.target))
            for word in adjective.target
        )
        return Clause(first, vp, (PredicateWording(verbals, Mood()),))
    no = Leaf("VE", "没有")
    so = Leaf("AD", "那么")
    vp = node("VP", no, node("IP", second.tree, node("VP", node("ADVP", so), node("VP", leaf))))
    verbals = tuple(
        Verbal("be", (), seq(say("as", so), say(word, leaf), say("as"), second.target))
        for word in adjective.target
    )
    return Clause(first, vp, (PredicateWording(verbals, Mood(negation=(no,))),))


def _more(
    ctx: Context, first: Nominal, second: Nominal, leaf: Leaf, words: tuple[str, ...]
) -> Clause:
    """A 比 B 高 (一点儿, 得 多, 多 了)."""
    than = Leaf("P", "比")
    pp = node("PP", than, second.tree)
    kind = ctx.rng.pick({"plain": 4, "little": 2, "much": 2, "even": 2})
    inner = node("VP", leaf)
    before: Target = EMPTY
    if kind == "little":
        bit = Leaf("AD", "一点儿")
        inner, before = node("VP", leaf, node("ADVP", bit)), say("a little|a bit|slightly", bit)
    elif kind == "much":
        der, much = Leaf("DER", "得"), Leaf("VA", "多")
        inner, before = node("VP", leaf, der, node("VP", much)), say("much|a lot", much)
    elif kind == "even":
        even = Leaf("AD", "更")
        inner, before = node("VP", node("ADVP", even), node("VP", leaf)), say("even", even)
    verbals = tuple(
        Verbal(
            "be", (), seq(before, say(comparative(word), leaf), say("than", than), second.target)
        )
        for word in words
    )
    return Clause(first, node("VP", pp, inner), (PredicateWording(verbals, Mood()),))


def most(ctx: Context) -> Phrase:
    """她 是 我们 班 最 聪明 的 学生."""
    subject = named(ctx) if ctx.rng.chance(0.7) else pronoun(ctx.rng.choice(("he", "she")))
    adjective = ctx.lexicon.adjective(ctx.rng.choice(("高", "聪明", "努力", "年轻", "认真")))
    copula, our, group = Leaf("VC", "是"), pronoun("we"), Leaf("NN", "班")
    top, leaf, of, noun = (
        Leaf("AD", "最"),
        Leaf("VA", adjective.source),
        Leaf("DEC", "的"),
        Leaf("NN", "学生"),
    )
    quality_ = node("CP", node("IP", node("VP", node("ADVP", top), node("VP", leaf))), of)
    tree = node(
        "VP",
        copula,
        node("NP", node("NP", our.tree, node("NP", group)), quality_, node("NP", noun)),
    )
    best = alt(*(say(superlative(word), top, leaf) for word in adjective.target))
    target = seq(say("the"), best, say("student", noun), say("in"), our.owner, say("class", group))
    return sentence(
        Clause(subject, tree, (PredicateWording((Verbal("be", (copula,), target),), Mood()),))
    )


def weather(ctx: Context) -> Phrase:
    """北京 的 冬天 很 冷; 上海 的 夏天 比 北京 热."""
    season = ctx.rng.choice(list(SEASONS))
    english, adjective = SEASONS[season]
    place, of, leaf = city(ctx), Leaf("DEG", "的"), Leaf("NN", season)
    tree = node("NP", node("DNP", place.tree, of), node("NP", leaf))
    name, where = say(english, leaf), seq(say("in", of), place.target)
    whole = alt(seq(say("the"), name, where), seq(name, where))
    subject = simple(tree, whole, "it")
    other = city(ctx)
    if ctx.rng.chance(0.5) and other.tree.bracketed() != place.tree.bracketed():
        second = simple(other.tree, other.at(), "it")
        entry = ctx.lexicon.adjective(adjective)
        return sentence(_more(ctx, subject, second, Leaf("VA", adjective), entry.target))
    return sentence(described(ctx, subject, adjective))
