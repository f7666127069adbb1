"""Facts: existence, location, professions, and figures such as ages, prices and distances."""

from __future__ import annotations

from . import numerals
from .clauses import Clause, PredicateWording, sentence
from .context import Context, Phrase
from .english import gerund, plural
from .people import Nominal, individual, named, person, pronoun, relative, simple
from .predicates import adverb
from .things import bare, core, counted, known, new, pointed
from .trees import Leaf, Tree, node
from .verbs import Mood, Verbal
from .where import Spot, company, spot
from .wording import Target, alt, prefer, say, seq

THERE = simple(node("NP"), say("there"), "it")
THERE_ARE = simple(node("NP"), say("there"), "they")
SIDES = {"旁边": "next to|beside", "对面": "across from|opposite", "后面": "behind",
         "前面": "in front of"}  # fmt: skip
CROWDS = (("study", "pupil"), ("green", "young"), ("dine", "guest"), ("hall", "visitor"),
          ("buy", "customer"), ("cafe", "customer"))  # fmt: skip
# Youngest and oldest age of relatives; anybody else is between 7 and 45.
AGES = {
    "爷爷": (62, 88), "奶奶": (60, 87), "爸爸": (36, 58), "父亲": (36, 60), "妈妈": (34, 56),
    "母亲": (34, 58), "父母": (40, 60), "叔叔": (30, 55), "阿姨": (28, 54), "姑姑": (28, 54),
    "妻子": (25, 50), "丈夫": (26, 52), "儿子": (3, 25), "女儿": (3, 25),
}  # fmt: skip
POSTURES = {"墙": ("挂", "hang", "picture", "上", "on"), "桌子": ("放", "lie", "book", "上", "on")}


def existence(ctx: Context) -> Phrase:
    """桌子 上 有 三 本 书; 教室 里 有 很多 学生."""
    where, english = _inside(ctx)
    have = Leaf("VE", "有")
    return _there(where, english[0], have, english[1])


def _inside(ctx: Context) -> tuple[Tree, tuple[Target, Nominal]]:
    """A surface, container or room, and what may be found there."""
    kind = ctx.rng.pick({"on": 3, "in": 2, "room": 3})
    if kind == "room":
        return _crowded(ctx)
    holder = bare(core(ctx, ctx.noun("furniture" if kind == "on" else "box"), adjective=0))
    side = Leaf("LC", "上" if kind == "on" else "里")
    english = seq(say("on" if kind == "on" else "in", side), holder.target)
    noun = (
        ctx.noun("book", "tool", "dish", "picture")
        if kind == "on"
        else ctx.noun("tool", "toy", "book")
    )
    return node("LCP", holder.tree, side), (english, new(ctx, core(ctx, noun)))


def _crowded(ctx: Context) -> tuple[Tree, tuple[Target, Nominal]]:
    """A public place and the people found there."""
    kind, who = ctx.rng.choice(CROWDS)
    place, people = spot(ctx, (kind,)), ctx.noun(who)
    many, leaf = Leaf("CD", ctx.rng.choice(("很多", "不少"))), Leaf("NN", people.source)
    words = "|".join(plural(word) for word in people.target)
    tree = node("NP", node("QP", many), node("NP", leaf))
    found = simple(tree, seq(say("many|a lot of", many), say(words, leaf)), "they")
    inside = Leaf("LC", "里")
    return node("LCP", place.tree, inside), (place.at(inside), found)


def _there(where: Tree, at: Target, have: Leaf, found: Nominal) -> Phrase:
    """`There is a book on the table`, or with the place first."""
    there = THERE if found.who == "it" else THERE_ARE
    vp, stop = node("VP", where, node("VP", have, found.tree)), Leaf("PU", "。")
    last = Clause(
        there, vp, (PredicateWording((Verbal("be", (have,), seq(found.target, at)),), Mood()),)
    )
    bare = Clause(there, vp, (PredicateWording((Verbal("be", (have,), found.target),), Mood()),))
    target = prefer(last.target(), seq(at, bare.target()))
    return Phrase(node("IP", vp, stop), seq(target, say(".", stop)))


