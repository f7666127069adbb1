"""`demotic translate` with several files, with -o, and with files that are not plain text."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.search.nbest import read_nbest
from tests.cli.conftest import TEXT, TRANSLATED
from tests.cli.test_translate import PROGRAM, say

ONE, ONE_TRANSLATED = b"Das Buch ist alt.\n", "The book is old.\n"


@pytest.fixture
def texts(home: Path) -> Path:
    (home / "one.de").write_bytes(ONE)
    (home / "notes.txt").write_bytes(ONE)
    return home


def test_several_files_one_after_another(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert say(capfd, "translate", "phrase", "t.de", "one.de") == (
        TRANSLATED + ONE_TRANSLATED + "exit code 0\n"
    )


def test_a_file(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert say(capfd, "translate", "phrase", "t.de", "-o", "t.en") == "exit code 0\n"
    assert (texts / "t.en").read_text("utf-8") == TRANSLATED
    assert not [*texts.glob("*.partial*")]


def test_a_directory(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["translate", "phrase", "t.de.gz", "one.de", "notes.txt", "-o", "out"]
    assert say(capfd, *command) == "exit code 0\n"
    found = {path.name: path.read_text("utf-8") for path in (texts / "out").iterdir()}
    expected = {"t.en": TRANSLATED, "one.en": ONE_TRANSLATED, "notes.txt": ONE_TRANSLATED}
    assert found == expected
    assert say(capfd, "translate", "phrase", "one.de", "-o", "other/") == "exit code 0\n"
    assert (texts / "other" / "one.en").read_text("utf-8") == ONE_TRANSLATED


def test_numbers_of_lines(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Line numbers continue within one output, and start again in every file of a directory."""
    assert run("translate phrase t.de one.de --nbest 1 --nbest-file list".split()) == 0
    assert [entry.sentence for entry in read_nbest("list")] == [0, 1, 2, 3]
    assert run("translate phrase t.de one.de --nbest 1 -o lists".split()) == 0
    assert [entry.sentence for entry in read_nbest("lists/one.en")] == [0]
    capfd.readouterr()


def test_what_exists_is_not_replaced(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (texts / "t.en").write_text("precious\n")
    refused = """\
demotic: error: t.en: the output exists already; expected a new file (choose another name, or give \
--force to replace a file)
exit code 2
"""
    assert say(capfd, "translate", "phrase", "t.de", "-o", "t.en") == refused
    nbest = ["translate", "phrase", "t.de", "--nbest", "2", "--nbest-file", "t.en"]
    assert say(capfd, *nbest) == refused
    assert say(capfd, "translate", "phrase", "t.de", "--forest", "t.en") == refused
    # If one of several is refused, nothing is written.
    assert run("translate phrase one.de t.de -o .".split()) == 2
    assert not (texts / "one.en").exists()
    assert (texts / "t.en").read_text() == "precious\n"
    assert run("translate phrase t.de -o t.en --force".split()) == 0
    assert (texts / "t.en").read_text("utf-8") == TRANSLATED
    capfd.readouterr()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("phrase t.de -o t.de --force", "t.de: the output is one of the inputs; expected another"),
        ("phrase t.de one.de -o bad.de", "bad.de: a file; expected a directory for 2 translations"),
        ("phrase one.de one.de -o out", "several files would be translated into out/one.en"),
        ("phrase - -o out/", "standard input needs a file for its translation"),
        ("phrase t.de one.de -o out --nbest 2 --nbest-file x", "--nbest-file and --forest take on"),
        ("phrase phrase", "phrase is a directory; expected a file"),
        ("t.de phrase", "t.de: a file, not a model of Demotic"),
        ("folder t.de", "folder: no model in it; expected a directory that demotic make"),
        ("text t.de", "text: a prepared text, not a model of Demotic"),
        ("half t.de", "half: an unfinished demotic tune (run the same command again to resume it)"),
    ],
)
def test_refusals(
    texts: Path, capfd: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    (texts / "folder").mkdir()
    (texts / "half" / "runs" / "1").mkdir(parents=True)
    (texts / "half" / "runs" / "1" / "rounds.jsonl").write_text("")
    (texts / "text").mkdir()
    for name in ("preparation.toml", "corpus.de"):
        (texts / "text" / name).write_text("")
    if command == "t.de phrase":
        (texts / "phrase-file").write_text("")
        command = "t.de phrase-file"
    assert run(["translate", *command.split()]) == 2
    assert message in capfd.readouterr().err
    assert not (texts / "out").exists()


PO = 'msgid "House"\nmsgstr "Haus"\n'


def test_markup(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refused = """\
demotic: error: NAME: PO markup, which would be translated as if it were text; expected plain \
text, one sentence per line (give --file to translate it as a document; --as-text translates the \
file as it is)
exit code 2
"""
    for name in ("messages.po", "messages"):
        (texts / name).write_text(PO)
        assert say(capfd, "translate", "phrase", name, "-o", "x") == refused.replace("NAME", name)
    assert not (texts / "x").exists()
    assert run("translate phrase messages.po --as-text --quiet".split()) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2


def test_markup_on_standard_input(
    texts: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PO.encode())))
    assert run(["translate", "phrase"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "standard input: PO markup" in captured.err


def test_an_interrupted_translation_leaves_no_file(texts: Path) -> None:
    (texts / "broken.de.gz").write_bytes((texts / "t.de.gz").read_bytes()[:-4])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "translate", "phrase", "broken.de.gz", "-o", "x"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert not [*texts.glob("x*")]


def test_progress_over_all_files(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from demotic.cli.screen import Screen

    (texts / "many.de").write_bytes(TEXT * 4)
    seen: list[tuple[int, int]] = []

    class Spy(Screen):
        def progress(self, label: str, **_: bool):  # type: ignore[no-untyped-def]
            from contextlib import nullcontext

            return nullcontext(lambda done, total=0, remark="": seen.append((done, total)))

    monkeypatch.setattr("demotic.cli.translate.Screen", Spy)
    assert run("translate phrase many.de many.de one.de -o out --quiet".split()) == 2
    assert run("translate phrase many.de one.de t.de -o out --quiet".split()) == 0
    assert seen[-1] == (16, 16)
    assert all(total >= done for done, total in seen)


def test_unknown_words_are_said_once_per_file(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (texts / "wrong").write_text("The house is small.\n" * 500)
    assert run("translate phrase wrong t.de -o out".split()) == 0
    warning = capfd.readouterr().err
    assert warning.count("demotic: warning: wrong: ") == warning.count("warning") == 1
    assert "the model's target side (en), not of its source side (de)" in warning
