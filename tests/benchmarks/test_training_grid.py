"""The grid of training runs: what cells share, and which tuned model a run is compared with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.source_tags import tagged
from benchmarks.training_cells import GROUPS, UNTRAINED, TrainingCell, chain
from benchmarks.training_grid import _matched
from benchmarks.training_run import TaskSearch, _move_parts


def test_cells_are_known_by_their_settings() -> None:
    cell = chain("zh-en-tatoeba", 2)
    assert TrainingCell(**json.loads(json.dumps(cell.settings))) == cell
    for group in GROUPS.values():
        named = {(one.place, one.system, one.seed, one.beam, one.pop): one.key for one in group()}
        assert len(named) == len({one.key for one in group()})


def test_what_follows_the_training_does_not_train_again() -> None:
    cell = chain("zh-en-tatoeba", 1)
    for other in (
        replace(cell, final={"rounds": 12}),
        replace(cell, tune_again=False),
        replace(cell, test_beam=30),
    ):
        assert other.key != cell.key
        assert other.training_key == cell.training_key
    assert replace(cell, epochs=6).training_key != cell.training_key
    assert replace(cell, test_beam=30).final_key == cell.final_key
    assert replace(cell, final={"rounds": 12}).final_key != cell.final_key


def test_the_whole_chain_is_tuned_by_the_seed_of_its_run() -> None:
    assert [TaskSearch.of(chain("zh-en-tatoeba", seed)).seed for seed in (1, 2)] == [1, 2]
    assert TaskSearch.of(TrainingCell(method="early", seed=2)).seed == 1
    names = {TaskSearch.of(chain("zh-en-tatoeba", seed)).name for seed in (1, 2, 3)}
    assert len(names) == 3


def test_a_run_is_compared_with_the_tuned_model_it_began_with() -> None:
    def of(*seeds: int) -> list[dict[str, object]]:
        return [{"cell": {"seed": seed}, "key": f"{UNTRAINED} {seed}"} for seed in seeds]

    assert _matched(of(1, 2, 3), of(3, 1)) == of(3, 1)
    assert _matched(of(1), of(2, 3)) == of(1, 1)


def test_parts_are_handed_on(tmp_path: Path) -> None:
    for name in ("part-1-of-2", "whole", "classes"):
        (tmp_path / "old" / name).mkdir(parents=True)
    (tmp_path / "new" / "whole").mkdir(parents=True)
    (tmp_path / "new" / "whole" / "stale").touch()
    _move_parts(tmp_path / "old", tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"part-1-of-2", "whole"}
    assert not (tmp_path / "new" / "whole" / "stale").exists()
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["classes"]


def test_every_token_has_a_tag() -> None:
    pytest.importorskip("jieba")
    lines = ["我 不 喜欢 生物学 。", "A&B 打电话 <unk> \u3000", ""]
    found = tagged(lines)
    assert found == lines
    assert [len(line.tags.split()) for line in found] == [5, 4, 0]  # type: ignore[attr-defined]
