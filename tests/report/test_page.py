"""Pages are well formed, escape what they are given and load nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from demotic.report import Page
from demotic.report.curve import curve
from demotic.report.drawing import alignment_grid, bars, tree
from demotic.report.search_drawing import bins_chart, phrase_order

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [node.text or "" for node in root.iter("text")]


def test_page_is_complete_and_loads_nothing(tmp_path: Path) -> None:
    page = Page("A <title>", subtitle="made & shown")
    page.heading("Numbers")
    page.table(["name", "value"], [["<b>", 12345], ["share", 0.25]])
    page.figure(bars([("a", 1)]), "one bar")
    page.write(tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "A &lt;title&gt;" in html
    assert "&lt;b&gt;" in html
    assert "12,345" in html
    assert "<b>" not in html
    for outside in ("http", "src=", "@import", "<script"):
        assert outside not in html


@given(st.lists(st.tuples(TEXT, st.floats(0, 1e6)), max_size=8))
def test_bars(values: list[tuple[str, float]]) -> None:
    assert texts(bars(values)) == [label for label, _ in values]


@given(st.lists(TEXT, max_size=5), st.lists(TEXT, max_size=5))
def test_alignment_grid(source: list[str], target: list[str]) -> None:
    links = [(i, j) for i in range(len(source)) for j in range(len(target)) if (i + j) % 2]
    svg = alignment_grid(source, target, links)
    assert sorted(texts(svg)) == sorted(source + target)
    assert svg.count("<circle") == len(links)


def test_tree() -> None:
    svg = tree("(IP (NP (NN 书)) (VP (VA 好)))")
    assert sorted(texts(svg)) == sorted(["IP", "NP", "NN", "书", "VP", "VA", "好"])
    assert svg.count("<path") == 6


DOTS = st.tuples(st.floats(0, 1e6), st.sampled_from(["dead", "alive", "goal", "winner"]))


@given(st.lists(st.lists(DOTS, max_size=6), max_size=6))
def test_bins_chart(bins: list[list[tuple[float, str]]]) -> None:
    svg = bins_chart([(str(i), dots) for i, dots in enumerate(bins, 1)])
    assert texts(svg)[2:] == [str(i) for i in range(1, len(bins) + 1)]
    states = [state for dots in bins for _, state in dots]
    for state, shape in [("dead", "hollow"), ("alive", "faint"), ("goal", "full")]:
        assert svg.count(f'circle class="{shape}"') == states.count(state)
    winners = states.count("winner")
    assert svg.count('circle class="dot"') == winners
    (path,) = [node.get("d", "") for node in ElementTree.fromstring(svg).iter("path")] or [""]
    assert path.count("L") == max(winners - 1, 0)
    for circle in ElementTree.fromstring(svg).iter("circle"):
        assert 14 <= float(circle.get("cy", "")) <= 14 + 260


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6), st.randoms())
def test_phrase_order(phrases: list[tuple[str, str]], random: Random) -> None:
    order = [*range(len(phrases))]
    random.shuffle(order)
    source, target = [[s] for s, _ in phrases], [[t] if t else [] for _, t in phrases]
    svg = phrase_order(source, target, order)
    assert texts(svg) == [phrases[i][0] for i in order] + [t for _, t in phrases]
    assert svg.count("<path") == sum(bool(t) for _, t in phrases)  # what was dropped has no band


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.data())
def test_curve(values: list[float], data: st.DataObject) -> None:
    kept = data.draw(st.integers(0, len(values) - 1))
    drawing = curve(values, kept=kept)
    assert texts(drawing) == [
        f"{max(values):.2f}",
        f"{min(values):.2f}",
        *map(str, range(len(values))),
    ]
    root = ElementTree.fromstring(drawing)
    *dots, ring = root.iter("circle")
    assert len(dots) == len(values)
    assert (ring.get("cx"), ring.get("cy")) == (dots[kept].get("cx"), dots[kept].get("cy"))
    heights = [float(dot.get("cy", "nan")) for dot in dots]
    order = sorted(range(len(values)), key=lambda i: values[i])
    for lower, higher in pairwise(order):
        assert heights[lower] >= heights[higher]
