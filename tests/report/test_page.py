"""Pages and drawings are well-formed, escape their input, and have the right numbers."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.report import Page
from demotic.report.axis import ticks
from demotic.report.bars import bars, columns, signed_bars
from demotic.report.curve import curve
from demotic.report.link_grid import link_grid
from demotic.report.search_drawing import bins_chart, phrase_order
from demotic.report.style import DARK, LIGHT
from demotic.report.whiskers import axis_row, interval_axis, interval_row
from tests.report.html_pages import check_page, parsed

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


def texts(svg: str, class_: str | None = None) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [
        node.text or ""
        for node in root.iter("text")
        if class_ is None or class_ in node.get("class", "").split()
    ]


def percent(text: str | None) -> float:
    assert text is not None
    assert text.endswith("%")
    return float(text[:-1])


def test_page_is_complete_and_loads_nothing(tmp_path: Path) -> None:
    page = Page("A <title>", subtitle="made & shown")
    page.heading("Numbers", "What <they> mean.")
    page.table(["name", "value"], [["<b>", 12345], ["share", 0.25]])
    page.add(bars([("a", 1)]))
    page.figure(curve([1, 2], kept=1), "one <curve>")
    with page.fold("More <of it>"), page.inside("div", "columns"):
        page.text("inside")
    page.write(tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    tags = check_page(html)
    assert tags.headings == ["A <title>", "Numbers", "More <of it>"]
    assert "12,345" in html
    assert "<b>" not in html
    assert '<details><summary>More &lt;of it&gt;</summary>\n<div class="columns">' in html


def test_wide_tables_become_cards_with_the_names_of_their_columns() -> None:
    page = Page("t")
    page.table(["a", "b", "c", "d<"], [["x", 1, 2.5, "שלום"]])
    html = page.html()
    assert '<table class="cards">' in html
    assert '<td data-label="a" dir="auto">x</td>' in html
    assert '<td class="number" data-label="b">1</td>' in html
    assert '<td data-label="d&lt;" dir="auto">שלום</td>' in html
    page = Page("t")
    page.table(["a", "b"], [["x", 1]])
    assert 'class="cards"' not in page.html()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_colours_have_contrast(colours: dict[str, str]) -> None:
    """WCAG 2.1, AA: 4.5 for text, 3 for graphics."""
    for text in ("ink", "muted", "accent", "good", "bad"):
        assert contrast(colours[text], colours["paper"]) >= 4.5, text
    for behind in ("soft", "pale", "new", "gone"):
        assert contrast(colours["ink"], colours[behind]) >= 4.5, behind
    for graphic in ("accent", "good", "bad", "third"):
        assert contrast(colours[graphic], colours["soft"]) >= 3, graphic


def test_letters_are_large_enough() -> None:
    style = Page("t").html().partition("<style>")[2]
    pixels = [float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)px", style)]
    rems = [16 * float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)rem", style)]
    assert min(pixels + rems) >= 12


@given(st.lists(st.tuples(TEXT, st.floats(0, 1e6)), max_size=8))
def test_bars(values: list[tuple[str, float]]) -> None:
    html = bars(values)
    tags = parsed(html)
    assert tags.classes["fill"] == len(values)
    sizes = [float(size) for size in re.findall(r"left:0;width:([\d.]+)%", html)]
    top = max([value for _, value in values], default=0) or 1
    assert sizes == pytest.approx([100 * value / top for _, value in values], abs=0.01)


@given(st.lists(st.floats(-1e3, 1e3), max_size=8))
def test_signed_bars_begin_or_end_at_zero(values: list[float]) -> None:
    html = signed_bars([("name", "meaning", value) for value in values])
    parsed(html)
    zeros = [float(x) for x in re.findall(r'class="zero" style="left:([\d.]+)%', html)]
    assert len(set(zeros)) <= 1
    found = re.findall(r'class="fill (\w+)" style="left:([\d.]+)%;width:([\d.]+)%', html)
    assert len(found) == len(values)
    for value, (sign, left, width) in zip(values, found, strict=True):
        assert sign == ("minus" if value < 0 else "plus")
        at_zero = float(left) + (float(width) if value < 0 else 0)
        assert at_zero == pytest.approx(zeros[0], abs=0.02)


@given(st.lists(st.tuples(TEXT, st.floats(0, 1e6)), max_size=30))
def test_columns_have_the_height_of_their_values(values: list[tuple[str, float]]) -> None:
    svg = columns(values, across="words", unit="pairs")
    rects = [*ElementTree.fromstring(svg).iter("rect")]
    assert len(rects) == len(values)
    heights = [float(rect.get("height", "nan")) for rect in rects]
    top = ticks(0, max([value for _, value in values], default=1))[-1]
    assert heights == pytest.approx([200 * value / top for _, value in values], abs=0.1)
    for one, other in pairwise(rects):
        assert percent(one.get("x")) + percent(one.get("width")) <= percent(other.get("x"))


@given(st.lists(TEXT, max_size=5), st.lists(TEXT, max_size=5))
def test_link_grid(source: list[str], target: list[str]) -> None:
    links = [(i, j) for i in range(len(source)) for j in range(len(target)) if (i + j) % 2]
    svg = link_grid(source, target, links)
    assert sorted(texts(svg)) == sorted(source + target)
    assert svg.count("<circle") == len(links)


DOTS = st.tuples(st.floats(0, 1e6), st.sampled_from(["dead", "alive", "goal", "winner"]))


@given(st.lists(st.lists(DOTS, max_size=6), max_size=6))
def test_bins_chart(bins: list[list[tuple[float, str]]]) -> None:
    svg = bins_chart([(f"bin {i}", dots) for i, dots in enumerate(bins, 1)])
    assert [text for text in texts(svg) if text.startswith("bin ")] == [
        f"bin {i}" for i in range(1, len(bins) + 1)
    ]
    states = [state for dots in bins for _, state in dots]
    for state, shape in [("dead", "hollow"), ("alive", "faint"), ("goal", "full")]:
        assert svg.count(f'circle class="{shape}"') == states.count(state)
    winners = states.count("winner")
    assert svg.count('circle class="dot"') == winners
    assert svg.count('line class="path"') == max(winners - 1, 0)
    for circle in ElementTree.fromstring(svg).iter("circle"):
        assert 30 <= float(circle.get("cy", "")) <= 30 + 260
        assert 0 <= percent(circle.get("cx")) <= 100


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6), st.randoms())
def test_phrase_order(phrases: list[tuple[str, str]], random: Random) -> None:
    order = [*range(len(phrases))]
    random.shuffle(order)
    source, target = [[s] for s, _ in phrases], [[t] if t else [] for _, t in phrases]
    svg = phrase_order(source, target, order, [f"hover {i}" for i in range(len(phrases))])
    assert sorted(texts(svg)) == sorted([s for s, _ in phrases] + [t for _, t in phrases])
    assert svg.count("<path") == sum(bool(t) for _, t in phrases)  # what was dropped has no band
    assert re.findall("<title>(.*?)</title>", svg) == [f"hover {i}" for i in range(len(phrases))]
    tops: dict[str, list[float]] = {"box": [], "box target": []}
    for rect in ElementTree.fromstring(svg).iter("rect"):
        tops[rect.get("class", "")].append(float(rect.get("x", "nan")))
    assert [tops["box"][i] for i in order] == sorted(tops["box"])
    assert tops["box target"] == sorted(tops["box target"])


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.data())
def test_curve(values: list[float], data: st.DataObject) -> None:
    kept = data.draw(st.integers(0, len(values) - 1))
    drawing = curve(values, kept=kept, first=3, across="epoch")
    assert texts(drawing, "strong") == [f"kept: {values[kept]:.2f}"]
    *dots, ring = ElementTree.fromstring(drawing).iter("circle")
    assert len(dots) == len(values)
    assert (ring.get("cx"), ring.get("cy")) == (dots[kept].get("cx"), dots[kept].get("cy"))
    heights = [float(dot.get("cy", "nan")) for dot in dots]
    order = sorted(range(len(values)), key=lambda i: values[i])
    for lower, higher in pairwise(order):
        assert heights[lower] >= heights[higher]
    places = [percent(dot.get("cx")) for dot in dots]
    assert places == sorted(places)
    assert f"<title>epoch 3: {values[0]:.2f} BLEU</title>" in drawing


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 5), st.floats(0, 5)), min_size=1))
def test_whiskers_share_an_axis(rows: list[tuple[float, float, float]]) -> None:
    scores = [(value, value - below, value + above) for value, below, above in rows]
    axis = interval_axis(scores)
    drawn = []
    for value, low, high in scores:
        svg = ElementTree.fromstring(interval_row(axis, value, low, high))
        (dot,) = svg.iter("circle")
        line = next(one for one in svg.iter("line") if one.get("class") == "whisker")
        ends = percent(line.get("x1")), percent(line.get("x2"))
        assert ends[0] - 0.01 <= percent(dot.get("cx")) <= ends[1] + 0.01
        drawn.append((value, percent(dot.get("cx"))))
    drawn.sort()
    assert [x for _, x in drawn] == sorted(x for _, x in drawn)
    assert len(texts(axis_row(axis))) == len(axis.ticks)
