"""Drawings as files of their own: well-formed, with their size and all their colours."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from demotic.report.curve import curve
from demotic.report.link_grid import link_grid
from demotic.report.markup import Html
from demotic.report.standalone import standalone_svg

SPACE = "{http://www.w3.org/2000/svg}"
DRAWINGS = {
    "fills the page": (curve([1.0, 2.0], kept=1), 780),
    "fixed size": (link_grid(["甲", "<b>"], ["a&b"], [(0, 0)]), None),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_file_of_its_own(name: str) -> None:
    drawing, width = DRAWINGS[name]
    root = ET.fromstring(standalone_svg(drawing))
    inner = root.find(f"{SPACE}svg")
    assert inner is not None
    assert float(root.get("width", "")) == float(inner.get("width", "")) + 20
    assert float(root.get("height", "")) == float(inner.get("height", "")) + 20
    assert width is None or float(root.get("width", "")) == width
    assert len([*inner.iter()]) == len([*ET.fromstring(drawing).iter()])


def test_no_colour_depends_on_a_page() -> None:
    text = standalone_svg(curve([1.0], kept=0))
    assert "var(" not in text
    assert "svg .path { stroke: #" in text


def test_words_have_their_font_size() -> None:
    grid = link_grid(["a"], ["b"], [])
    inner = ET.fromstring(standalone_svg(grid)).find(f"{SPACE}svg")
    assert inner is not None
    assert inner.get("class") == "words"
    assert "svg.words text { font-size: 15px; }" in standalone_svg(grid)
    assert ET.fromstring(standalone_svg(Html(grid))).tag == f"{SPACE}svg"
