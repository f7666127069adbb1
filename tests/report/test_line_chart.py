"""Charts of several series: positions of their marks, legends, files of their own."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from demotic.report.line_chart import LineChart, Series
from demotic.report.style import DARK, LIGHT, SERIES

SVG = "{http://www.w3.org/2000/svg}"


def marks(chart: LineChart) -> list[tuple[str, str]]:
    """Position of every mark that has a tooltip."""
    root = ElementTree.fromstring(f"<div>{chart.html()}</div>")
    return [
        (node.get("x", ""), node.get("y", ""))
        for node in root.iter("svg")
        if any(inner.text for inner in node.findall("*/title"))
    ]


def test_marks_are_where_their_values_are() -> None:
    series = [Series("a", [(0, 10), (10, 20)]), Series("b <c>", [(5, 30)])]
    chart = LineChart(series=series, across="x", unit="y")
    (left, low), (right, middle), (centre, high) = marks(chart)
    assert float(left.rstrip("%")) < float(centre.rstrip("%")) < float(right.rstrip("%"))
    assert float(centre[:-1]) == (float(left[:-1]) + float(right[:-1])) / 2
    assert float(high) < float(middle) < float(low)
    assert "b &lt;c&gt;" in chart.html()


def test_categories_are_labelled_and_evenly_spaced() -> None:
    names = ["1", "2", "64"]
    series = [Series("a", [(0, 1), (1, 2), (2, 3)])]
    chart = LineChart(series=series, across="beam", unit="BLEU", categories=names)
    places = [float(x[:-1]) for x, _ in marks(chart)]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1])
    assert "a: 64, 3.00" in chart.html()
    root = ElementTree.fromstring(chart.file())
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert [text for text in texts if text in names] == names


def test_a_file_of_its_own_is_xml_with_its_colours() -> None:
    chart = LineChart(series=[Series("a", [(0, 1), (1, 2)])], across="x", unit="y", lines=False)
    root = ElementTree.fromstring(chart.file("A <title>"))
    style = root.find(f"{SVG}style")
    assert style is not None
    assert f"svg .mark.series-0 {{ fill: {LIGHT['series-0']}; }}" in str(style.text)
    assert "var(" not in chart.file()  # which not every program that shows SVG knows
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {"A <title>", "a", "x", "y"} <= set(texts)


def test_every_series_has_a_colour_in_light_and_dark() -> None:
    names = {f"series-{i}" for i in range(SERIES)}
    for colours in (LIGHT, DARK):
        assert names <= set(colours)
        assert len({colours[name] for name in names}) == SERIES


def test_rounds_have_whole_numbers() -> None:
    chart = LineChart(series=[Series("a", [(0, 1.5), (3, 2)])], across="round", unit="y")
    texts = [node.text for node in ElementTree.fromstring(chart.file()).iter(f"{SVG}text")]
    assert [text for text in texts if text in {"0", "1", "2", "3"}] == ["0", "1", "2", "3"]
