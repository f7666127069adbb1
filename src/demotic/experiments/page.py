"""The report of an experiment: the outcome first, then tables, curves, examples and settings."""

from __future__ import annotations

from pathlib import Path

from demotic.durations import duration
from demotic.experiments.examples import ExampleSentence, examples_of, explained
from demotic.experiments.figures import COMPARED, CURVES, FIGURES
from demotic.experiments.plots import plots_of
from demotic.experiments.results import ExperimentResult, ResultRow
from demotic.experiments.tables import mark, tables_of
from demotic.explain.comparison import add_comparison
from demotic.explain.learned import add_learned
from demotic.model import Model
from demotic.model.file import MODEL_NAME
from demotic.report import Html, Page
from demotic.report.line_chart import LineChart, Series
from demotic.report.markup import bidi_text, changed, element
from demotic.report.whiskers import axis_row, interval_axis, interval_row
from demotic.report.words import difference, plain_name, plain_value
from demotic.text.language_names import language_name

__all__ = ["experiment_page"]

_MORE = {
    "learning": (
        "Learning curves",
        "Score on the dev set after each round or epoch; 0 is the start.",
    ),
    "invalid": ("Invalid updates", "Updates whose reference scored above the rival, by epoch."),
    "reachable": ("Reachability", "Share of pairs whose reference can be derived, by length."),
    "derivations": ("Derivations", "Geometric mean of derivations of reachable references."),
}
_CURVES = 9  # series in one chart


def experiment_page(result: ExperimentResult, home: Path) -> Page:
    """The page; `home` is the directory of the experiment."""
    page = Page(result.title, subtitle=_outcome(result))
    _original(page, result)
    for failure in result.failures:
        page.add(element("p", element("strong", f"{failure.run} failed"), f": {failure.message}"))
    _systems(page, result)
    _tables(page, result)
    _plots(page, result)
    _examples(page, result, home)
    _learned(page, result, home)
    _details(page, result)
    return page


def _outcome(result: ExperimentResult) -> str:
    """What was compared, which was best, how sure that is, and how long it took."""
    languages = " to ".join(map(language_name, result.languages))
    count = len({row.system for row in result.rows})
    pairs = f"{result.sentences['train']:,} training pairs"
    runs = sum(row.runs for row in result.rows)
    text = f"{count} system{'s' * (count != 1)}, {languages}, {pairs}, {runs} runs"
    text += f", {duration(result.seconds)} of learning. " if result.seconds >= 1 else ". "
    tested = [row for row in result.rows if "test" in row.figures]
    if not tested:
        best = max(result.rows, key=lambda row: row.figures["reachable"].mean)
        return f"{text}{best.name} reaches {best.figures['reachable'].mean:.1f} % of the pairs."
    best = result.best(tested)
    score = best.figures["test"].mean
    text += f"Best on the dev set: {best.name}, {score:.1f} on {result.sentences['test']:,} test "
    text += "sentences"
    return f"{text}; {_verdict(result, best)}." if best.compared else f"{text}."


def _verdict(result: ExperimentResult, row: ResultRow) -> str:
    if row.compared is None:
        return ""
    gain = row.compared.gain
    better = (gain > 0) == result.higher_is_better
    return f"{gain:+.2f}, {difference(row.compared.baseline, row.compared.p, better=better)}"


def _original(page: Page, result: ExperimentResult) -> None:
    rows = [
        part
        for name, label in (("paper", "original"), ("published", "published"), ("note", "note"))
        if result.settings.get(name)
        for part in (element("dt", label), element("dd", result.settings[name]))
    ]
    if rows:
        page.add(element("dl", *rows, class_="example"))


def _systems(page: Page, result: ExperimentResult) -> None:
    """Test scores with intervals and significance, if there are few enough to see."""
    rows = [row for row in result.rows if row.interval is not None]
    if not rows or result.axes:
        return
    page.heading("Systems")
    values = [(row.figures["test"].mean, *row.interval) for row in rows if row.interval]
    axis = interval_axis(values)
    header = ("system", "test", "with 95 % interval", "TER", "")
    head = element("tr", *(element("th", name, scope="col") for name in header), class_="head")
    body = []
    for row, value in zip(rows, values, strict=True):
        runs = f"{row.runs} runs" if row.runs > 1 else ""
        body.append(
            element(
                "tr",
                element("td", row.label, element("small", runs) if runs else ""),
                element("td", f"{value[0]:.1f}{mark(row)}", class_="number", data_label="test"),
                element("td", interval_row(axis, *value, row.label), class_="track"),
                element("td", f"{row.figures['ter'].mean:.1f}", class_="number", data_label="TER"),
                element("td", _verdict(result, row)),
            )
        )
    foot = element(
        "tr", Html("<td></td>" * 2), element("td", axis_row(axis), class_="track"),
        Html("<td></td>" * 2),
    )  # fmt: skip
    page.add(element("table", element("tbody", head, *body, foot), class_="stages cards"))
    better = "Higher scores and lower TER" if result.higher_is_better else "Lower scores and TER"
    page.note(
        f"{result.sentences['test']:,} test sentences, on tokens. {better} are better. p by "
        "approximate randomisation over all runs."
    )


