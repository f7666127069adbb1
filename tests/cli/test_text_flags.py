"""Raw and tokenised text, and learning that would start from useless scores."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model
from tests.cli.conftest import TRANSLATED
from tests.learn.untuned import untuned
from tests.search.small_models import pairs

TUNE = "tune bad --src dev.de --ref dev.en --rounds 1 --threads 1".split()
TRAIN = (
    "train phrase --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en --epochs 1 "
    "--threads 1 --features z14 --held-out none"
).split()


@pytest.fixture
def texts(home: Path) -> Path:
    """Raw dev.* and train.*, the same tokenised as tok.*, and prepared text in `text`."""
    untuned(Model.load("phrase"), home / "bad")
    prepare = Model.load("phrase").raw_text
    (home / "text").mkdir()
    (home / "text" / "preparation.toml").write_bytes(
        (home / "phrase" / "preparation.toml").read_bytes()
    )
    for side, one in enumerate((prepare.prepared, prepare.prepared_reference)):
        language = ("de", "en")[side]
        lines = [pair[side] for pair in pairs()]
        for name in ("dev", "train"):
            write(home / f"{name}.{language}", lines)
            write(home / f"tok.{name}.{language}", map(one, lines))
        write(home / "text" / f"corpus.{language}", map(one, lines))
    return home


def write(path: Path, lines: object) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")  # type: ignore[attr-defined]


def found(capfd: pytest.CaptureFixture[str], *command: str) -> dict[str, object]:
    assert run([*command, "--json"]) == 0, capfd.readouterr().err
    values: dict[str, object] = json.loads(capfd.readouterr().out)
    return values


def test_a_flag_per_file_in_tune(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    raw = found(capfd, *TUNE, "-o", "raw")["weights"]
    source = [*TUNE, "--src", "tok.dev.de", "--src-tokenized"]
    assert found(capfd, *source, "-o", "source")["weights"] == raw
    target = ["tune", "bad", "--src", "dev.de", "--ref", "tok.dev.en", *TUNE[6:]]
    assert found(capfd, *target, "--ref-tokenized", "-o", "target")["weights"] == raw
    # One flag for all files, and another for one of them.
    both = [*target, "--tokenized", "--src-raw"]
    assert found(capfd, *both, "-o", "both")["weights"] == raw


def test_prepared_text_is_recognised(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    raw = found(capfd, *TUNE, "-o", "raw")["weights"]
    files = ["--src", "text/corpus.de", "--ref", "text/corpus.en"]
    assert run(["tune", "bad", *files, *TUNE[6:], "--json", "-o", "prepared"]) == 0
    captured = capfd.readouterr()
    assert json.loads(captured.out)["weights"] == raw
    for name in ("text/corpus.de", "text/corpus.en"):
        note = f"{name}: read as prepared text, because preparation.toml is there (--raw if it i"
        assert captured.err.count(note) == 1


def test_prepared_text_is_translated_into_raw_text(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(texts / "text" / "corpus.de", ["das haus ist groß .", "", "heute kenne ich das kind ."])
    assert run(["translate", "phrase", "text/corpus.de"]) == 0
    captured = capfd.readouterr()
    assert captured.out == TRANSLATED
    assert "text/corpus.de: read as prepared text" in captured.err
    (texts / "tokens.de").write_text("das haus ist groß .\n", "utf-8")
    assert run(["translate", "phrase", "tokens.de", "--src-tokenized"]) == 0
    assert capfd.readouterr().out == "The house is big.\n"
    assert run(["translate", "phrase", "tokens.de", "--tokenized"]) == 0
    assert capfd.readouterr().out == "the house is big .\n"


def test_raw_and_prepared_text_in_train(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    raw = found(capfd, *TRAIN, "--quiet", "-o", "raw")["weights"]
    dev = TRAIN[6:]
    prepared = ["train", "phrase", "--src", "text/corpus.de", "--tgt", "text/corpus.en", *dev]
    assert found(capfd, *prepared, "--quiet", "-o", "prepared")["weights"] == raw
    tokens = ["train", "phrase", "--src", "tok.train.de", "--tgt", "tok.train.en", *dev]
    flags = ["--src-tokenized", "--tgt-tokenized", "--quiet"]
    assert found(capfd, *tokens, *flags, "-o", "tokenised")["weights"] == raw


def test_force_and_explain(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    force = ["force", "phrase", "--ref", "dev.en", "--threads", "1", "--quiet"]
    raw = found(capfd, *force, "--src", "dev.de", "-o", "raw")["reachable"]
    mixed = [*force, "--src", "tok.dev.de", "--src-tokenized", "-o", "mixed"]
    assert found(capfd, *mixed)["reachable"] == raw
    explain = ["explain", "phrase", "das haus ist alt .", "--src-tokenized", "--ref"]
    shown = found(capfd, *explain, "The house is old.")
    assert shown["translation"] == "The house is old."
    assert shown["reference"]["is_reference"]  # type: ignore[index]


def test_explain_warns(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "phrase", "Das Haus ist alt.", "--tokenized", "--json"]) == 0
    assert "warning: SENTENCE: 75 % of the running words are unknown" in capfd.readouterr().err


LOW = r"BLEU 0\.\d\d on the (dev|tuning) set before anything is learnt: of the source, "


def test_tuning_that_would_begin_at_nothing(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    swapped = ["tune", "bad", "--src", "dev.en", "--ref", "dev.de", *TUNE[6:], "-o", "deep/out"]
    assert run(swapped) == 2
    error = capfd.readouterr().err
    assert re.search(LOW, error)
    assert "source and target are swapped" in error
    assert "--min-bleu 0 continues anyway" in error
    assert not (texts / "deep").exists()
    assert run([*swapped, "--min-bleu", "0"]) == 0
    assert Model.load("deep/out").info.origin["tuning_score_before"] < 1  # type: ignore[operator]


def test_training_that_would_begin_at_nothing(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Raw dev files with a flag that declares all text tokenised."""
    write(texts / "dev.de", [source.upper() for source, _ in pairs()])
    tokens = ["train", "phrase", "--src", "tok.train.de", "--tgt", "tok.train.en", *TRAIN[6:]]
    assert run([*tokens, "--tokenized", "-o", "out"]) == 2
    error = capfd.readouterr().err
    assert re.search(LOW, error)
    assert "the text is not tokenised" in error
    assert not (texts / "out").exists()


