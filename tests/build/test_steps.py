"""Steps run once, and again exactly when something they depend on has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.steps import Steps


class Kitchen:
    """Two steps, the second after the first, that count how often they ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.input = folder / "input"
        self.ran: list[str] = []
        self.input.write_text("flour")

    def cook(self, *, heat: int = 180, force: bool = False) -> list[str]:
        self.ran = []
        steps = Steps(self.folder / "steps", force=force)
        dough, bread = self.folder / "dough", self.folder / "bread"
        first = steps.run(
            "mix", lambda: self.write(dough, "mix"), outputs=[dough], files=[self.input]
        )
        steps.run(
            "bake",
            lambda: self.write(bread, "bake"),
            outputs=[bread],
            options={"heat": heat},
            after=[first],
        )
        assert sorted(self.ran + steps.skipped) == ["bake", "mix"]
        return self.ran

    def write(self, path: Path, name: str) -> None:
        self.ran.append(name)
        path.write_text(name)


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    made = Kitchen(tmp_path)
    assert made.cook() == ["mix", "bake"]
    return made


def test_nothing_is_done_twice(kitchen: Kitchen) -> None:
    assert kitchen.cook() == []


def test_force(kitchen: Kitchen) -> None:
    assert kitchen.cook(force=True) == ["mix", "bake"]


def test_changed_option(kitchen: Kitchen) -> None:
    assert kitchen.cook(heat=200) == ["bake"]


def test_changed_input_reaches_later_steps(kitchen: Kitchen) -> None:
    kitchen.input.write_text("rye")
    assert kitchen.cook() == ["mix", "bake"]


def test_touched_input_with_the_same_content(kitchen: Kitchen) -> None:
    kitchen.input.write_text("flour")
    assert kitchen.cook() == []


@pytest.mark.parametrize("damage", ["unlink", "write"])
def test_lost_or_changed_output(kitchen: Kitchen, damage: str) -> None:
    bread = kitchen.folder / "bread"
    bread.unlink() if damage == "unlink" else bread.write_text("eaten by mice")
    assert kitchen.cook() == ["bake"]


def test_a_step_that_failed_is_not_recorded(kitchen: Kitchen) -> None:
    steps = Steps(kitchen.folder / "steps")

    def burn() -> None:
        raise RuntimeError("smoke")

    with pytest.raises(RuntimeError):
        steps.run("bake", burn, outputs=[kitchen.folder / "bread"], options={"heat": 500})
    assert kitchen.cook() == ["bake"]


def test_a_record_cut_short_counts_as_none(kitchen: Kitchen) -> None:
    record = kitchen.folder / "steps" / "mix.json"
    record.write_text(record.read_text()[:20])
    assert kitchen.cook() == ["mix"]
