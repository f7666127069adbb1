"""An explanation in the order in which it is read: headings, sentences, tables, drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from demotic.explain.explanation import BinMember, Contribution, Explanation, StepView
from demotic.report.drawing import alignment_grid
from demotic.report.search_drawing import bins_chart, phrase_order

__all__ = ["Section", "sections"]

_NAMED = 3  # contributions named in a row
_ENDING = 60  # characters of a partial translation: its end is where it differs


@dataclass
class Section:
    """A part of it; drawings are for pages only."""

    title: str
    texts: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    figures: list[tuple[str, str]] = field(default_factory=list)  # SVG, caption


def sections(of: Explanation) -> list[Section]:
    parts = [_translation(of), _derivation(of), _features(of), _bins(of), _rivals(of)]
    if of.bins:
        parts.append(_hypotheses(of))
    if of.reference is not None:
        parts.append(_reference(of))
    return parts


def _translation(of: Explanation) -> Section:
    section = Section("Translation", [of.sentence, of.translation, f"score {of.score:.3f}"])
    if of.fell_back:
        section.texts.append(
            "The sentence was too long to be searched as asked: without reordering, or with a "
            "narrower beam."
        )
    phrases = [step for step in of.steps if step.kind != "end"]
    if phrases and of.kind == "phrase":
        order = sorted(range(len(phrases)), key=lambda i: phrases[i].source_span)
        drawing = phrase_order(
            [step.source for step in phrases], [step.target for step in phrases], order
        )
        section.figures.append((drawing, "Source phrases above, what became of them below"))
    if of.source:
        grid = alignment_grid(of.source, of.words, of.links)
        section.figures.append((grid, "Links between words"))
    return section


def _derivation(of: Explanation) -> Section:
    rows = [_step_row(i, step) for i, step in enumerate(of.steps, 1)]
    header = ("step", "source", "at", "target", "rule", "seen", "score", "mostly")
    text = "Phrases in the order of the translation."
    if of.kind == "hiero":
        text = "Rules from the whole sentence down; [1] and [2] are gaps, filled by later rules."
    return Section("Derivation", [text], header, rows)


def _step_row(number: int, step: StepView) -> tuple[str, ...]:
    if step.kind == "end":
        return ("", "", "", "(end)", "", "", _points(step.score), named(step.contributions))
    begin, end = step.source_span
    return (
        str(number),
        " ".join(step.source),
        str(begin) if end == begin + 1 else f"{begin}-{end - 1}",
        " ".join(step.target) or "(nothing)",
        step.kind if step.rule is None else str(step.rule),
        "" if step.seen is None else str(step.seen),
        _points(step.score),
        named(step.contributions),
    )


def _features(of: Explanation) -> Section:
    rows = [
        (one.feature, f"{one.value:.3f}", f"{one.weight:.3f}", _points(one.points))
        for one in of.contributions
    ]
    rows.append(("score", "", "", f"{of.score:.3f}"))
    header = ("feature", "value", "weight", "adds")
    return Section("What the score is made of", [], header, rows)


def _bins(of: Explanation) -> Section:
    rows = [
        (
            one.name,
            str(one.entered),
            str(one.survived),
            str(one.reach_goal),
            "-" if one.winner_rank is None else str(one.winner_rank),
        )
        for one in of.bins
    ]
    text = (
        "Partial translations compete with those that cover as many source words, by score and "
        "estimated future."
    )
    if of.kind == "hiero":
        text = "Pieces compete with those of the same span; here are the spans of the winner."
    bin_ = "words covered" if of.kind == "phrase" else "span"
    header = (bin_, "entered", "survived", "reach the goal", "rank of the winner")
    section = Section("Bins", [text], header, rows)
    if of.bins:
        caption = (
            "A column a bin, the best of it at the top (of large bins not all). Hollow: fell off "
            "the beam; grey: survived in vain; dark: part of a complete translation; the line is "
            "the winner's path."
        )
        section.figures.append((bins_chart([(one.name, one.dots) for one in of.bins]), caption))
    return section


def _rivals(of: Explanation) -> Section:
    rows = [
        (rival.text, f"{rival.score:.3f}", _points(-rival.behind), named(rival.differences))
        for rival in of.rivals
    ]
    text = "Other translations, what they are behind, and the features that made the difference."
    header = ("translation", "score", "behind", "because of")
    return Section("Near misses", [text] if rows else ["There is no other."], header, rows)


def _hypotheses(of: Explanation) -> Section:
    rows = [_member_row(view.name, one) for view in of.bins for one in view.best]
    text = "The best of every bin; * is the winner's own, + in 'covers' a source word that is done."
    header = ("bin", "rank", "", "covers", "partial translation", "score", "future", "end")
    return Section("Best partial translations", [text], header, rows)


def _member_row(name: str, one: BinMember) -> tuple[str, ...]:
    end = "goal" if one.reaches_goal else "survived" if one.alive else "fell off"
    mark = "*" if one.winner else ""
    numbers = (f"{one.score:.3f}", f"{one.future:.3f}")
    return (name, str(one.rank), mark, one.covered, _ending(one.text), *numbers, end)


def _reference(of: Explanation) -> Section:
    known = of.reference
    if known is None:
        raise ValueError("an explanation without a reference")
    if known.is_reference:
        verdict = f"It is number {known.closest_rank} of the {known.listed} best translations."
    else:
        verdict = (
            f"It is not among the {known.listed} best translations; nearest to it by chrF is "
            f"number {known.closest_rank}: {known.closest}"
        )
    chrf = f"chrF: {known.chrf:.1f} of the nearest, {known.chrf_of_best:.1f} of the winner."
    rows = [tuple(map(str, place)) for place in known.path]
    texts = [known.text, verdict, chrf, "Where the nearest stood on its way:"]
    return Section("Reference", texts, ("bin", "rank", "hypotheses"), rows)


def named(contributions: Sequence[Contribution]) -> str:
    """The largest by name."""
    return ", ".join(f"{one.feature} {_points(one.points)}" for one in contributions[:_NAMED])


def _ending(text: str) -> str:
    return text if len(text) <= _ENDING else "..." + text[3 - _ENDING :]


def _points(points: float) -> str:
    return f"{points:+.3f}"
