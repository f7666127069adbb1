"""The report of `demotic make`: how good the translator is, examples, how it was made.

The first screen has the headline, test scores by stage, times, and translations before and after;
details follow.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from demotic.durations import duration, short_duration
from demotic.pipeline.result import Example, Made, StageResult
from demotic.report import Html, Page
from demotic.report.axis import Axis
from demotic.report.bars import bars
from demotic.report.curve import curve
from demotic.report.markup import changed, commands, element, spoken
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


def report_page(made: Made) -> Page:
    """The page of a result; `.write(path)` writes it."""
    page = Page(_headline(made), subtitle=_summary(made))
    with page.inside("div", "first"):
        with page.inside("section"):
            _scores(page, made)
        with page.inside("section"):
            _times(page, made)
    _examples(page, made)
    _use(page, made)
    _curves(page, made)
    _corpus(page, made)
    _details(page, made)
    return page


def _headline(made: Made) -> str:
    score = made.best.scores.get("bleu")
    languages = f"{language_name(made.source_language)} to {language_name(made.target_language)}"
    return f"{languages} translator" + (f": {score.value:.1f} BLEU" if score else "")


def _summary(made: Made) -> str:
    names = language_name(made.source_language), language_name(made.target_language)
    kind = _KINDS.get(made.best.kind, made.best.kind)
    seconds = sum(seconds for _, seconds in made.times)
    took = f" in {duration(seconds)}" if seconds else ""
    speed = f"; it translates {made.speed:,.0f} words per second" if made.speed else ""
    pairs = f"{made.sentences.get('train', 0):,} sentence pairs"
    return f"A {kind} {names[0]}-{names[1]} model, trained on {pairs}{took}{speed}."


def _scores(page: Page, made: Made) -> None:
    page.add(element("h3", "Test scores by stage"))
    known = [stage for stage in made.stages if "bleu" in stage.scores]
    if not known:
        page.note("Nothing was tested, since there is no test set.")
        return
    bleu = [stage.scores["bleu"] for stage in known]
    axis = interval_axis([(one.value, one.low, one.high) for one in bleu])
    others = [name for name in _METRICS if name != "bleu" and name in known[0].scores]
    header = ("stage", "BLEU", "with 95 % interval", *(_METRICS[name] for name in others), "")
    head = element("tr", *(element("th", name, scope="col") for name in header), class_="head")
    rows = [_score_row(made, stage, axis, others) for stage in known]
    before, after = Html("<td></td>" * 2), Html("<td></td>" * (len(others) + 1))
    foot = element("tr", before, element("td", axis_row(axis), class_="track"), after)
    page.add(element("table", element("tbody", head, *rows, foot), class_="stages cards"))
    count = made.sentences.get("test", 0)
    page.note(
        f"{count:,} unseen sentences, cased and detokenised. Higher BLEU and chrF are better; "
        "lower TER is better."
    )


def _score_row(made: Made, stage: StageResult, axis: Axis, others: Sequence[str]) -> Html:
    score = stage.scores["bleu"]
    kept = stage is made.best
    several = len({one.kind for one in made.stages}) > 1
    name = f"{stage.name} ({stage.kind})" if several else stage.name
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
        element("td", _compared(made, stage)),
        class_="kept" if kept else None,
    )


def _compared(made: Made, stage: StageResult) -> str:
    for other in made.stages:
        if other.name == stage.compared_with and other.kind == stage.kind:
            points = stage.scores["bleu"].value - other.scores["bleu"].value
            if stage.p_value is None:
                return f"{points:+.1f} against {other.name}"
            return difference(points, other.name, stage.p_value)
    return ""


def _times(page: Page, made: Made) -> None:
    if not made.times:
        return
    page.add(element("h3", "Time by stage"))
    page.add(
        bars([(plain_name(name), seconds) for name, seconds in made.times], shown=short_duration)
    )
    total = sum(seconds for _, seconds in made.times)
    page.note(f"{duration(total)} in total.")


def _examples(page: Page, made: Made) -> None:
    if not made.good and not made.bad:
        return
    titles = (("Some of its best translations", made.good), ("Some of its worst", made.bad))
    with page.inside("div", "columns"):
        for title, examples in titles:
            if examples:
                with page.inside("section"):
                    page.add(element("h3", title))
                    for one in examples:
                        page.add(_example(one, made))
    page.note(
        "Built: before tuning; final: the finished model. Changed words are struck out and "
        "underlined. Best and worst by sentence-level chrF."
    )


def _example(one: Example, made: Made) -> Html:
    rows: list[tuple[str, Html, str]] = [("source", spoken(one.source), "")]
    rows += [("reference", spoken(text), "") for text in one.references[:1]]
    hover = f"chrF {one.score_before:.0f} before, {one.score_after:.0f} after"
    if one.before == one.after:
        rows.append(("both", spoken(one.after), "final"))
    elif len(made.stages) > 1:
        before, after = changed(one.before, one.after)
        rows += [("built", before, ""), ("final", after, "final")]
    else:
        rows.append(("final", spoken(one.after), "final"))
    parts = [
        part
        for name, text, class_ in rows
        for part in (element("dt", name), element("dd", text, class_=class_ or None))
    ]
    return element("dl", *parts, class_="example", title=hover)


def _use(page: Page, made: Made) -> None:
    model = shlex.quote(str(made.path))
    source = made.good[0].source if made.good else "..."
    page.heading("How to use it", "The model is one directory; copy these commands.")
    page.add(
        commands(
            [
                f"echo {shlex.quote(source)} | demotic translate {model}",
                f"demotic translate {model} < input.{made.source_language}",
                f"demotic explain {model} {shlex.quote(source)} -o why.html",
            ]
        )
    )
    page.text("In Python:")
    page.add(
        commands(
            [
                "import demotic",
                f"model = demotic.Model.load({str(made.path)!r})",
                f"print(model.translate([{source!r}])[0])",
            ]
        )
    )


def _curves(page: Page, made: Made) -> None:
    learnt = [stage for stage in made.stages if len(stage.curve) > 1]
    if not learnt:
        return
    page.heading(
        "Learning curves",
        "BLEU on the dev set during tuning and training; the ringed point was kept.",
    )
    with page.inside("div", "columns"):
        for stage in learnt:
            across = "epoch" if stage.name == "trained" else "round"
            title = f"{stage.name.capitalize()} ({stage.kind})"
            drawing = curve(stage.curve, kept=stage.kept, across=across, unit="dev BLEU")
            page.figure(drawing, f"{title}: {stage.remark}" if stage.remark else title)


def _corpus(page: Page, made: Made) -> None:
    page.heading("The corpus", "What the model was trained on, and what was left out.")
    with page.inside("div", "columns"):
        parts = [(_PARTS.get(name, plain_name(name)), n) for name, n in made.sentences.items()]
        page.table(["part", "number"], parts)
        if made.dropped:
            left_out = [(plain_name(reason), count) for reason, count in made.dropped.items()]
            page.table(["pairs left out because", "number"], left_out)
    if made.findings:
        page.add(element("ul", *(element("li", one) for one in made.findings)))


def _details(page: Page, made: Made) -> None:
    page.heading("Details", "Sizes, settings, and how exactly the scores were computed.")
    sizes: list[tuple[str, object]] = [
        (_SIZES.get(name, plain_name(name)), n) for name, n in made.sizes.items() if name != "bytes"
    ]
    if "bytes" in made.sizes:
        sizes.append(("size on disk", bytes_text(made.sizes["bytes"])))
    if sizes:
        with page.fold("Sizes"):
            page.table(["what", "number"], sizes)
    if made.settings:
        with page.fold("Settings"):
            page.table(
                ["setting", "value"],
                [(plain_name(name), plain_value(value)) for name, value in made.settings.items()],
            )
    if made.signatures:
        with page.fold("Signatures of the scores"):
            page.table(
                ["metric", "signature"],
                [(_METRICS.get(name, name), text) for name, text in made.signatures.items()],
            )