def posture(ctx: Context) -> Phrase:
    """墙 上 挂 着 一 幅 画."""
    surface = ctx.rng.choice(list(POSTURES))
    verb, english, kind, side, preposition = POSTURES[surface]
    leaf, lc, vv = Leaf("NN", surface), Leaf("LC", side), Leaf("VV", verb)
    found = new(ctx, core(ctx, ctx.noun(kind)))
    holder = {"墙": "the wall", "桌子": "the table|the desk"}[surface]
    at = seq(say(preposition, lc), say(holder, leaf))
    vp = node("VP", node("LCP", node("NP", leaf), lc), node("VP", vv, Leaf("AS", "着"), found.tree))
    there = THERE if found.who == "it" else THERE_ARE
    plain = PredicateWording((Verbal("be", (), seq(found.target, at)),), Mood())
    doing = PredicateWording(
        (Verbal("be", (), seq(found.target, say(gerund(english), vv), at)),), Mood()
    )
    return sentence(Clause(there, vp, (plain, doing)))


def location(ctx: Context) -> Phrase:
    """你 的 书 在 桌子 上; 银行 在 邮局 对面."""
    at_ = Leaf("VV", "在")
    if ctx.rng.chance(0.5):
        one, two = spot(ctx, ("street",)), spot(ctx, ("street",))
        if one.tree.bracketed() == two.tree.bracketed():
            return location(ctx)
        side = Leaf("LC", ctx.rng.choice(list(SIDES)))
        subject = simple(one.tree, one.target, "it")
        vp = node("VP", at_, node("LCP", two.tree, side))
        rest = seq(say(SIDES[side.word], side), two.target)
    else:
        subject = known(ctx, core(ctx, ctx.noun("personal", "book", "tool"), adjective=0.1), None)
        on = ctx.rng.chance(0.6)
        holder = bare(core(ctx, ctx.noun("furniture" if on else "box"), adjective=0))
        side = Leaf("LC", "上" if on else "里")
        vp = node("VP", at_, node("LCP", holder.tree, side))
        rest = seq(say("on" if on else "in", side), holder.target)
    return sentence(Clause(subject, vp, (PredicateWording((Verbal("be", (at_,), rest),), Mood()),)))


def profession(ctx: Context) -> Phrase:
    """他 爸爸 是 医生; 她 是 一 位 有名 的 作家; 约翰 是 美国 人."""
    subject = ctx.rng.choice((named, relative))(ctx)
    while subject.who == "they":
        subject = relative(ctx)
    is_ = Leaf("VC", "是")
    kind = ctx.rng.pick({"job": 4, "nation": 3, "at": 2})
    if kind == "nation":
        country = ctx.name("country")
        name, people = Leaf("NR", country.source), Leaf("NN", "人")
        rest = alt(
            say(country.nation, name, people),
            seq(say("from", people), say("|".join(country.target), name)),
        )
        return sentence(_is(subject, is_, node("NP", name, people), rest))
    noun = ctx.noun("trade" if kind == "job" else "staff")
    leaf, words = Leaf("NN", noun.source), "|".join(noun.target)
    if kind == "job":
        one, measure = Leaf("CD", "一"), Leaf("M", noun.measures[0][0])
        tree = node("NP", node("QP", one, node("CLP", measure)), node("NP", leaf))
        a_trade = seq(say("a", one), say(words, leaf))
        wordings = (
            PredicateWording((Verbal("be", (is_,), a_trade),), Mood()),
            PredicateWording((Verbal("work", (is_,), seq(say("as"), a_trade)),), Mood()),
        )
        return sentence(Clause(subject, node("VP", is_, tree), wordings))
    where = company(ctx)
    of = Leaf("DEG", "的")
    tree = node("NP", node("DNP", where.tree, of), node("NP", leaf))
    return sentence(_is(subject, is_, tree, seq(say("a"), say(words, leaf), where.at(of))))


def _is(subject: Nominal, copula: Leaf, tree: Tree, rest: Target) -> Clause:
    return Clause(
        subject,
        node("VP", copula, tree),
        (PredicateWording((Verbal("be", (copula,), rest),), Mood()),),
    )


def age(ctx: Context) -> Phrase:
    """小明 今年 十二 岁."""
    subject = ctx.rng.choice((named, relative))(ctx)
    *_, last = subject.tree.leaves()
    low, high = AGES.get(last.word, (7, 45))
    number = ctx.rng.between(low, high)
    this, count, years = Leaf("NT", "今年"), Leaf("CD", numerals.chinese(number)), Leaf("M", "岁")
    vp = node("VP", node("NP", this), node("VP", node("QP", count, node("CLP", years))))
    figure = say(f"{numerals.english(number)}|{number}", count)
    rest = alt(
        seq(figure, say("years old", years), say("this year", this)),
        seq(figure, say("years old", years)),
        seq(figure, say("this year", this)),
    )
    return sentence(Clause(subject, vp, (PredicateWording((Verbal("be", (), rest),), Mood()),)))


