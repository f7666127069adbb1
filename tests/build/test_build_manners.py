"""`demotic build` keeps existing files, detects raw text, and reports what it made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.errors import Error
from demotic.model import Model
from demotic.model.build import BuildOptions, build

SOURCE = "das haus ist alt .\ndas buch ist alt .\ndas kind ist klein .\nich kenne das haus .\n"
TARGET = "the house is old .\nthe book is old .\nthe child is small .\ni know the house .\n"
STEPS = ("corpus", "links", "language_model", "rules", "model")
WAY_OUT = (
    "expected a new directory, or one that the same command started "
    "(give --force to build there anyway, or choose another name)"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "t.de": SOURCE,
        "t.en": TARGET,
        "u.de": SOURCE * 2,
        "u.en": TARGET * 2,
    }.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("raw.zh").write_text("他把书放在桌子上。\n" * 6, encoding="utf-8")
    Path("raw.en").write_text("He put the book on the table.\n" * 6, encoding="utf-8")
    return tmp_path


def said(capfd: pytest.CaptureFixture[str], command: str) -> str:
    """The transcript: results, errors, exit code; without sizes."""
    code = run(command.split())
    printed = capfd.readouterr()
    text = re.sub(r"[\d.]+ kB", "SIZE", printed.out + printed.err)
    return f"{text}exit code {code}\n"


def built(name: str = "t", home: str = "m", *, force: bool = False) -> tuple[str, ...]:
    options = BuildOptions(source=f"{name}.de", target=f"{name}.en")
    return build(options, home, force=force).skipped


@pytest.mark.usefixtures("folder")
def test_what_was_made_and_what_comes_next(capfd: pytest.CaptureFixture[str]) -> None:
    command = "build --src t.de --tgt t.en -o m --src-lang de --tgt-lang en"
    end = """\
m: phrase model from de to en
  46 rules, 22 words, 2 language models, SIZE
"""
    steps = """\
next:
  translate     demotic translate m < FILE.de
  tune          demotic tune m --src dev.de --ref dev.en -o m-tuned
  show details  demotic info m
exit code 0
"""
    assert said(capfd, command) == end + steps
    models = "language_model, class_language_model_1, operations"
    skipped = f"already done: corpus, links, {models}, rules, model\n"
    assert said(capfd, command) == end + skipped + steps
    assert said(capfd, f"{command} --quiet") == "exit code 0\n"
    assert Model.load("m").info.target_language == "en"
    # Other languages change only the model's file.
    assert f"already done: corpus, links, {models}, rules\n" in said(
        capfd, command.replace("--tgt-lang en", "--tgt-lang nl")
    )
    assert said(capfd, command.replace("-lang en", "-lang english")) == (
        "demotic: error: the language 'english'; expected a language code such as en, de, zh or "
        "pt-BR (write en for this language)\nexit code 2\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_model_of_other_text_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    built()
    before = Path("m/model.toml").read_bytes()
    assert said(capfd, "build --src u.de --tgt u.en -o m") == (
        f"demotic: error: m: a model built from other text; {WAY_OUT}\nexit code 2\n"
    )
    assert Path("m/model.toml").read_bytes() == before
    assert built() == STEPS
    assert built("u", force=True) == ()
    assert built("u") == STEPS


@pytest.mark.usefixtures("folder")
def test_models_of_other_verbs_are_kept(capfd: pytest.CaptureFixture[str]) -> None:
    built()
    Model.load("m").derive("tuned", origin={"tuned_by": "mira"})
    assert said(capfd, "build --src t.de --tgt t.en -o tuned") == (
        f"demotic: error: tuned: a model not made by demotic build; {WAY_OUT}\nexit code 2\n"
    )
    Path("tuned/notes").write_text("mine")
    assert built(home="tuned", force=True) == ()
    assert Model.load("tuned").info.history == ("build from 4 sentence pairs",)
    assert Path("tuned/notes").read_text() == "mine"
    assert not [*Path("tuned").glob(".replaced*")]


@pytest.mark.usefixtures("folder")
def test_a_prepared_corpus_is_no_place_for_a_model(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("prepare --src-lang de --tgt-lang en t.de t.en -o talks --quiet".split()) == 0
    command = "build --src talks/corpus.de --tgt talks/corpus.en -o"
    assert said(capfd, f"{command} talks") == (
        f"demotic: error: talks: a prepared corpus; {WAY_OUT}\nexit code 2\n"
    )
    assert said(capfd, f"{command} m --src-lang fr") == (
        "demotic: error: talks/preparation.toml: the source language fr; expected de, the "
        "language of the prepared text\nexit code 2\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_file_is_no_place_for_a_model(capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "build --src t.de --tgt t.en -o t.de --force") == (
        "demotic: error: t.de: a file; expected a directory or a new name\nexit code 2\n"
    )
    assert Path("t.de").read_text() == SOURCE


def test_unfinished_work_on_other_text_is_no_obstacle(folder: Path) -> None:
    built()
    (folder / "m" / "model.toml").unlink()
    assert built("u") == ()


@pytest.mark.usefixtures("folder")
def test_text_that_was_never_cut(capfd: pytest.CaptureFixture[str]) -> None:
    command = "build --src raw.zh --tgt raw.en -o m --quiet"
    refused = said(capfd, command)
    assert refused.startswith(
        "demotic: error: raw.zh is not segmented into words: 100 % of its lines"
    )
    assert "demotic prepare --src-lang L --tgt-lang L raw.zh raw.en -o DIR" in refused
    assert refused.endswith("; --force uses the text as it is)\nexit code 2\n")
    assert not Path("m").exists()
    forced = said(capfd, f"{command} --force")
    assert forced.startswith("demotic: warning: raw.zh is not segmented into words")
    assert forced.endswith("exit code 0\n")
    # A choice that was accepted once is not questioned again.
    assert said(capfd, command) == "exit code 0\n"


@pytest.mark.usefixtures("folder")
def test_raw_text_with_spaces_is_taken_with_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "build --src raw.en --tgt raw.en -o m --quiet").startswith(
        "demotic: warning: raw.en looks like raw text: in 100 % of its lines punctuation is "
        "attached to the last word, as in 'table.', which makes it a different word; "
    )


def contents(folder: str) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.usefixtures("folder")
def test_a_failure_brings_the_old_model_back() -> None:
    built()
    Model.load("m").derive("tuned", origin={"tuned_by": "mira"})
    before = contents("tuned")
    Path("u.en").write_text("one line\n")
    with pytest.raises(Error, match="8 lines here, but 1 in"):
        built("u", "tuned", force=True)
    assert contents("tuned") == before
