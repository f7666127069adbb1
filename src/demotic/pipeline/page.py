"""The report of `demotic make`: how good the translator is, examples, how it was made.

The first screen has the headline, test scores by stage, times, and translations before and after;
details follow.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from demotic.durations import duration, short_duration
from demotic.pipeline.model_sections import add_model_sections
from demotic.pipeline.result import Example, MakeResult, StageResult
from demotic.report import Html, Page
from demotic.report.axis import Axis
from demotic.report.bars import bars
from demotic.report.curve import curve
from demotic.report.markup import bidi_text, changed, commands, element
from demotic.report.whiskers import axis_row, interval_axis, interval_row
from demotic.report.words import (
    difference,
    plain_name,
    plain_value,
)
from demotic.sizes import bytes_text
from demotic.text.language_names import language_name

__all__ = ["report_page"]

_METRICS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
_KINDS = {"phrase": "phrase-based", "hiero": "hierarchical (Hiero)"}
_PARTS = {
    "read": "pairs read",
    "train": "training pairs",
    "dev": "dev pairs (tuning)",
    "test": "test pairs",
    "references": "references per test sentence",
}
_SIZES = {
    "rules": "translation rules",
    "words": "words in the vocabulary",
    "ngrams": "word sequences in the language model",
    "features": "features with a weight",
}


def report_page(result: MakeResult) -> Page:
    """The page of a result; `.write(path)` writes it."""
    page = Page(_headline(result), subtitle=_summary(result))
    with page.inside("div", "first"):
        with page.inside("section"):
            _scores(page, result)
        with page.inside("section"):
            _times(page, result)
    _examples(page, result)
    _use(page, result)
    _curves(page, result)
    add_model_sections(page, result)
    _corpus(page, result)
    _details(page, result)
    return page


def _headline(result: MakeResult) -> str:
    score = result.best.scores.get("bleu")
    languages = (
        f"{language_name(result.source_language)} to {language_name(result.target_language)}"
    )
    return f"{languages} translator" + (f": {score.value:.1f} BLEU" if score else "")


def _summary(result: MakeResult) -> str:
    names = language_name(result.source_language), language_name(result.target_language)
    kind = _KINDS.get(result.best.kind, result.best.kind)
    seconds = sum(seconds for _, seconds in result.times)
    took = f" in {duration(seconds)}" if seconds else ""
    speed = f"; it translates {result.speed:,.0f} words per second" if result.speed else ""
    pairs = f"{result.sentences.get('train', 0):,} sentence pairs"
    return f"A {kind} {names[0]}-{names[1]} model, trained on {pairs}{took}{speed}."


def _scores(page: Page, result: MakeResult) -> None:
    page.add(element("h3", "Test scores by stage"))
    known = [stage for stage in result.stages if "bleu" in stage.scores]
    if not known:
        page.note("Nothing was tested, since there is no test set.")
        return
    bleu = [stage.scores["bleu"] for stage in known]
    axis = interval_axis([(one.value, one.low, one.high) for one in bleu])
    others = [name for name in _METRICS if name != "bleu" and name in known[0].scores]
    header = ("stage", "BLEU", "with 95 % interval", *(_METRICS[name] for name in others), "")
    head = element("tr", *(element("th", name, scope="col") for name in header), class_="head")
    rows = [_score_row(result, stage, axis, others) for stage in known]
    before, after = Html("<td></td>" * 2), Html("<td></td>" * (len(others) + 1))
    foot = element("tr", before, element("td", axis_row(axis), class_="track"), after)
    page.add(element("table", element("tbody", head, *rows, foot), class_="stages cards"))
    count = result.sentences.get("test", 0)
    page.note(
        f"{count:,} unseen sentences, cased and detokenised. Higher BLEU and chrF are better; "
        "lower TER is better."
    )


def _score_row(result: MakeResult, stage: StageResult, axis: Axis, others: Sequence[str]) -> Html:
    score = stage.scores["bleu"]
    kept = stage is result.best
    several = len({one.kind for one in result.stages}) > 1
    name = f"{stage.label} ({stage.kind})" if several else stage.label
    small = ", ".join(tag for tag in ("final" if kept else "", stage.remark) if tag)
    figures = [
        element("td", f"{stage.scores[one].value:.1f}", class_="number", data_label=_METRICS[one])
        for one in others
        if one in stage.scores
    ]
    track = interval_row(axis, score.value, score.low, score.high, f"{name}: BLEU")
    return element(
        "tr",
        element("td", name, element("small", small) if small else ""),
        element("td", f"{score.value:.1f}", class_="number", data_label="BLEU"),
        element("td", track, class_="track"),
        *figures,
        element("td", _compared(result, stage)),
        class_="kept" if kept else None,
    )


def _compared(result: MakeResult, stage: StageResult) -> str:
    for other in result.stages:
        if other.name == stage.compared_with and other.kind == stage.kind:
            points = stage.scores["bleu"].value - other.scores["bleu"].value
            if stage.p_value is None:
                return f"{points:+.1f} against {other.label}"
            return difference(other.label, stage.p_value, better=points > 0)
    return ""


def _times(page: Page, result: MakeResult) -> None:
    if not result.times:
        return
    page.add(element("h3", "Time by stage"))
    page.add(
        bars([(plain_name(name), seconds) for name, seconds in result.times], shown=short_duration)
    )
    total = sum(seconds for _, seconds in result.times)
    page.note(f"{duration(total)} in total.")


def _examples(page: Page, result: MakeResult) -> None:
    if not result.good and not result.bad:
        return
    titles = (("Some of its best translations", result.good), ("Some of its worst", result.bad))
    with page.inside("div", "columns"):
        for title, examples in titles:
            if examples:
                with page.inside("section"):
                    page.add(element("h3", title))
                    for one in examples:
                        page.add(_example(one, result))
    page.note(
        "Built: before tuning; final: the finished model. Changed words are struck out and "
        "underlined. Best and worst by sentence-level chrF."
    )


def _example(one: Example, result: MakeResult) -> Html:
    rows: list[tuple[str, Html, str]] = [("source", bidi_text(one.source), "")]
    rows += [("reference", bidi_text(text), "") for text in one.references[:1]]
    hover = f"chrF {one.score_before:.0f} before, {one.score_after:.0f} after"
    if one.before == one.after:
        rows.append(("both", bidi_text(one.after), "final"))
    elif len(result.stages) > 1:
        before, after = changed(one.before, one.after)
        rows += [("built", before, ""), ("final", after, "final")]
    else:
        rows.append(("final", bidi_text(one.after), "final"))
    parts = [
        part
        for name, text, class_ in rows
        for part in (element("dt", name), element("dd", text, class_=class_ or None))
    ]
    return element("dl", *parts, class_="example", title=hover)


def _use(page: Page, result: MakeResult) -> None:
    model = shlex.quote(str(result.path))
    source = result.good[0].source if result.good else "..."
    page.heading("How to use it", "The model is one directory; copy these commands.")
    page.add(
        commands(
            [
                f"echo {shlex.quote(source)} | demotic translate {model}",
                f"demotic translate {model} < input.{result.source_language}",
                f"demotic explain {model} {shlex.quote(source)} -o why.html",
            ]
        )
    )
    page.text("In Python:")
    page.add(
        commands(
            [
                "import demotic",
                f"model = demotic.Model.load({str(result.path)!r})",
                f"print(model.translate([{source!r}])[0])",
            ]
        )
    )


def _curves(page: Page, result: MakeResult) -> None:
    learnt = [stage for stage in result.stages if len(stage.curve) > 1]
    if not learnt:
        return
    page.heading(
        "Learning curves",
        "BLEU on the dev set during tuning and training; the ringed point was kept.",
    )
    with page.inside("div", "columns"):
        for stage in learnt:
            across = "epoch" if stage.name == "trained" else "round"
            title = f"{stage.label[0].upper()}{stage.label[1:]} ({stage.kind})"
            drawing = curve(stage.curve, kept=stage.kept, across=across, unit="dev BLEU")
            page.figure(drawing, f"{title}: {stage.remark}" if stage.remark else title)
            if len(stage.invalid) > 1:
                invalid = curve(
                    stage.invalid,
                    kept=len(stage.invalid) - 1,
                    first=1,
                    across="epoch",
                    unit="% of updates",
                    mark="last",
                )
                page.figure(
                    invalid,
                    f"{title}: updates without a violation to fix. {_reached(stage, result)}",
                )


def _reached(stage: StageResult, result: MakeResult) -> str:
    pairs = result.sentences.get("train", 0)
    share = f" ({100 * stage.reachable / pairs:.0f} %)" if pairs else ""
    return f"The references of {stage.reachable:,}{share} training pairs can be derived."


def _corpus(page: Page, result: MakeResult) -> None:
    page.heading("The corpus", "What the model was trained on, and what was left out.")
    with page.inside("div", "columns"):
        parts = [(_PARTS.get(name, plain_name(name)), n) for name, n in result.sentences.items()]
        page.table(["part", "number"], parts)
        if result.dropped:
            left_out = [(plain_name(reason), count) for reason, count in result.dropped.items()]
            page.table(["pairs left out because", "number"], left_out)
    if result.findings:
        page.add(element("ul", *(element("li", one) for one in result.findings)))


def _details(page: Page, result: MakeResult) -> None:
    page.heading("Details", "Sizes, settings, and how exactly the scores were computed.")
    sizes: list[tuple[str, object]] = [
        (_SIZES.get(name, plain_name(name)), n)
        for name, n in result.sizes.items()
        if name != "bytes"
    ]
    if "bytes" in result.sizes:
        sizes.append(("size on disk", bytes_text(result.sizes["bytes"])))
    if sizes:
        with page.fold("Sizes"):
            page.table(["what", "number"], sizes)
    if result.settings:
        with page.fold("Settings"):
            page.table(
                ["setting", "value"],
                [(plain_name(name), plain_value(value)) for name, value in result.settings.items()],
            )
    if result.versions:
        with page.fold("Versions"):
            page.table(["what", "version"], list(result.versions.items()))
    if result.signatures:
        with page.fold("Signatures of the scores"):
            page.table(
                ["metric", "signature"],
                [(_METRICS.get(name, name), text) for name, text in result.signatures.items()],
            )
