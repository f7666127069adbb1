"""A forest is an immutable value with consistent parts."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.errors import ModelError
from demotic.features.weights import FeatureIndex, Weights
from demotic.forest import FeatureRows, Forest, Rows, write_forests
from tests.forest.small_forests import NAMES, forest_of

COLUMNS = [
    "edge_offsets",
    "tail_offsets",
    "tails",
    "edge_rule",
    "edge_begin",
    "edge_end",
    "edge_target",
    "edge_features",
    "node_bin",
    "feature_names",
]


def _changed(**columns: Any) -> Forest:
    """Two words joined by a goal edge, with some columns replaced."""
    forest = forest_of(
        [[(), ()], [(0,)]], [[4], [5, 6], [-1]], [{0: -1.0}, {0: -2.0, 1: 2.0}, {3: 1.0}]
    )
    return Forest(**{name: getattr(forest, name) for name in COLUMNS} | columns)


def test_scores_are_weights_times_features() -> None:
    forest = _changed()
    assert forest.scores([2.0, 0.5, 0.0, 3.0]).tolist() == [-2.0, -3.0, 3.0]
    weights = Weights.of({"backward": 3.0, "words": 0.5, "lm": 2.0, "forward": 0.0})
    assert forest.scores(weights).tolist() == [-2.0, -3.0, 3.0]
    with pytest.raises(ModelError, match="no weight for lm"):
        forest.scores(Weights.of({"words": 1.0, "forward": 1.0, "backward": 1.0}))
    with pytest.raises(ValueError, match="expected 4 weights"):
        forest.scores([1.0, 2.0])


def test_columns_cannot_be_written_to() -> None:
    rules = np.array([7, 8, 9], dtype=np.int32)
    forest = _changed(edge_rule=rules)
    rules[0] = 1
    assert forest.edge_rule.tolist() == [7, 8, 9]
    found = forest.kbest(2, np.zeros(3))
    for column in (forest.edge_rule, forest.tails, found.scores, found[0], found.edges.offsets):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_read_only_columns_are_not_copied() -> None:
    rules = np.array([7, 8, 9], dtype=np.int32)
    rules.flags.writeable = False
    assert _changed(edge_rule=rules).edge_rule is rules


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("edge_offsets", [0], "without nodes"),
        ("edge_offsets", [0, 3, 2], "edge offsets that decrease at row 1"),
        ("edge_offsets", [1, 2, 3], "do not begin with 0"),
        ("edge_offsets", [0, 2, 4], "end at 4; expected an end at 3"),
        ("tail_offsets", [0, 0, 0, 2], "end at 2"),
        ("tail_offsets", [0, 1, 1, 1], "edge 0 of node 0 with tail 0"),
        ("tails", [1], "edge 2 of node 1 with tail 1; expected nodes in topological order"),
        ("tails", [-1], "tail -1"),
        ("edge_target", Rows.of([[4], [5], [-2]]), "symbol -2 of edge 2"),
        ("edge_target", Rows.of([[4], [-1], [-1]]), "symbol -1 of edge 1"),
        ("edge_target", Rows.of([[4], [5], [-1, -1]]), "each once"),
        ("edge_features", FeatureRows.of([{0: 1.0}, {4: 1.0}, {}]), "feature 4"),
        ("edge_features", FeatureRows.of([{-1: 1.0}, {}, {}]), "feature -1"),
        ("edge_features", FeatureRows.of([{0: math.nan}, {}, {}]), "finite"),
        (
            "edge_features",
            FeatureRows(np.array([0, 2, 2, 2]), np.array([1, 0]), np.ones(2)),
            "ascending",
        ),
        (
            "edge_features",
            FeatureRows(np.array([0, 0, 2, 2]), np.array([1, 1]), np.ones(2)),
            "ascending",
        ),
    ],
)
def test_parts_that_do_not_fit_are_refused(column: str, value: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        _changed(**{column: value})


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("edge_rule", [1, 2], r"expected 3 rows \(one per edge\), got 2"),
        ("edge_features", FeatureRows.of([{}]), r"expected 3 rows \(one per edge\), got 1"),
        ("edge_target", Rows.of([[]]), "3 edges"),
        ("edge_target", Rows(np.array([0, 9, 1, 2]), np.array([1, 2])), "do not fit"),
        ("node_bin", [0], r"expected 2 bins \(one per node\), got 1"),
        ("edge_begin", [0, 1, 2**40], "does not fit into"),
        ("edge_end", [[1, 2, 3]], "one dimension, got 2"),
    ],
)
def test_arrays_of_the_wrong_shape_are_refused(column: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _changed(**{column: value})


def test_forests_are_equal_if_all_their_columns_are() -> None:
    assert _changed() == _changed()
    assert _changed() != _changed(edge_rule=[1, 2, 3])
    assert _changed() != _changed(edge_features=FeatureRows.of([{}, {}, {}]))
    assert _changed() != "forest"


def test_the_representation_has_the_size() -> None:
    forest = _changed()
    assert repr(forest) == "Forest(2 nodes, 3 edges, 1 tails, 4 features)"
    assert "<td>2</td>" in forest._repr_html_()
    assert repr(forest.kbest(1, np.zeros(3))) == "Derivations(1, best 0)"
    assert repr(forest.envelope(np.zeros(3), np.zeros(3))) == "Envelope(1 segments)"
    assert len(NAMES) == len(forest.feature_names)


def test_a_single_node_without_edges_has_no_derivation() -> None:
    forest = forest_of([[]])
    assert forest.number_of_derivations == 0
    assert forest.inside([]).tolist() == [-math.inf]
    assert forest.outside([]).tolist() == [0.0]
    assert forest.edge_posteriors([]).tolist() == []
    for found in (forest.viterbi([]), forest.kbest(3, []), forest.sample(3, [], seed=1)):
        assert len(found) == 0
    assert len(forest.envelope([], [])) == 0
    assert forest.prune([]) == forest


def test_the_example_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "forests.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names = FeatureIndex(["lm", "words"])
    features = FeatureRows.of([{0: -1.0}, {0: -2.0, 1: 2.0}, {1: 1.0}])
    monkeypatch.chdir(tmp_path)
    write_forests("forests.jsonl.gz", [_changed(feature_names=names, edge_features=features)])
    found: dict[str, Any] = {}
    exec(example, found)
    assert found["best"][0].tolist() == [2, 0]
    assert found["forest"].yields(found["found"])[0].tolist() == [4]


def test_rows_are_found_from_both_ends() -> None:
    rows = Rows.of([[1, 2], [], [3]])
    assert [row.tolist() for row in rows] == [[1, 2], [], [3]]
    assert rows[-1].tolist() == [3]
    assert rows == Rows.of([[1, 2], [], [3]])
    assert rows.take(np.array([2, 0], np.int32)) == Rows.of([[3], [1, 2]])
    for row in (3, -4):
        with pytest.raises(IndexError, match="there are 3"):
            rows[row]
