"""The build makes a model once, in spite of interruptions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.errors import Error, FormatError, ModelError
from demotic.lock import locked
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.rules import RuleOptions

PARTS = ["lm-0.lm", "model.toml", "rules.bin", "vocabulary.bin", "weights.tsv"]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=400, dev=2, test=2), folder)
    return folder / "tok" / "train.zh", folder / "tok" / "train.en"


@contextmanager
def silent(label: str) -> Iterator[object]:
    yield lambda done, total=0: None


def made(text: tuple[Path, Path], folder: Path, **options: object) -> tuple[Model, list[str]]:
    chosen = BuildOptions(source=text[0], target=text[1], **options)  # type: ignore[arg-type]
    built = build(chosen, folder, progress=silent)  # type: ignore[arg-type]
    return built.model, list(built.skipped)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in PARTS}


def test_phrase_model(text: tuple[Path, Path], tmp_path: Path) -> None:
    model, skipped = made(text, tmp_path / "m")
    assert skipped == []
    assert len(model.rules) > 1000
    assert len(model.weights) == 15
    assert sorted(p.name for p in (tmp_path / "m").iterdir()) == sorted([*PARTS, "bitext", "work"])
    before = contents(tmp_path / "m")
    _, skipped = made(text, tmp_path / "m")
    assert skipped == ["corpus", "links", "language_model", "rules", "model"]
    assert contents(tmp_path / "m") == before


def test_hiero_model(text: tuple[Path, Path], tmp_path: Path) -> None:
    model, _ = made(text, tmp_path / "m", kind="hiero")
    assert model.kind == "hiero"
    assert any("[X,1]" in rule.source for rule in model.rules)
    assert "reordered = [" in (tmp_path / "m" / "distortion.toml").read_text()


def test_a_changed_option_redoes_only_what_depends_on_it(
    text: tuple[Path, Path], tmp_path: Path
) -> None:
    made(text, tmp_path / "m")
    model, skipped = made(text, tmp_path / "m", rules=RuleOptions(min_count=2))
    assert skipped == ["corpus", "links", "language_model"]
    assert all(
        rule.occurrences > 1 or len(rule.source) == len(rule.target) == 1 for rule in model.rules
    )


def test_threads_change_nothing(text: tuple[Path, Path], tmp_path: Path) -> None:
    for threads in (1, 3):
        options = BuildOptions(source=text[0], target=text[1])
        build(options, tmp_path / str(threads), threads=threads, progress=silent)  # type: ignore[arg-type]
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


@pytest.mark.parametrize("delay", [0.5, 0.9, 1.2, 1.6])
def test_kill_and_resume(text: tuple[Path, Path], tmp_path: Path, delay: float) -> None:
    made(text, tmp_path / "whole")
    program = "from demotic.cli.main import main; main()"
    verb = ["build", "--src", str(text[0]), "--tgt", str(text[1])]
    command = [sys.executable, "-c", program, *verb, "-o", str(tmp_path / "killed")]
    process = subprocess.Popen(command)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    made(text, tmp_path / "killed")
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert not list((tmp_path / "killed").rglob("*.partial-*"))


def test_a_second_process_is_refused(text: tuple[Path, Path], tmp_path: Path) -> None:
    with locked(tmp_path / "m"), pytest.raises(Error, match="one writer at a time"):
        made(text, tmp_path / "m")


def test_given_links(text: tuple[Path, Path], tmp_path: Path) -> None:
    links = text[0].with_name("train.links")
    model, _ = made(text, tmp_path / "m", links=[links])
    assert "align_model" not in model.info.options
    short = tmp_path / "short.links"
    short.write_text("0-0\n")
    with pytest.raises(ModelError, match="links of 1 sentence pairs; expected links of 400"):
        made(text, tmp_path / "n", links=[short])


def test_different_line_counts(text: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "short.en"
    other.write_text("one line\n")
    with pytest.raises(FormatError, match="400 lines here, but 1 in"):
        made((text[0], other), tmp_path / "m")


def test_prepared_text_brings_its_preparation(tmp_path: Path) -> None:
    write(generate(3, train=60, dev=2, test=2), tmp_path)
    raw = [str(tmp_path / "raw" / name) for name in ("train.zh", "train.en")]
    prepared, model = str(tmp_path / "prepared"), str(tmp_path / "m")
    languages = ["--src-lang", "zh", "--tgt-lang", "en"]
    assert run(["prepare", *languages, *raw, "-o", prepared, "--quiet"]) == 0
    sides = [f"{prepared}/corpus.zh", f"{prepared}/corpus.en"]
    code = run(["build", "--src", sides[0], "--tgt", sides[1], "-o", model, "--quiet"])
    assert code == 0
    loaded = Model.load(model)
    assert (loaded.info.source_language, loaded.info.target_language) == ("zh", "en")
    assert (Path(model) / "preparation.toml").exists()


def test_the_verb_as_json(
    text: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--src", str(text[0]), "--tgt", str(text[1]), "-o", str(tmp_path / "m")]
    assert run(["build", *flags, "--order", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "phrase"
    assert run(["build", *flags, "--max-phrase", "0"]) == 2
