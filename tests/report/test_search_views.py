"""Drawings of beams, forests and violations are well-formed and show the numbers they are given."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from demotic.report.beam_grid import BeamCell, BeamColumn, beam_grid
from demotic.report.forest_drawing import DrawnEdge, DrawnNode, forest_drawing
from demotic.report.violation_chart import violation_chart

ODD = "<b>\"&' 中 שלום"


def drawn(text: str) -> ET.Element:
    return ET.fromstring(text)


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def column(name: str, *cells: BeamCell) -> BeamColumn:
    return BeamColumn(name, 10, len(cells), cells)


def test_a_beam_has_one_cell_per_hypothesis() -> None:
    cells = [BeamCell(1, 0.0, "winner", 3, True, ODD), BeamCell(2, 1.5, "dead", 1, False, "b")]
    root = drawn(beam_grid([column("1", *cells), column("2", cells[0])], across="covered"))
    assert len(with_class(root, "beam")) == 3
    assert len(with_class(root, "bin")) == 2
    assert len(with_class(root, "merged")) == len(with_class(root, "agrees")) == 2
    assert len(with_class(root, "path")) == 1
    assert any(ODD in (one.text or "") for one in root.iter("title"))
    assert with_class(root, "lost") == []


def test_the_place_where_the_reference_was_lost() -> None:
    cell = BeamCell(1, 0.0, "winner", 1, False, "a")
    root = drawn(beam_grid([column(str(i), cell) for i in range(4)], lost_at=2))
    (line,) = with_class(root, "lost")
    bins = with_class(root, "bin")
    (before, after) = (float(bins[i].findall("g/rect")[0].get("x", "")) for i in (1, 2))
    assert before < float(line.get("x1", "")) <= after


def test_an_empty_beam() -> None:
    assert with_class(drawn(beam_grid([])), "beam") == []


def test_paler_cells_are_worse() -> None:
    cells = [BeamCell(i + 1, float(i), "goal", 1, False, "") for i in range(5)]
    shades = [
        float(one.get("fill-opacity", ""))
        for one in with_class(drawn(beam_grid([column("1", *cells)])), "beam")
    ]
    assert shades == sorted(shades, reverse=True)
    assert len(set(shades)) == 5


def test_violations_point_upwards() -> None:
    bins = [("1", -1.0, -2.0, True), ("2", -5.0, -2.0, False), ("3", -math.inf, -2.0, False)]
    root = drawn(violation_chart(bins, chosen=1, across="covered"))
    (safe,), (violation,) = with_class(root, "safe"), with_class(root, "violation")
    assert float(violation.get("height", "")) == 3 * float(safe.get("height", ""))
    assert float(violation.get("y", "")) < float(safe.get("y", ""))
    assert len(with_class(root, "ring")) == 1
    assert any("no gold derivation" in (one.text or "") for one in root.iter("title"))


def test_a_forest_has_all_nodes_and_edges() -> None:
    nodes = [
        DrawnNode(1, ODD, 0.9, True),
        DrawnNode(1, "b", 0.1, False),
        DrawnNode(2, "end", 1.0, True),
    ]
    edges = [
        DrawnEdge(0, [], "a long label that has to be cut somewhere", 0.9, True),
        DrawnEdge(1, [], "b", 0.1, False),
        DrawnEdge(2, [0], "", 0.9, True),
        DrawnEdge(2, [1, 0], "c", 0.1, False),
    ]
    root = drawn(forest_drawing(nodes, edges))
    assert len(list(root.iter("circle"))) == 3
    flows = with_class(root, "flow")
    assert len(flows) == 4
    assert [one.get("d", "").count("M") for one in flows] == [1, 2, 1, 1]
    assert len(with_class(root, "best")) == 2
