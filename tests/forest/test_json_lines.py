"""Forests as JSON lines are read back exactly; malformed input is named by file and line."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.errors import FormatError
from demotic.forest import NO_RULE, FeatureRows, read_forests, write_forests
from tests.forest.small_forests import SmallForest, forest_of, small_forests

SMALL = {
    "nodes": [{}, {}],
    "edges": [{"head": 0, "tails": []}, {"head": 1, "tails": [0, 0]}],
    "root": 1,
}


@given(drawn=st.lists(small_forests(), max_size=3), suffix=st.sampled_from(["jsonl", "jsonl.gz"]))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_round_trip(drawn: list[SmallForest], suffix: str, tmp_path: Path) -> None:
    forests = [one.forest for one in drawn]
    path = tmp_path / f"forests.{suffix}"
    assert write_forests(path, iter(forests)) == len(forests)
    assert list(read_forests(path)) == forests


@given(value=st.floats(allow_nan=False, allow_infinity=False))
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_number_is_read_back_exactly(value: float, tmp_path: Path) -> None:
    path = tmp_path / "forests.jsonl"
    write_forests(path, [forest_of([[()]], None, [{2: value}])])
    (forest,) = read_forests(path)
    assert math.copysign(1, forest.edge_features.values[0]) == math.copysign(1, value)
    assert forest.edge_features == FeatureRows.of([{2: value}])


def _read(path: Path, *records: object) -> list[Any]:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return list(read_forests(path))


def test_fields_of_our_own_may_be_missing(tmp_path: Path) -> None:
    edges = [
        {"head": 1, "tails": [0, 0], "label": "S", "features": {"b": 1, "a": 2.5}},
        {"head": 0, "tails": [], "target": [5]},
    ]
    (forest,) = _read(tmp_path / "f", {**SMALL, "edges": edges})
    assert forest.tails.tolist() == [0, 0]
    assert forest.edge_offsets.tolist() == [0, 1, 2]  # edges are grouped by head
    assert forest.edge_rule.tolist() == [NO_RULE, NO_RULE]
    assert [row.tolist() for row in forest.edge_target] == [[5], [-1, -2]]
    assert forest.feature_names.names == ("b", "a")
    assert forest.edge_features[1] == {0: 1.0, 1: 2.5}
    assert forest.edge_begin.tolist() == [-1, -1]


def _edge(**changes: object) -> dict[str, object]:
    return {**SMALL, "edges": [SMALL["edges"][0], {"head": 1, "tails": [0], **changes}]}  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        pytest.param("[" * 100_000, "not JSON", id="too deep"),
        ("[]", "a JSON list; expected an object"),
        ('{"root": 1, "root": 1}', "two values of 'root'"),
        ({**SMALL, "root": 0}, "the root 0; expected the last node, 1"),
        ({"nodes": [{}], "root": 0}, "'edges' missing or not a list"),
        ({**SMALL, "nodes": 2}, "'nodes' missing or not a list"),
        ({**SMALL, "nodes": [{"bin": "x"}, {}]}, "'x' among 'bin' of nodes"),
        ({**SMALL, "nodes": [], "edges": [], "root": -1}, "without nodes"),
        (_edge(head=2), "a head outside the 2 nodes"),
        (_edge(head=None), "None among 'head'"),
        (_edge(tails=[1]), "edge 1 of node 1 with tail 1"),
        (_edge(tails=[2**31]), "32-bit integers"),
        (_edge(tails=0), "tails missing or not a list"),
        (_edge(tails=[0.0]), "0.0 among tails"),
        (_edge(span=[1]), "the span"),
        (_edge(target=[-2]), "symbol -2 of edge 1"),
        (_edge(rule=True), "True among 'rule'"),
        (_edge(features=[1]), r"the features \[1\]"),
        (_edge(features={"a": "1"}), "the value '1' of a; expected a finite number"),
        (_edge(features={"a": 10**400}), "expected a finite number"),
        (_edge(features={"a": math.inf}), "Infinity; expected a finite number"),
        ({**_edge(features={"a": 1}), "feature_names": ["b"]}, "no feature called a"),
        ({**SMALL, "feature_names": ["b", "b"]}, "two features called b"),
        ({**SMALL, "feature_names": [1]}, "not a list of names"),
    ],
)
def test_malformed_lines_are_named(
    text: str | dict[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "forests.jsonl"
    line = text if isinstance(text, str) else json.dumps(text)
    path.write_text(json.dumps(SMALL) + "\n" + line + "\n" + json.dumps(SMALL) + "\n")
    forests = read_forests(path)
    assert next(forests).edges == 2
    with pytest.raises(FormatError, match=message) as caught:
        next(forests)
    assert caught.value.path == str(path)
    assert caught.value.line == 2


def test_malformed_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "forests.jsonl"
    path.write_bytes(b'{"nodes": "\xff"}\n')
    with pytest.raises(FormatError, match="line 1: text that is not JSON"):
        next(read_forests(path))
