"""The plots of an experiment: a figure by the values of an axis, or curves that runs recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from demotic.experiments.figures import CURVES, FIGURES
from demotic.experiments.results import ExperimentResult
from demotic.lines import write_text
from demotic.report.line_chart import LineChart, Series

__all__ = ["Plot", "plots_of", "write_plots"]


class Plot(NamedTuple):
    title: str
    chart: LineChart


def plots_of(result: ExperimentResult) -> list[Plot]:
    """Those with something to draw."""
    found = []
    for asked in result.settings.get("plots", []):
        series = [*(_by_axis(result, asked) if asked.get("x") else _curves(result, asked))]
        if any(one.points for one in series):
            found.append(Plot(asked["title"], _chart(result, asked, series)))
    return found


def _chart(result: ExperimentResult, asked: dict[str, Any], series: list[Series]) -> LineChart:
    lines = not asked.get("points", False)
    if asked.get("x"):
        names = [str(value) for value in _values(result, asked["x"])]
        unit = FIGURES[asked["y"]].heading
        return LineChart(series=series, across=asked["x"], unit=unit, categories=names, lines=lines)
    across, unit = CURVES[asked["curves"][0]]
    return LineChart(series=series, across=across, unit=unit, lines=lines)


def _values(result: ExperimentResult, axis: str) -> list[Any]:
    return list(dict.fromkeys(row.point[axis] for row in result.rows))


def _by_axis(result: ExperimentResult, asked: dict[str, Any]) -> Iterator[Series]:
    axis, figure = asked["x"], asked["y"]
    values = _values(result, axis)
    points: dict[str, list[tuple[float, float]]] = {}
    for row in result.rows:
        if figure in row.figures:
            others = [f"{name} {value}" for name, value in row.point.items() if name != axis]
            label = ", ".join([row.label, *others])
            place = values.index(row.point[axis])
            points.setdefault(label, []).append((place, row.figures[figure].mean))
    return (Series(label, sorted(places)) for label, places in points.items())


def _curves(result: ExperimentResult, asked: dict[str, Any]) -> Iterator[Series]:
    several = len(asked["curves"]) > 1
    for row in result.rows:
        for name in asked["curves"]:
            if name in row.curves:
                label = f"{row.name}, {name}" if several else row.name
                yield Series(label, [(x, y) for x, y in row.curves[name]])


def write_plots(result: ExperimentResult, home: Path) -> list[tuple[str, str]]:
    """One SVG file each; returns titles and names relative to `home`."""
    written = []
    for i, plot in enumerate(plots_of(result), 1):
        name = f"plots/{i}.svg"
        with write_text(home / name) as file:
            file.write(plot.chart.file(plot.title))
        written.append((plot.title, name))
    return written
