"""`demotic status`: what is done, stale and why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.lock import LOCK_NAME, locked
from demotic.pipeline.costs import planned, stage_names
from demotic.pipeline.options import MakeOptions
from demotic.pipeline.request import MakeRequest
from demotic.pipeline.work import Work
from demotic.status import status_of
from demotic.steps import Steps

SOURCE = "la casa verde\nla casa\nuna casa verde\nuna flor\nla flor verde\n" * 4
TARGET = "the green house\nthe house\na green house\na flower\nthe green flower\n" * 4

BUILD = "build --src es --tgt en --preset fast".split()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("es").write_text(SOURCE)
    Path("en").write_text(TARGET)
    assert run([*BUILD, "-o", "model", "--quiet"]) == 0
    return tmp_path


def states(path: str) -> dict[str, str]:
    return {part.name.removeprefix("work/"): part.state for part in status_of(path).steps}


def test_a_finished_model(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["status", "model", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["finished"]
    assert not found["stale"]
    assert not found["running"]
    names = [part["name"] for part in found["steps"]]
    assert names == [f"work/{n}" for n in ("corpus", "links", "language_model", "rules", "model")]
    assert all(part["bytes"] > 0 and part["written"] for part in found["steps"])
    rules = next(part for part in found["steps"] if part["name"] == "work/rules")
    files = [Path("model") / name for name in ("rules.bin", "distortion.json")]
    assert rules["bytes"] == sum(file.stat().st_size for file in files if file.exists())


def test_a_changed_input_makes_everything_after_it_stale(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("es").touch()  # another time, the same content
    assert set(states("model").values()) == {"done"}
    Path("es").write_text(SOURCE + "la flor\n")
    assert states("model") == dict.fromkeys(
        ["corpus", "links", "language_model", "rules", "model"], "stale"
    )
    capsys.readouterr()
    assert run(["status", "model"]) == 0
    text = capsys.readouterr().out
    assert f"input {built / 'es'} was changed" in text
    assert "step 'corpus' is stale" in text
    assert "5 stale: the command that made it makes them again" in text


def test_tuned_and_half_tuned(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tune = "tune model --src es --ref en -o tuned --rounds 2 --quiet".split()
    assert run(tune) == 0
    (rounds,) = status_of("tuned").steps
    assert (rounds.name, rounds.state) == ("runs/1", "done")
    assert rounds.note.startswith(("1 round, last score ", "2 rounds, last score "))
    Path("tuned/model.toml").unlink()
    capsys.readouterr()
    assert run(["status", "tuned"]) == 0
    text = capsys.readouterr().out
    assert "tuned: unfinished by demotic tune" in text
    assert rounds.note in text
    assert "the command that began it resumes" in text


def test_a_changed_output(built: Path) -> None:
    (built / "model" / "rules.bin").unlink()
    found = {part.name: part for part in status_of("model").steps}
    assert found["work/rules"].why == "rules.bin is missing"
    assert found["work/model"].why == "step 'rules' is stale"
    assert found["work/links"].state == "done"
    assert not found["work/links"].why


def test_a_step_made_again(tmp_path: Path) -> None:
    def write(text: str) -> None:
        (tmp_path / "out").write_text(text)

    steps = Steps(tmp_path / "work")
    key = steps.run("a", lambda: write("1"), outputs=[], options={"x": 1})
    steps.run("b", lambda: write("2"), outputs=[tmp_path / "out"], after=[key])
    assert states(str(tmp_path)) == {"a": "done", "b": "done"}
    steps.run("a", lambda: None, outputs=[], options={"x": 2})
    found = {part.name: part for part in status_of(tmp_path).steps}
    assert found["work/b"].why == "a step before it was made again"


def test_records_of_earlier_versions(built: Path) -> None:
    for record in (built / "model" / "work").glob("*.json"):
        stored = json.loads(record.read_text())
        record.write_text(json.dumps({name: stored[name] for name in ("key", "outputs")}))
    assert set(states("model").values()) == {"done"}
    assert run([*BUILD, "-o", "model", "--quiet"]) == 0


def test_an_unfinished_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("es").write_text(SOURCE)
    Path("en").write_text(TARGET)
    request = MakeRequest(
        inputs=("es", "en"), source_language="es", target_language="en", out=Path("made")
    )
    work = Work(Path("made"))
    work.claim(request.command(), force=False)
    work.remember_inputs(request.input_names())
    for stage in ("check", "split"):
        with work.timed(stage):
            pass
    with pytest.raises(KeyboardInterrupt), work.timed("prepare"):
        raise KeyboardInterrupt
    found = status_of("made")
    assert not found.finished
    assert found.made_by == "demotic make"
    stages = {part.name: part.state for part in found.stages}
    assert list(stages) == stage_names(MakeOptions())
    assert stages["split"] == "done"
    assert stages["prepare"] == "unfinished"
    assert stages["build"] == stages["report"] == "not begun"
    Path("en").write_text(TARGET + "a\n")
    changed = {part.name: part for part in status_of("made").stages}
    assert changed["check"].state == "stale"
    assert changed["check"].why == f"input {tmp_path / 'en'} was changed"


def test_the_stage_of_a_running_or_killed_make(tmp_path: Path) -> None:
    """The one that was begun, not the one before it; also while a resumed run repeats another."""

    def stages() -> dict[str, str]:
        return {part.name: part.state for part in status_of(tmp_path / "made").stages}

    work = Work(tmp_path / "made")
    work.claim({"kind": "phrase"}, force=False)
    with work.timed("check"):
        assert stages()["check"] == "unfinished"
    with work.timed("split"):  # as a killed process leaves it
        assert stages() | {"check": "done", "split": "unfinished"} == stages()
        with work.timed("check"):
            assert stages() | {"check": "unfinished", "split": "unfinished"} == stages()
        assert stages()["check"] == "done"
    assert stages() | {"split": "done", "prepare": "not begun"} == stages()


def test_running_means_that_the_process_lives(tmp_path: Path) -> None:
    work = Work(tmp_path / "made")
    work.claim({"kind": "phrase"}, force=False)
    with locked(work.folder):
        assert status_of(tmp_path / "made").running
        lock = work.folder / LOCK_NAME
        host, _, since = lock.read_text("utf-8").splitlines()
        gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        lock.write_text(f"{host}\n{int(gone.stdout)}\n{since}\n", "utf-8")
        assert not status_of(tmp_path / "made").running
        lock.write_text(f"another-{host}\n1\n{since}\n", "utf-8")
        assert status_of(tmp_path / "made").running
    assert not status_of(tmp_path / "made").running


@pytest.mark.parametrize("kind", ["phrase", "best"])
@pytest.mark.parametrize("preset", ["fast", "balanced", "best"])
@pytest.mark.parametrize("story", [False, True])
def test_stages_are_those_that_are_planned(
    tmp_path: Path, kind: str, preset: str, story: bool
) -> None:
    (tmp_path / "x").write_text("a\tb\n")
    options = MakeOptions(kind=kind, preset=preset, story=story)  # type: ignore[arg-type]
    request = MakeRequest(
        inputs=(tmp_path / "x",),
        source_language="es",
        target_language="en",
        out=tmp_path / "y",
        options=options,
    )
    assert stage_names(options) == [plan.name for plan in planned(request, None)]


def test_a_directory_of_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["status", str(tmp_path)]) == 2
    assert "no model in it" in capsys.readouterr().err