def price(ctx: Context) -> Phrase:
    """这 件 衬衫 三百 块 钱."""
    noun, low, step = ctx.rng.choice(
        (
            ("wear", 8, 10),
            ("goods", 12, 100),
            ("cycle", 6, 100),
            ("book", 3, 10),
            ("drive", 9, 10000),
        )
    )
    item = ctx.noun(noun)
    if not item.measures or item.measures[0][1]:
        return price(ctx)
    subject = pointed(core(ctx, item, adjective=0), near=ctx.rng.chance(0.6))
    vp, money = sum_of_money(ctx, low, step)
    verb = Leaf("VV", "要")
    verbals = (Verbal("cost", (verb,), money),)
    return sentence(Clause(subject, node("VP", verb, vp), (PredicateWording(verbals, Mood()),)))


def sum_of_money(ctx: Context, low: int, step: int) -> tuple[Tree, Target]:
    """三百五十 块 钱 and its English."""
    number = ctx.rng.between(low, low * 6) * step
    count, unit, money = Leaf("CD", numerals.chinese(number)), Leaf("M", "块"), Leaf("NN", "钱")
    tree = node("NP", node("QP", count, node("CLP", unit)), node("NP", money))
    figure = say(f"{numerals.english(number)}|{numerals.digits(number)}", count)
    return tree, seq(figure, say("yuan", unit, money))


def spending(ctx: Context) -> Phrase:
    """他 花 了 三百 块 钱 买 了 一 件 衬衫."""
    subject = individual(ctx)
    kind, low, step = ctx.rng.choice(
        (("wear", 8, 10), ("goods", 12, 100), ("furniture", 5, 100), ("cycle", 6, 100))
    )
    item = new(ctx, core(ctx, ctx.noun(kind), adjective=0))
    spend, first, buy = Leaf("VV", "花"), Leaf("AS", "了"), Leaf("VV", "买")
    tree, money = sum_of_money(ctx, low, step)
    vp = node("VP", node("VP", spend, first, tree), node("VP", buy, Leaf("AS", "了"), item.tree))
    verbals = (
        Verbal("spend", (spend,), seq(money, say("on", buy), item.target)),
        Verbal("buy", (buy,), seq(item.target, say("for", spend), money)),
    )
    return sentence(Clause(subject, vp, (PredicateWording(verbals, Mood("past")),)))


def population(ctx: Context) -> Phrase:
    """这 个 城市 有 八百万 人; 这 家 工厂 有 三万五千 名 工人."""
    have = Leaf("VE", "有")
    if ctx.rng.chance(0.5):
        number = ctx.rng.between(30, 300) * 100_000
        this, measure, town = (
            Leaf("DT", ctx.rng.choice(("这", "那"))),
            Leaf("M", "座"),
            Leaf("NN", "城市"),
        )
        name = node("NP", node("DP", this, node("CLP", measure)), node("NP", town))
        english = say("this" if this.word == "这" else "that", this)
        subject = simple(name, seq(english, say("city", town)), "it")
        count, people = Leaf("CD", numerals.chinese(number)), Leaf("NN", "人")
        tree = node("NP", node("QP", count), node("NP", people))
        figure = say(f"{numerals.english(number)}|{numerals.figures(number)}", count)
        about, rough = adverb("大约")
        verbals = (
            Verbal("have", (have,), seq(say("about", rough), figure, say("people", people))),
            Verbal(
                "have", (have,), seq(say("a population of", people), say("about", rough), figure)
            ),
        )
        vp = node("VP", about, node("VP", have, tree))
        return sentence(Clause(subject, vp, (PredicateWording(verbals, Mood()),)))
    return sentence(_staff(ctx, have))


def _staff(ctx: Context, have: Leaf) -> Clause:
    place, words, noun, english = ctx.rng.choice(
        (("工厂", "factory", "工人", "workers"), ("大学", "university", "学生", "students"),
         ("医院", "hospital", "医生", "doctors"), ("学校", "school", "老师", "teachers"))
    )  # fmt: skip
    big = place in ("工厂", "大学")
    number = ctx.rng.between(21, 90) * (500 if big else 10)
    this, measure, leaf = (
        Leaf("DT", "这"),
        Leaf("M", "所" if place in ("大学", "学校") else "家"),
        Leaf("NN", place),
    )
    subject = simple(
        node("NP", node("DP", this, node("CLP", measure)), node("NP", leaf)),
        seq(say("this", this), say(words, leaf)), "it",
    )  # fmt: skip
    count, unit, people = Leaf("CD", numerals.chinese(number)), Leaf("M", "名"), Leaf("NN", noun)
    tree = node("NP", node("QP", count, node("CLP", unit)), node("NP", people))
    figure = say(f"{numerals.english(number)}|{numerals.digits(number)}", count)
    verbals = (Verbal("have", (have,), seq(figure, say(english, people))),)
    return Clause(subject, node("VP", have, tree), (PredicateWording(verbals, Mood()),))


