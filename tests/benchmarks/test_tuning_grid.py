"""The grid of tuning runs: no duplicate cells, nothing lost by a kill, diversity as defined."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from benchmarks.tuning_cells import GROUPS, Cell, Subset, cells
from benchmarks.tuning_lists import diversity
from benchmarks.tuning_run import TuningResults


def test_cells_are_known_by_their_settings() -> None:
    cell = Cell(group="A", method="mira")
    assert replace(cell, group="D").key == cell.key
    for other in (
        replace(cell, seed=2),
        replace(cell, beam=30),
        replace(cell, aware="partial"),
        replace(cell, learner={"step": 0.1}),
    ):
        assert other.key != cell.key
    assert Cell(group="A", **json.loads(json.dumps(cell.settings))) == cell


def test_a_group_has_no_cell_twice_and_repeats_only_what_draws_random_numbers() -> None:
    for group in GROUPS:
        keys = [cell.key for cell in cells(group, 3)]
        assert len(set(keys)) == len(keys)
    assert [cell.seed for cell in cells("A", 3) if cell.method == "rampion"] == [1]
    assert [cell.seed for cell in cells("A", 3) if cell.method == "mert"] == [1, 2, 3]


def test_any_part_of_a_group() -> None:
    subset = Subset(task=["zh-en-tatoeba"], method=["mert"], beam=[8, 30], future_cost=[False])
    found = list(cells("S", 2, subset))
    assert {(cell.seed, cell.beam, cell.aware, cell.bin_weight) for cell in found} == {
        (seed, beam, *kind)
        for seed in (1, 2)
        for beam in (8, 30)
        for kind in [("none", "shared"), *product(("partial", "potential"), ("shared", "equal"))]
    }
    assert len(found) == 20
    shared = replace(subset, bin_weight=["equal"], aware=["none", "partial"])
    kinds = [(cell.aware, cell.bin_weight) for cell in cells("S", 1, shared)]
    assert kinds == [("none", "shared"), ("partial", "equal")] * 2


def test_systems_are_what_seeds_have_in_common() -> None:
    cell = Cell(group="B", method="mira", aware="potential", learner={"step": 0.1})
    assert cell.system == replace(cell, seed=3, beam=4).system == "mira step=0.1 potential"
    assert replace(cell, bin_weight="equal").system == "mira step=0.1 potential equal"


def test_results_are_kept_and_read_back(tmp_path: Path) -> None:
    results = TuningResults(tmp_path)
    assert results.records == []
    for key in ("a", "b"):
        results.keep({"key": key}, ["one line", f"line of {key}"])
    assert [record["key"] for record in results.records] == ["a", "b"]
    assert results.output("b") == ["one line", "line of b"]
    assert {path.name for path in results.folder.rglob("*.*")} == {
        "a.txt",
        "b.txt",
        "results.jsonl",
    }


def test_diversity_of_lists() -> None:
    def of(*strings: str) -> list[float]:
        return diversity([text.split() for text in strings])

    assert of("a b c d") == []
    assert of("a b c d", "a b c d") == [0, 0, 0, 0]
    assert of("a b c d", "e f g h") == [1, 1, 1, 1]
    # Words: <c, c'> = 2, 5 and 3 with themselves; pairs of words: 1, 2 and 2; nothing longer shared
    # but there is some; then "a a b" has none of 4 words and neither has the other.
    assert of("a a b", "a b c") == pytest.approx([1 - 6 / 8, 1 - 2 / 4, 1, 0])
    assert of("a", "a", "b")[0] == pytest.approx(2 / 3)
