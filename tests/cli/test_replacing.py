"""Flags alike in all verbs: -o for what is written, --force to replace it, old names refused."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from demotic.cli.main import VERBS, demotic, run
from demotic.model import Model
from tests.learn.untuned import write_dev

TUNE = "tune phrase --src dev.de --ref dev.en --rounds 1 --threads 1 --quiet".split()
TRAIN = (
    "train phrase --src dev.de --tgt dev.en --dev-src dev.de --dev-ref dev.en --features none "
    "--dense-rate 1 --folds 2 --epochs 1 --threads 1 --quiet"
).split()
FORCE = "force phrase --src dev.de --ref dev.en --threads 1 --quiet".split()
PRINT_ONLY = {"check", "lm-query", "info", "status", "weights", "evaluate", "serve", "worker"}
IN_PLACE = {"calibrate"}  # adds to a model
RESUMES = {"experiment"}  # keeps all results, and adds those that are missing


@pytest.fixture
def texts(home: Path) -> Path:
    write_dev(home)
    return home


def flags_of(verb: str) -> set[str]:
    command = demotic.get_command(click.Context(demotic), verb)
    assert command is not None
    return {name for param in command.params for name in param.opts}


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_that_writes_has_the_two_flags(verb: str) -> None:
    wanted = set() if verb in PRINT_ONLY else {"-o", "--out", "--force"}
    wanted -= {"-o", "--out"} if verb in IN_PLACE else set()
    wanted -= {"--force"} if verb in RESUMES else set()
    assert flags_of(verb) & {"-o", "--out", "--force"} == wanted


@pytest.mark.parametrize("command", [TUNE, TRAIN])
def test_a_model_is_replaced_when_forced(
    texts: Path, capfd: pytest.CaptureFixture[str], command: list[str]
) -> None:
    Model.load("phrase").derive("out", origin={"made_by": "another"})
    (texts / "out" / "letter.txt").write_text("precious")
    before = (texts / "out" / "model.toml").read_bytes()
    assert run([*command, "-o", "out"]) == 2
    assert capfd.readouterr().err == (
        "demotic: error: out: a model exists already; expected a new directory "
        "(give --force to replace it, or choose another name)\n"
    )
    assert run([*command, "-o", "out", "--force"]) == 0, capfd.readouterr().err
    assert (texts / "out" / "model.toml").read_bytes() != before
    assert (texts / "out" / "letter.txt").read_text() == "precious"
    assert not [*(texts / "out").glob(".replaced*")]


@pytest.mark.parametrize("command", [TUNE, TRAIN, FORCE])
def test_what_is_replaced_comes_back_after_a_failure(
    texts: Path,
    capfd: pytest.CaptureFixture[str],
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run([*command, "-o", "out"]) == 0, capfd.readouterr().err
    before = {path: path.read_bytes() for path in (texts / "out").rglob("*") if path.is_file()}

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("demotic.model.Model.derive", fail)
    monkeypatch.setattr("demotic.force.directory.page_of", fail)
    assert run([*command, "-o", "out", "--force"]) == 130
    after = {path: path.read_bytes() for path in (texts / "out").rglob("*") if path.is_file()}
    assert after == before


def test_unfinished_work_is_begun_anew_when_forced(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*TUNE, "-o", "out"]) == 0
    (texts / "out" / "model.toml").unlink()
    other = [*TUNE, "--seed", "7", "-o", "out"]
    assert run(other) == 2
    assert "a run with another model, text or other settings" in capfd.readouterr().err
    assert run([*other, "--force"]) == 0, capfd.readouterr().err
    assert Model.load("out").info.origin["tuning_seed"] == 7


@pytest.mark.parametrize("command", [TUNE, TRAIN])
def test_a_model_does_not_replace_itself(
    texts: Path, capfd: pytest.CaptureFixture[str], command: list[str]
) -> None:
    for out in ("phrase", str((texts / "phrase").resolve().parent)):
        assert run([*command, "-o", out, "--force"]) == 2
        assert capfd.readouterr().err == (
            f"demotic: error: {out}: the directory of the model phrase itself; expected another "
            "directory for the new model (choose another name)\n"
        )
    assert Model.load("phrase").kind == "phrase"


def test_gold_forests_are_replaced_when_forced(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*FORCE, "-o", "gold", "--texts"]) == 0
    assert run([*FORCE, "-o", "gold"]) == 2
    assert capfd.readouterr().err == (
        "demotic: error: gold: gold forests exist already; expected a new directory "
        "(give --force to replace them, or choose another name)\n"
    )
    assert run([*FORCE, "-o", "gold", "--force"]) == 0, capfd.readouterr().err
    names = {path.name for path in (texts / "gold").iterdir()}
    assert names == {"gold.bin", "reachability.json", "report.html"}


@pytest.mark.usefixtures("home")
def test_a_page_is_replaced_when_forced(capfd: pytest.CaptureFixture[str]) -> None:
    command = "explain phrase Haus -o why.html".split()
    assert run(command) == 0
    assert run(command) == 2
    assert capfd.readouterr().err.endswith(
        "demotic: error: why.html: the file exists already; expected a new file "
        "(give --force to replace it, or choose another name)\n"
    )
    assert run([*command, "--force"]) == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("build --src t.de --tgt t.de --model m", "--model is not a flag of this verb; give the "),
        ("import moses.ini --model m", "--model is not a flag of this verb; give the directory "),
        ("explain phrase Haus --html why", "--html is not a flag of this verb; give the name of "),
        (
            "train m --no-future",
            "--no-future is not a flag of this verb; give --compare-by score, ",
        ),
        ("train m --unreached skip", "--unreached is not a flag of this verb; give --unreachable "),
        ("prepare --src de", "--src is not a flag of this verb; give the language with --src-lang"),
        ("check t.de t.de --tgt en", "--tgt is not a flag of this verb; give the language with "),
    ],
)
@pytest.mark.usefixtures("home")
def test_old_flags_are_refused_with_the_new_name(
    command: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    assert capfd.readouterr().err.startswith(f"demotic: error: {message}")