def test_training_on_a_swapped_bitext_is_refused(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    swapped = ["train", "phrase", "--src", "tok.train.en", "--tgt", "tok.train.de", *TRAIN[6:]]
    flags = ["--src-tokenized", "--tgt-tokenized", "--quiet", "-o", "out"]
    assert run([*swapped, *flags]) == 2
    error = capfd.readouterr().err
    assert "error: tok.train.en and tok.train.de are swapped: most words of each" in error
    assert "exchange the files; --min-bleu 0 trains on them anyway" in error
    assert not (texts / "out").exists()
    assert run([*swapped, *flags, "--min-bleu", "0"]) == 2
    assert "error: no reachable pair" in capfd.readouterr().err


def test_a_toy_dev_set_is_not_refused(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(texts / "dev.de", ["the house"] * 3)
    write(texts / "dev.en", ["das haus"] * 3)
    assert run([*TUNE, "-o", "out"]) == 0
    assert "warning: dev.de: 100 % of the running words" in capfd.readouterr().err


@pytest.mark.parametrize("verb", [TUNE, TRAIN, "force phrase --src dev.de --ref dev.en".split()])
def test_outputs_are_refused_before_any_work(
    texts: Path, capfd: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    (texts / "full").mkdir()
    (texts / "full" / "letter.txt").write_text("precious")
    for out, message in (
        ("full", "full: a directory with other files; expected a new or empty directory"),
        ("dev.de", "dev.de: a file where a directory is to be created"),
    ):
        assert run([*verb, "-o", out]) == 2
        assert message in capfd.readouterr().err
    assert [one.name for one in (texts / "full").iterdir()] == ["letter.txt"]
    (texts / "empty").mkdir()
    assert run([*verb, "--quiet", "-o", "empty"]) == 0
    capfd.readouterr()


def test_another_training_in_the_same_place_is_refused_at_once(
    texts: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run([*TRAIN, "--quiet", "-o", "out"]) == 0
    assert run([*TRAIN, "--quiet", "-o", "out"]) == 0  # the same: nothing to do

    def work(*_: object, **__: object) -> None:
        raise AssertionError("work before the refusal")

    monkeypatch.setattr("demotic.train.run.start_score", work)
    for change in (["--seed", "2"], ["--features", "ruleid"], ["--beam", "3"]):
        assert run([*TRAIN, *change, "--quiet", "-o", "out"]) == 2
        assert "out: a model exists already" in capfd.readouterr().err


def test_a_failure_leaves_no_folder(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hiero = ["train", "hiero", *TRAIN[2:], "--method", "early"]
    commands = (
        [*hiero, "-o", "out"],
        [*TRAIN, "--features", "no-such", "-o", "out"],
        "force hiero --src dev.de --ref dev.en --prefixes -o out".split(),
        [*TUNE, "--method", "hgmert", "--search-aware", "partial", "-o", "out"],
    )
    for command in commands:
        assert run(command) == 2
        assert not (texts / "out").exists()
    capfd.readouterr()
