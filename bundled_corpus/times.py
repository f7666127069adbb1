"""Time expressions: words for days, hours of the clock, dates, years and durations."""

from __future__ import annotations

from . import numerals
from .context import Context, Phrase
from .english import ordinal
from .trees import Leaf, grow, node
from .wording import alt, render, say, seq

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS = {
    "一": "Monday", "二": "Tuesday", "三": "Wednesday", "四": "Thursday", "五": "Friday",
    "六": "Saturday", "天": "Sunday",
}  # fmt: skip
DAYTIME = {"早上": (6, 8), "上午": (9, 11), "下午": (1, 5), "晚上": (6, 10)}
SPOKEN = {"早上": "in the morning", "上午": "in the morning", "下午": "in the afternoon",
          "晚上": "in the evening"}  # fmt: skip


def when(ctx: Context, tense: str, uses: tuple[str, ...] = ()) -> Phrase:
    """A time for a past or future event; the uses of its frame decide which times fit."""
    if "meal" in uses:
        return worded(ctx, f"day-{tense}")
    if "long" in uses or ("far" in uses and ctx.rng.chance(0.6)):
        rule = ctx.rng.pick(
            {"worded": 6, "date": 1, "year": 2.0 * (tense == "past" and "year" in uses)}
        )
        return (
            date(ctx)
            if rule == "date"
            else year(ctx)
            if rule == "year"
            else worded(ctx, f"far-{tense}")
        )
    if "soon" not in uses and ctx.rng.chance(0.4):
        return weekday(ctx, tense) if ctx.rng.chance(0.4) else worded(ctx, f"week-{tense}")
    hour = "soon" not in uses and "plain" not in uses and ctx.rng.chance(0.08)
    return day_and_hour(ctx, tense) if hour else worded(ctx, tense)


def worded(ctx: Context, kind: str) -> Phrase:
    entry = ctx.time(kind)
    tree = grow(entry.source)
    leaves = tuple(tree.leaves())
    return Phrase(tree, alt(*(render(option, leaves, {}) for option in entry.target)))


def day_and_hour(ctx: Context, tense: str) -> Phrase:
    """昨天 下午 三点."""
    day = ctx.time(f"day-{tense}")
    part = ctx.rng.choice(list(DAYTIME))
    hour = clock(ctx, *DAYTIME[part])
    word, spoken = grow(day.source), Leaf("NT", part)
    first = next(word.leaves())
    english = alt(*(render(option, (first,), {}) for option in day.target))
    name = say(SPOKEN[part].rpartition(" ")[2], spoken)
    if len(day.target[0].split()) == 1:
        target = alt(seq(hour.target, english, name), seq(english, name, hour.target))
    else:
        target = seq(hour.target, say(SPOKEN[part], spoken), english)
    return Phrase(node("NP", first, spoken, *hour.tree.children), target)


def clock(ctx: Context, low: int, high: int) -> Phrase:
    """三点, 八点半: an hour of the clock."""
    hour = ctx.rng.between(low, high)
    number = numerals.counted(hour)
    words = numerals.english(hour)
    if ctx.rng.chance(0.3):
        leaf = Leaf("NT", number + "点半")
        return Phrase(
            node("NP", leaf),
            say(f"at half past {words}|at {words} thirty|at {hour}:30", leaf),
        )
    leaf = Leaf("NT", number + "点")
    return Phrase(node("NP", leaf), say(f"at {words} o'clock|at {words}", leaf))


def hour_of_day(ctx: Context, part: str, low: int, high: int) -> Phrase:
    """早上 七点, for daily events."""
    hour = clock(ctx, low, high)
    leaf = Leaf("NT", part)
    target = seq(hour.target, say(SPOKEN[part], leaf))
    return Phrase(node("NP", leaf, *hour.tree.children), target)


def weekday(ctx: Context, tense: str) -> Phrase:
    """上 个 星期五, 下 个 星期三."""
    word = ctx.rng.choice(list(WEEKDAYS))
    which = Leaf("DT", "上" if tense == "past" else "下")
    measure, leaf = Leaf("M", "个"), Leaf("NT", "星期" + word)
    tree = node("NP", node("DP", which, node("CLP", measure)), node("NP", leaf))
    english = seq(say("last" if tense == "past" else "next", which), say(WEEKDAYS[word], leaf))
    return Phrase(tree, english)


def date(ctx: Context) -> Phrase:
    """三月 五日, with its English in the usual orders."""
    month, day = ctx.rng.between(1, 12), ctx.rng.between(1, 28)
    first = Leaf("NT", numerals.chinese(month) + "月")
    second = Leaf("NT", numerals.chinese(day) + "日")
    name = say(MONTHS[month - 1], first)
    target = alt(
        seq(say("on"), name, say(str(day), second)),
        seq(say("on"), name, say(ordinal(day), second)),
        seq(say("on the"), say(ordinal(day), second), say("of"), name),
    )
    return Phrase(node("NP", first, second), target)


def year(ctx: Context, low: int = 1980, high: int = 2012) -> Phrase:
    number = ctx.rng.between(low, high)
    leaf = Leaf("NT", numerals.year(number))
    return Phrase(node("NP", leaf), say(f"in {number}", leaf))


def duration(ctx: Context, *units: str) -> Phrase:
    """三 年, 两 个 小时, 十 分钟."""
    unit = ctx.rng.choice(units)
    measured, english = {
        "年": (False, "year"), "月": (True, "month"), "小时": (True, "hour"),
        "分钟": (False, "minute"),
    }[unit]  # fmt: skip
    low, high, step = {"分钟": (1, 5, 10), "小时": (2, 4, 1)}.get(unit, (2, 9, 1))
    number = step * ctx.rng.between(low, high)
    count = Leaf("CD", numerals.counted(number))
    leaf = Leaf("NN" if measured else "M", unit)
    tree = (
        node("NP", node("QP", count, node("CLP", Leaf("M", "个"))), node("NP", leaf))
        if measured
        else node("QP", count, node("CLP", leaf))
    )
    words = numerals.english(number)
    return Phrase(tree, seq(say(words, count), say(english + "s", leaf)))
