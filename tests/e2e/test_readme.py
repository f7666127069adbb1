"""The commands and the Python code of the README run on the bundled corpus."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bundled_corpus import generate, write
from tests.e2e.walk import Walk, blocks, commands


def write_talks(folder: Path, train: int = 600, held_out: int = 25) -> None:
    """The files that the README mentions."""
    write(generate(3, train=train, dev=held_out, test=held_out), folder / "corpus")
    raw = folder / "corpus" / "raw"
    for name, part in {"talks": "train", "dev": "dev", "test": "test", "new": "test"}.items():
        (folder / f"{name}.zh").write_bytes((raw / f"{part}.zh").read_bytes())
        target = raw / (f"{part}.en" if part == "train" else f"{part}.en.0")
        if name != "new":
            (folder / f"{name}.en").write_bytes(target.read_bytes())


def test_every_verb_of_the_first_hour_is_there() -> None:
    verbs = {re.search(r"(?:^|\| )demotic (\S+)", one)[1] for one in commands()}  # type: ignore[index]
    assert verbs == {
        *("make", "translate", "explain", "info", "check"),
        *("prepare", "build", "tune", "train", "evaluate"),
    }


def test_commands(tmp_path: Path) -> None:
    write_talks(tmp_path)
    program = f"{sys.executable} -c 'from demotic.cli.main import main; main()'"
    printed = Walk(tmp_path, program).run()
    (echoed,) = (text for command, text in printed.items() if command.startswith("echo"))
    assert re.search("[a-z]{3}", echoed)
    assert not re.search("[\u4e00-\u9fff]", echoed)
    english = (tmp_path / "new.en").read_text(encoding="utf-8")
    assert english.count("\n") == (tmp_path / "new.zh").read_text(encoding="utf-8").count("\n")
    assert "<svg" in (tmp_path / "why.html").read_text(encoding="utf-8")


def test_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_talks(tmp_path)
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python")
    exec(code.replace('target_language="en"', 'target_language="en", preset="fast"'), {})
    printed = capsys.readouterr().out
    assert "Score(value=" in printed
    assert "Forest(" in printed
