"""The tables of an experiment, for the terminal, as Markdown and for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from demotic.experiments.figures import COMPARED, FIGURES
from demotic.experiments.results import ExperimentResult, ResultRow

__all__ = ["ResultTable", "markdown", "tables_of"]

_SIGNIFICANT = ((0.01, "**"), (0.05, "*"))
_DEFAULT = ("dev", "test", "ter")
_NOTE = "* and **: differs from the baseline at p < 0.05 and p < 0.01 (approximate randomisation)"


@dataclass(frozen=True)
class ResultTable:
    """Text in cells; a note explains marks."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables_of(result: ExperimentResult) -> list[ResultTable]:
    """As the file asks for them; without any, one with the scores."""
    asked = result.settings.get("tables") or [{"title": "Results", "columns": _DEFAULT}]
    return [_across(result, one) if one.get("across") else _listed(result, one) for one in asked]


def _listed(result: ExperimentResult, asked: dict[str, Any]) -> ResultTable:
    """One row per system and point; several baselines have a column."""
    columns = [name for name in asked["columns"] if name not in result.axes]
    compared = [i for i, name in enumerate(columns) if name in COMPARED]
    if compared and "baseline" not in columns and len(_baselines(result)) > 1:
        columns.insert(compared[0], "baseline")
    runs = any(row.runs > 1 for row in result.rows)
    header = ("system", *result.axes, *(["runs"] if runs else []), *map(_heading, columns))
    rows = tuple(
        (
            row.label,
            *(str(row.point.get(axis, "")) for axis in result.axes),
            *([str(row.runs)] if runs else []),
            *(_cell(row, name) for name in columns),
        )
        for row in result.rows
        if any(_cell(row, name) for name in columns)
    )
    marked = "test" in columns and any(row.compared for row in result.rows)
    note = _NOTE if "baseline" in columns else _note(result)
    return ResultTable(asked["title"], header, rows, note if marked else "")


def _across(result: ExperimentResult, asked: dict[str, Any]) -> ResultTable:
    """One row per system, one column per value of an axis."""
    axis, name = asked["across"], asked.get("value", "test")
    values = list(dict.fromkeys(row.point[axis] for row in result.rows))
    by_system: dict[tuple[Any, ...], dict[Any, ResultRow]] = {}
    for row in result.rows:
        others = tuple(str(value) for other, value in row.point.items() if other != axis)
        by_system.setdefault((row.label, *others), {})[row.point[axis]] = row
    header = ("system", *(one for one in result.axes if one != axis), *map(str, values))
    rows = tuple(
        (*key, *(_cell(found[value], name) if value in found else "" for value in values))
        for key, found in by_system.items()
    )
    marked = name == "test" and any(row.compared for row in result.rows)
    return ResultTable(
        f"{asked['title']} by {axis}",
        header,
        rows,
        _note(result) if marked else "",
    )


def _note(result: ExperimentResult) -> str:
    """With the systems of each baseline, if there are several."""
    systems = _baselines(result)
    if len(systems) == 1:
        return f"{_NOTE}; baseline: {next(iter(systems))}"
    named = (f"{base} (of {' / '.join(labels)})" for base, labels in systems.items())
    return f"{_NOTE}; baselines: {'; '.join(named)}"


def _baselines(result: ExperimentResult) -> dict[str, dict[str, None]]:
    """The systems that are compared with each."""
    systems: dict[str, dict[str, None]] = {}
    for row in result.rows:
        if row.compared is not None:
            systems.setdefault(row.compared.baseline, {})[row.label] = None
    return systems


def _heading(name: str) -> str:
    return (FIGURES.get(name) or COMPARED[name]).heading


def _cell(row: ResultRow, name: str) -> str:
    if name in COMPARED:
        return _compared(row, name)
    found, figure = row.figures.get(name), FIGURES[name]
    if found is None:
        return ""
    text = f"{found.mean:,.{figure.digits}f}"
    if found.deviation is not None and (found.deviation > 0 or name in ("dev", "test")):
        text += f" ± {found.deviation:,.{figure.digits}f}"
    return text + mark(row) if name == "test" else text


def _compared(row: ResultRow, name: str) -> str:
    if row.compared is None:
        return ""
    value = getattr(row.compared, name)
    if isinstance(value, str):
        return value
    return f"{value:.4f}" if name == "p" else f"{value:+.2f}"


def mark(row: ResultRow) -> str:
    """Stars for a significant difference from the baseline."""
    if row.compared is None:
        return ""
    return next((stars for limit, stars in _SIGNIFICANT if row.compared.p < limit), "")


def markdown(result: ExperimentResult, plots: Sequence[tuple[str, str]] = ()) -> str:
    """The whole result; `plots` are titles and files."""
    return "\n".join(_markdown(result, plots)) + "\n"


def _markdown(result: ExperimentResult, plots: Sequence[tuple[str, str]]) -> Iterator[str]:
    settings = result.settings
    yield f"# {result.title}\n"
    for name in ("paper", "published", "note"):
        if settings.get(name):
            yield f"{name.capitalize()}: {settings[name]}\n"
    counts = ", ".join(f"{count:,} {part}" for part, count in result.sentences.items())
    yield f"Text: {' to '.join(result.languages)}, {counts}. Test scores: `{result.signature}`.\n"
    for table in tables_of(result):
        yield f"## {table.title}\n"
        numeric = [all(_is_number(row[i]) for row in table.rows) for i in range(len(table.header))]
        yield f"| {' | '.join(table.header)} |"
        yield f"|{'|'.join('--:' if one else '---' for one in numeric)}|"
        for row in table.rows:
            yield f"| {' | '.join(row)} |"
        yield f"\n{table.note}\n" if table.note else ""
    for title, file in plots:
        yield f"![{title}]({file})\n"
    for failure in result.failures:
        yield f"Failed: {failure.run}: {failure.message}\n"


def _is_number(text: str) -> bool:
    return not text or text.lstrip("+-")[:1].isdigit()
