"""An explanation as a page: the translation and its drawing, why it won, then the details."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.explain.explanation import (
    BinView,
    Evidence,
    EvidencePair,
    Explanation,
    ReferenceView,
    Rival,
    StepView,
)
from demotic.explain.feature_names import feature_meaning, feature_name
from demotic.explain.sections import (
    FELL_BACK,
    Section,
    bins_section,
    derivation_section,
    features_section,
    hypotheses_section,
    reference_section,
    reference_verdict,
    rule_text,
)
from demotic.explain.source_tree import drawn_source_tree
from demotic.explain.tree import drawn_trees, step_title
from demotic.report import Html, Page
from demotic.report.bars import signed_bars
from demotic.report.link_grid import link_grid
from demotic.report.markup import bidi_text, element, joined, marked, merged
from demotic.report.search_drawing import bins_chart, phrase_order

__all__ = ["blocks", "drawn_phrases", "page_of"]

_SHOWN = 12  # bars of contributions; the others are summed in one bar
_NAMED = 3  # features named per rival


def page_of(of: Explanation) -> Page:
    page = Page("Why this translation?")
    _translation(page, of)
    _why(page, of)
    _rivals(page, of)
    if of.reference is not None:
        _reference(page, of.reference)
    if of.evidence is not None:
        _evidence(page, of, of.evidence)
    if of.bins:
        _bins(page, of)
    _details(page, of)
    return page


def _translation(page: Page, of: Explanation) -> None:
    page.add(element("p", bidi_text(of.sentence), class_="say"))
    page.add(element("p", "→ ", element("strong", bidi_text(of.translation)), class_="say"))
    if of.fell_back:
        page.note(FELL_BACK)
    if of.kind == "hiero":
        _tree(page, of)
    else:
        _phrases(page, of)
    _source_tree(page, of)


def _source_tree(page: Page, of: Explanation) -> None:
    drawings = drawn_source_tree(of)
    if not drawings:
        return
    page.heading(
        "The parse tree of the source",
        "Features of trees compare the span of each rule with these constituents.",
    )
    with page.inside("div", "pieces"):
        for drawing in drawings:
            page.figure(drawing)


def _tree(page: Page, of: Explanation) -> None:
    trees = drawn_trees(of)
    if not trees:
        return
    pieces = f"{len(trees)} pieces, from left to right" if len(trees) > 1 else "one piece"
    page.heading(
        "How it was put together",
        f"The sentence was translated in {pieces}. Each box is a rule: source words above, their "
        "translation below. A numbered gap is filled by the box with that number below it; hover "
        "over a box to see where it comes from.",
    )
    with page.inside("div", "pieces"):
        for drawing in trees:
            page.figure(drawing)


def _phrases(page: Page, of: Explanation) -> None:
    steps = [step for step in of.steps if step.kind != "end"]
    if not steps:
        return
    page.heading(
        "How it was put together",
        "The sentence was split into phrases (above), and each was translated (below). Crossing "
        "bands show reordering; hover over a phrase to see where it comes from.",
    )
    with page.inside("div", "pieces"):
        for drawing in drawn_phrases(steps):
            page.figure(drawing)


def drawn_phrases(steps: Sequence[StepView]) -> list[Html]:
    """Phrases with bands between both sides, split where nothing crosses."""
    drawings = []
    for block in blocks(steps):
        order = sorted(range(len(block)), key=lambda i: block[i].source_span)
        drawings.append(
            phrase_order(
                [step.source for step in block],
                [step.target for step in block],
                order,
                [f"{rule_text(step)}\n{step_title(step)}" for step in block],
            )
        )
    return drawings


def blocks(steps: Sequence[StepView]) -> list[list[StepView]]:
    """Phrases in target order, split wherever no phrase crosses the boundary."""
    blocks: list[list[StepView]] = [[]]
    covered = furthest = 0
    for step in steps:
        blocks[-1].append(step)
        covered += step.source_span[1] - step.source_span[0]
        furthest = max(furthest, step.source_span[1])
        if covered == furthest:
            blocks.append([])
    return [block for block in blocks if block]


def _why(page: Page, of: Explanation) -> None:
    page.heading(
        "Why it won",
        f"Every translation gets points from several features; this one has {of.score:.2f} in "
        "total, more than any other found. Bars to the right count in its favour, bars to the "
        "left against it; hover over a name to see what it measures.",
    )
    shown, rest = of.contributions[:_SHOWN], of.contributions[_SHOWN:]
    rows = [(feature_name(one.feature), feature_meaning(one.feature), one.points) for one in shown]
    if rest:
        names = ", ".join(feature_name(one.feature) for one in rest)
        rows.append((f"{len(rest)} others", names, sum(one.points for one in rest)))
    page.add(signed_bars(rows))


def _rivals(page: Page, of: Explanation) -> None:
    if not of.rivals:
        page.heading("What nearly won", "No other translation was found.")
        return
    page.heading(
        "What nearly won",
        "The best other translations: words only in the winner are struck out, words only in the "
        "other are underlined. Behind is the difference in points, with its main causes.",
    )
    rows = [_rival(of, one) for one in of.rivals]
    page.table(["translation", "behind", "because of"], rows, cards=True)


def _rival(of: Explanation, rival: Rival) -> tuple[object, ...]:
    text = merged(of.translation, rival.text)
    reasons = [
        element(
            "span",
            f"{feature_name(one.feature)} {one.points:+.2f}",
            title=feature_meaning(one.feature),
        )
        for one in rival.differences[:_NAMED]
    ]
    return text, f"{rival.behind:.2f}", Html(", ".join(reasons))


def _reference(page: Page, known: ReferenceView) -> None:
    page.heading("The reference", "How close the model comes to the given translation.")
    page.add(element("p", bidi_text(known.text), class_="say"))
    for text in reference_verdict(known):
        page.text(text)
    _folded(page, "Where the closest translation ranked during search", reference_section(known))


def _evidence(page: Page, of: Explanation, known: Evidence) -> None:
    page.heading(
        "Where the rules come from",
        known.missing
        or f"Lines of the training corpus ({known.pairs:,} pairs) behind each rule, the shortest "
        "first. The words of the rule are blue; the words in its gaps are underlined.",
    )
    with page.inside("div", "columns"):
        for rule in known.rules:
            with page.inside("section"):
                _rule(page, of.steps[rule.step], rule.pairs)


def _rule(page: Page, step: StepView, pairs: Sequence[EvidencePair]) -> None:
    times = "once" if step.seen == 1 else f"{step.seen:,} times"
    page.add(element("h3", bidi_text(rule_text(step)), f" (seen {times})"))
    for pair in pairs:
        page.add(_evidence_pair(pair))
    if not pairs:
        page.note("No training pair was found.")


def _evidence_pair(pair: EvidencePair) -> Html:
    sides = (pair.source, pair.source_marks), (pair.target, pair.target_marks)
    classes = [
        {i: "words" if mark == 0 else f"gap gap-{mark}" for i, mark in enumerate(marks)
         if mark is not None}
        for _, marks in sides
    ]  # fmt: skip
    doubt = "" if pair.supported else "; its word links do not agree with the rule"
    return element(
        "div",
        *(
            element("div", marked(words, one))
            for (words, _), one in zip(sides, classes, strict=True)
        ),
        element("div", f"{pair.origin}, line {pair.line:,}{doubt}", class_="note"),
        class_="pair",
    )


def _bins(page: Page, of: Explanation) -> None:
    phrases = of.kind == "phrase"
    where = "that cover equally many source words" if phrases else "of the same source span"
    page.heading(
        "The search, bin by bin",
        f"During search, the model keeps partial translations in bins, where those {where} "
        "compete. Each dot is one of them, the best of its bin on top; the line is the path of "
        "the winner.",
    )
    across = "source words covered" if phrases else "spans of the winner"
    drawing = bins_chart([(one.name, one.dots) for one in of.bins], across=across)
    page.figure(drawing, _bins_caption(of.bins))


def _bins_caption(bins: tuple[BinView, ...]) -> str:
    entered = sum(one.entered for one in bins)
    return (
        "Hollow: pruned; grey: kept, but in no complete translation; dark: in a complete "
        f"translation; blue: in the winner. {entered:,} partial translations entered these bins; "
        "large bins are not drawn in full."
    )


def _details(page: Page, of: Explanation) -> None:
    page.heading("Details", "The figures behind the drawings.")
    _folded(page, "The steps and their scores", derivation_section(of))
    _folded(page, "Features, values and weights", features_section(of))
    if of.source and of.words:
        with page.fold("Links between words"):
            page.figure(link_grid(of.source, of.words, of.links))
    if of.bins:
        _folded(page, "Bins in numbers", bins_section(of))
        _folded(page, "The best partial translations", hypotheses_section(of))
    with page.fold("Search settings"):
        rows = [(name.replace("_", " "), str(value)) for name, value in of.settings.items()]
        page.table(["setting", "value"], rows)


def _folded(page: Page, title: str, section: Section) -> None:
    with page.fold(title):
        if section.rows:
            page.table(section.header, section.rows)
        else:
            page.add(joined(["-"]))