def possession(ctx: Context) -> Phrase:
    """我 有 两 个 哥哥; 他 没有 汽车."""
    subject = person(ctx)
    if ctx.rng.chance(0.4):
        no = Leaf("VE", "没有")
        noun = ctx.noun("own", "device", "instrument", "pet")
        leaf = Leaf("NN", noun.source)
        obj = simple(node("NP", leaf), seq(say("a"), say("|".join(noun.target), leaf)), "it")
        way = PredicateWording((Verbal("have", (no,), obj.target),), Mood(negation=(no,)))
        return sentence(Clause(subject, node("VP", no, obj.tree), (way,)))
    have = Leaf("VE", "有")
    kind = ctx.rng.pick({"thing": 3, "friend": 2})
    verbs = ["have"]
    if kind == "thing":
        it = core(ctx, ctx.noun("own", "pet", "goods", "instrument", "cycle"), adjective=0.5)
        number = Leaf("CD", ctx.rng.choice(("一", "一", "两")))
        obj, verbs = counted(it, number, Leaf("M", it.noun.measures[0][0]), ()), ["have", "own"]
    else:
        obj = foreign_friend(ctx)
    verbals = tuple(Verbal(verb, (have,), obj.target) for verb in verbs)
    return sentence(
        Clause(subject, node("VP", have, obj.tree), (PredicateWording(verbals, Mood()),))
    )


def foreign_friend(ctx: Context) -> Nominal:
    """一 个 法国 朋友, 一 个 老 朋友."""
    one, measure, leaf = Leaf("CD", "一"), Leaf("M", "个"), Leaf("NN", "朋友")
    count = node("QP", one, node("CLP", measure))
    if ctx.rng.chance(0.25):
        old = Leaf("JJ", "老")
        tree = node("NP", count, node("ADJP", old), node("NP", leaf))
        return simple(tree, seq(say("a", one), say("old", old), say("friend", leaf)), "he")
    country = ctx.name("country")
    name = Leaf("NR", country.source)
    tree = node("NP", count, node("NP", name), node("NP", leaf))
    land = say("|".join(country.target), name)
    target = alt(
        seq(say("a", one), say(country.nation, name), say("friend", leaf)),
        seq(say("a", one), say("friend", leaf), say("from"), land),
    )
    return simple(tree, target, "he")


def distance(ctx: Context) -> Phrase:
    """我 家 离 学校 很 远; 火车站 离 这儿 有 三 公里."""
    owner = pronoun(ctx.rng.choice(("I", "he", "she"))) if ctx.rng.chance(0.6) else named(ctx)
    home, from_ = Leaf("NN", "家"), Leaf("P", "离")
    tree = node("NP", owner.tree, node("NP", home))
    subject = simple(tree, seq(owner.owner, say("home|house", home)), "it")
    where = spot(ctx, ("public",))
    if ctx.rng.chance(0.5):
        return sentence(_kilometres(ctx, subject, from_, where))
    far = ctx.rng.chance(0.5)
    degree, leaf = adverb(ctx.rng.choice(("很", "不")))
    quality = Leaf("VA", "远" if far else "近")
    words = say("far from", quality, from_) if far else say("near|close to", quality, from_)
    no = (leaf,) if leaf.word == "不" else ()
    if no and not far:
        return distance(ctx)
    vp = node("VP", node("PP", from_, where.tree), node("VP", degree, node("VP", quality)))
    very = words if no else prefer(words, seq(say("very", leaf), words)) if not far else words
    return sentence(
        Clause(
            subject,
            vp,
            (PredicateWording((Verbal("be", (), seq(very, where.target)),), Mood(negation=no)),),
        )
    )


def _kilometres(ctx: Context, subject: Nominal, from_: Leaf, where: Spot) -> Clause:
    """离 学校 有 三 公里."""
    number = ctx.rng.between(2, 30)
    have, unit = Leaf("VE", "有"), Leaf("M", "公里")
    count = Leaf("CD", numerals.counted(number))
    figure = node("QP", count, node("CLP", unit))
    vp = node("VP", node("PP", from_, where.tree), node("VP", have, figure))
    length = seq(say(numerals.english(number), count), say("kilometres|kilometers", unit))
    rest = seq(length, say("from|away from", from_), where.target)
    return Clause(subject, vp, (PredicateWording((Verbal("be", (), rest),), Mood()),))
