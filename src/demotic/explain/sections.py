"""An explanation in reading order: headings, sentences, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from demotic.explain.explanation import (
    BinMember,
    Contribution,
    Evidence,
    EvidencePair,
    Explanation,
    ReferenceView,
    StepView,
)

__all__ = [
    "FELL_BACK",
    "Section",
    "bins_section",
    "derivation_section",
    "features_section",
    "hypotheses_section",
    "reference_section",
    "reference_verdict",
    "rule_text",
    "sections",
]

_NAMED = 3  # contributions named per row
_ENDING = 60  # characters shown of a partial translation; it differs from others at its end

FELL_BACK = (
    "The sentence was too long for the requested search: it was decoded without reordering, or "
    "with a smaller beam."
)


@dataclass
class Section:
    """A heading with sentences and a table."""

    title: str
    texts: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()


def sections(of: Explanation) -> list[Section]:
    """The whole explanation as sentences and tables; a page draws most of it instead."""
    parts = [_translation(of), derivation_section(of)]
    if of.evidence is not None:
        parts.append(evidence_section(of, of.evidence))
    parts += [features_section(of), _rivals(of)]
    if of.reference is not None:
        parts.append(reference_section(of.reference))
    parts.append(bins_section(of))
    if of.bins:
        parts.append(hypotheses_section(of))
    return parts


def _translation(of: Explanation) -> Section:
    texts = [of.sentence, of.translation, f"score {of.score:.3f}"]
    texts += [f"asked for: {one}" for one in of.constraints]
    return Section("Translation", [*texts, FELL_BACK] if of.fell_back else texts)


def derivation_section(of: Explanation) -> Section:
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


def features_section(of: Explanation) -> Section:
    rows = [
        (one.feature, f"{one.value:.3f}", f"{one.weight:.3f}", _points(one.points))
        for one in of.contributions
    ]
    rows.append(("score", "", "", f"{of.score:.3f}"))
    header = ("feature", "value", "weight", "adds")
    return Section("What the score consists of", [], header, rows)


def bins_section(of: Explanation) -> Section:
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
    by = "score plus future cost estimate" if of.settings["future_cost"] else "score alone"
    text = f"Partial translations compete with those that cover equally many source words, by {by}."
    if of.kind == "hiero":
        text = "Pieces compete with those of the same span; these are the spans of the winner."
    bin_ = "words covered" if of.kind == "phrase" else "span"
    header = (bin_, "entered", "kept", "in complete translations", "rank of the winner")
    return Section("Bins", [text], header, rows)


def _rivals(of: Explanation) -> Section:
    rows = [
        (rival.text, f"{rival.score:.3f}", _points(-rival.behind), named(rival.differences))
        for rival in of.rivals
    ]
    text = "Other translations, how far they are behind, and the features that decided."
    header = ("translation", "score", "behind", "because of")
    return Section("Near misses", [text] if rows else ["There is no other."], header, rows)


def hypotheses_section(of: Explanation) -> Section:
    rows = [_member_row(view.name, one) for view in of.bins for one in view.best]
    text = "The best of every bin; * marks the winner's, + in 'covers' a covered source word."
    header = ("bin", "rank", "", "covers", "partial translation", "score", "future", "end")
    return Section("Best partial translations", [text], header, rows)


def _member_row(name: str, one: BinMember) -> tuple[str, ...]:
    end = "complete" if one.reaches_goal else "kept" if one.alive else "pruned"
    mark = "*" if one.winner else ""
    numbers = (f"{one.score:.3f}", f"{one.future:.3f}")
    return (name, str(one.rank), mark, one.covered, _ending(one.text), *numbers, end)


def reference_section(known: ReferenceView) -> Section:
    rows = [tuple(map(str, place)) for place in known.path]
    texts = [known.text, *reference_verdict(known), "Where the closest one ranked during search:"]
    return Section("Reference", texts, ("bin", "rank", "hypotheses"), rows)


def reference_verdict(known: ReferenceView) -> list[str]:
    """Whether the reference was found, and how close the translations come to it."""
    if known.is_reference:
        verdict = f"It is number {known.closest_rank} of the {known.listed} best translations."
    else:
        verdict = (
            f"It is not among the {known.listed} best translations; closest to it by chrF is "
            f"number {known.closest_rank}: {known.closest}"
        )
    chrf = f"chrF: {known.chrf:.1f} of the closest, {known.chrf_of_best:.1f} of the winner."
    return [verdict, chrf]


def evidence_section(of: Explanation, known: Evidence) -> Section:
    if known.missing:
        return Section("Evidence", [known.missing])
    texts = [
        f"Training pairs behind each rule, of {known.pairs:,}. «» marks the words of the rule, [1] "
        "and [2] the words in its gaps."
    ]
    for rule in known.rules:
        step = of.steps[rule.step]
        texts.append(f"{rule_text(step)}   (rule {step.rule}, seen {step.seen})")
        texts += [f"    {line}" for pair in rule.pairs for line in _evidence_lines(pair)]
        texts += [] if rule.pairs else ["    (not found)"]
    return Section("Evidence", texts)


def rule_text(step: StepView) -> str:
    return f"{' '.join(step.source)} → {' '.join(step.target) or '(nothing)'}"


def _evidence_lines(pair: EvidencePair) -> tuple[str, ...]:
    sides = (pair.source, pair.source_marks), (pair.target, pair.target_marks)
    doubt = "" if pair.supported else ", though its links do not agree with the rule"
    return (*(_with_marks(*side) for side in sides), f"  {pair.origin}, line {pair.line}{doubt}")


def _with_marks(words: Sequence[str], marks: Sequence[int | None]) -> str:
    parts = []
    for mark, places in groupby(range(len(words)), lambda i: marks[i]):
        text = " ".join(words[i] for i in places)
        parts.append(text if mark is None else f"«{text}»" if mark == 0 else f"[{mark} {text}]")
    return " ".join(parts)


def named(contributions: Sequence[Contribution]) -> str:
    """The largest contributions with their names."""
    return ", ".join(f"{one.feature} {_points(one.points)}" for one in contributions[:_NAMED])


def _ending(text: str) -> str:
    return text if len(text) <= _ENDING else "..." + text[3 - _ENDING :]


def _points(points: float) -> str:
    return f"{points:+.3f}"