def _tables(page: Page, result: ExperimentResult) -> None:
    for table in tables_of(result):
        page.heading(table.title)
        page.table(table.header, table.rows)
        if table.note:
            page.note(f"{table.note[0].upper()}{table.note[1:]}.")


def _plots(page: Page, result: ExperimentResult) -> None:
    asked = {curve for plot in result.settings.get("plots", []) for curve in plot.get("curves", ())}
    for plot in plots_of(result):
        page.heading(plot.title)
        page.figure(plot.chart.html())
    for name, (title, meaning) in _MORE.items():
        found = [row for row in result.rows if len(row.curves.get(name, ())) > 1]
        if name in asked or not found or len(found) > _CURVES:
            continue
        across, unit = CURVES[name]
        series = [Series(row.name, [(x, y) for x, y in row.curves[name]]) for row in found]
        page.heading(title, meaning)
        page.figure(LineChart(series=series, across=across, unit=unit).html())


def _examples(page: Page, result: ExperimentResult, home: Path) -> None:
    examples = examples_of(result, home)
    if not examples:
        return
    page.heading(
        "Examples",
        "Test sentences on which the systems differ most by sentence chrF; words that differ from "
        "the first system are marked.",
    )
    with page.inside("div", "columns"):
        for one in examples:
            page.add(_example(one))
    sides = explained(result, home, examples[0].source)
    if len(sides) > 1:
        page.heading(
            "Derivations side by side",
            "How both systems translated the first example: above the source, below its "
            "translation, then the links between words.",
        )
        add_comparison(page, sides)


def _learned(page: Page, result: ExperimentResult, home: Path) -> None:
    """The weights of the best system on the dev set that has learned any."""
    rows = [row for row in result.rows if "learning" in row.curves and "dev" in row.figures]
    if not rows:
        return
    best = result.best(rows)
    if (home / best.model / MODEL_NAME).exists():
        add_learned(page, Model.load(home / best.model), best.name)


def _example(one: ExampleSentence) -> Html:
    parts = [
        *(element("dt", "source"), element("dd", bidi_text(one.source))),
        *(element("dt", "reference"), element("dd", bidi_text(one.reference))),
    ]
    first = one.translations[0][1]
    for i, (name, text, score) in enumerate(one.translations):
        shown = bidi_text(text) if i == 0 else changed(first, text)[1]
        parts += [
            element("dt", name, title=f"sentence chrF {score:.0f}"),
            element("dd", shown),
        ]
    return element("dl", *parts, class_="example")


def _details(page: Page, result: ExperimentResult) -> None:
    page.heading("Details", "Everything that determined these results.")
    with page.fold("Settings"):
        page.table(["setting", "value"], _flat(result.settings))
    with page.fold("What the columns mean"):
        shown = {
            name for one in result.settings.get("tables", []) for name in one.get("columns", ())
        }
        known = {**FIGURES, **COMPARED}
        rows = [(known[name].heading, known[name].meaning) for name in known if name in shown]
        page.table(["column", "meaning"], rows or [("test", FIGURES["test"].meaning)])
    with page.fold("Text, scores and versions"):
        counts = [(part, count) for part, count in result.sentences.items()]
        more = [("test score", result.signature), ("date", result.date), *result.versions.items()]
        page.table(["what", "value"], [*counts, *more])


def _flat(values: dict[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """Nested tables as dotted names, without what the page shows anyway."""
    rows: list[tuple[str, str]] = []
    for name, value in values.items():
        if not prefix and name in ("title", "paper", "published", "note", "tables", "plots"):
            continue
        key = f"{prefix}{name}"
        if isinstance(value, dict):
            rows += _flat(value, f"{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for one in value:
                rows += _flat(one, f"{key}.")
        else:
            rows.append((plain_name(key), plain_value(value)))
    return rows
