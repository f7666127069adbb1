"""The commands of the tutorial run, and its pictures are drawn from what they make.

A smaller corpus and fewer rounds take the place of the tutorial's, and what follows is tried in the
same folder: the errors of the page on troubleshooting, the pictures of the docs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from tests.docs.reader import DOCS, Reader, commands, transcripts

SKIPPED = ("pip install", "demotic demo", "demotic serve")
SMALLER = (
    ("--kind phrase", "--kind phrase --preset fast"),
    ("--kind hiero", "--kind hiero --preset fast"),
    ("-o zh-en-hiero", "-o zh-en-hiero --preset fast"),
)


@pytest.fixture(scope="module")
def tutorial(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder of a reader who has followed the tutorial, and what each command printed."""
    folder = tmp_path_factory.mktemp("tutorial")
    write(generate(3, train=900, dev=40, test=40), folder / "corpus")
    reader = Reader(folder, SMALLER)
    printed = {}
    for command in commands("tutorial.md"):
        if not command.startswith(SKIPPED):
            done = reader.run(command)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            printed[command] = done.stdout
    return folder, printed


def test_the_commands_of_the_tutorial(tutorial: tuple[Path, dict[str, str]]) -> None:
    folder, printed = tutorial
    assert any(
        text.startswith("Chinese to English: ") or "BLEU" in text for text in printed.values()
    )
    assert "<svg" in (folder / "why.html").read_text(encoding="utf-8")
    english = (folder / "new.en").read_text(encoding="utf-8")
    assert len(english.splitlines()) == 40
    (obeyed,) = (text for command, text in printed.items() if "--glossary" in command)
    assert "sports hall" in obeyed


def test_the_pictures_of_the_docs(tutorial: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, _ = tutorial
    made = [str(folder / "zh-en"), str(folder / "zh-en-hiero")]
    script = [sys.executable, str(DOCS / "pictures"), *made, "-o", str(tmp_path)]
    subprocess.run(script, check=True, capture_output=True)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {path.name for path in (DOCS / "pictures").glob("*.svg")}
    for path in tmp_path.iterdir():
        ElementTree.fromstring(path.read_text(encoding="utf-8"))


def test_pictures_are_small() -> None:
    for path in (DOCS / "pictures").iterdir():
        assert path.is_dir() or path.stat().st_size < 150_000, path


@pytest.mark.parametrize(("command", "expected"), transcripts("troubleshooting.md"))
def test_troubleshooting(
    tutorial: tuple[Path, dict[str, str]],
    command: str,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The message is that of the page, in which numbers may differ."""
    if "fugashi" in command and find_spec("fugashi"):
        pytest.skip("fugashi is installed")
    folder, _ = tutorial
    write_mistakes(folder)
    monkeypatch.chdir(folder)
    for old, new in SMALLER:
        command = command.replace(old, new)
    run(command.split()[1:])
    printed = capfd.readouterr().err
    assert _plain(expected) in _plain(printed)


def write_mistakes(folder: Path) -> None:
    """The files that the page on troubleshooting mentions."""
    raw = folder / "corpus" / "raw"
    for name in ("dev.zh", "test.zh"):
        (folder / name).write_bytes((raw / name).read_bytes())
    for name in ("dev.en", "test.en"):
        (folder / name).write_bytes((raw / f"{name}.0").read_bytes())
    lines = (raw / "train.en").read_bytes().splitlines(keepends=True)
    (folder / "short.en").write_bytes(b"".join(lines[:-1]))
    for side in ("zh", "en"):
        few = (raw / f"train.{side}").read_bytes().splitlines(keepends=True)[:8]
        (folder / f"few.{side}").write_bytes(b"".join(few))
    (folder / "latin1.en").write_bytes("Café\n".encode("latin-1") * len(lines))
    (folder / "app.po").write_text('msgid "Hello"\nmsgstr ""\n', encoding="utf-8")
    (folder / "four.tsv").write_text("a\tb\nc\n", encoding="utf-8")


def _plain(text: str) -> str:
    """On one line, with N for every number."""
    return re.sub(r"\d[\d,.]*", "N", " ".join(text.split()))
