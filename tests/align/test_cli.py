"""End-to-end tests of `demotic align`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run

SOURCE = "la casa verde\nla casa\nuna casa verde\n\nuna flor\nla flor verde\n"
TARGET = "the green house\nthe house\na green house\n\na flower\nthe green flower\n"
WANTED = ["0-0 1-2 2-1", "0-0 1-1", "0-0 1-2 2-1", "", "0-0 1-1", "0-0 1-2 2-1"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "es").write_text(SOURCE)
    (tmp_path / "en").write_text(TARGET)
    (tmp_path / "gold").write_text("\n".join(WANTED) + "\n")
    return tmp_path


def test_links_to_standard_output(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "es", "en"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == WANTED
    assert "1 pair with an empty side, without links" in captured.err


def test_joined_file_and_output(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = zip(SOURCE.splitlines(), TARGET.splitlines(), strict=True)
    (files / "joined").write_text("".join(f"{s} ||| {t}\n" for s, t in lines))
    assert run(["align", "joined", "-o", "links", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert (files / "links").read_text().splitlines() == WANTED
    assert captured.out == captured.err == ""


def test_scores(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "es", "en", "--gold", "gold", "--quiet"]) == 0
    assert capsys.readouterr().out == (
        "precision 1.0000  recall 1.0000  AER 0.0000 [0.0000, 0.0000]  on 6 pairs\n"
    )
    assert run(["align", "es", "en", "--gold", "gold", "--quiet", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["pairs"] == 6
    assert values["links"] == 13
    assert values["aer"] == 0


def test_save_and_load(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "es", "en", "--save", "aligner", "-o", "links"]) == 0
    (files / "more.es").write_text("una casa\n")
    (files / "more.en").write_text("a house\n")
    capsys.readouterr()
    assert run(["align", "more.es", "more.en", "--load", "aligner"]) == 0
    assert capsys.readouterr().out == "0-0 1-1\n"


def test_different_line_counts(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "en").write_text("the house\n")
    assert run(["align", "es", "en", "-o", "links"]) == 2
    assert capsys.readouterr().err == (
        "demotic: error: es: 6 lines here, but 1 in en; expected equal numbers of lines "
        "(find the missing or additional line and correct it)\n"
    )
    assert not (files / "links").exists()


def test_gold_of_another_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "gold").write_text("0-0\n")
    assert run(["align", "es", "en", "--gold", "gold"]) == 2
    assert capsys.readouterr().err == (
        "demotic: error: gold: links of 1 sentence pairs; expected 6, as in es\n"
    )


def test_bad_settings_and_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "es", "en", "--iterations", "0"]) == 2
    assert run(["align", "es", "en", "--model", "ibm7"]) == 2
    assert run(["align", "es", "missing"]) == 2
    assert "missing: the file cannot be opened" in capsys.readouterr().err
    (files / "joined").write_text("a b c\n")
    assert run(["align", "joined"]) == 2
    assert "joined line 1: 0 separators '|||'; expected one" in capsys.readouterr().err
