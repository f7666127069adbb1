"""`python -m bundled_corpus`: the archive of the package, or another corpus in a folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bundled_corpus import __main__ as program
from bundled_corpus import generate, texts
from bundled_corpus.archive import pack


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["bundled_corpus", *arguments])
    program.main()


def test_another_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = "--seed 5 --train 30 --dev 4 --test 3".split()
    run(monkeypatch, str(tmp_path), *sizes)
    written = {
        path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8")
        for path in tmp_path.rglob("*.*")
    }
    assert written == texts(generate(5, train=30, dev=4, test=3))
    assert ["train_pairs", "30"] in [line.split() for line in capsys.readouterr().out.splitlines()]


def test_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, shipped = generate(1, train=30, dev=4, test=3), tmp_path / "corpus.tar.bz2"
    monkeypatch.setattr(program, "SHIPPED", shipped)
    program.ship(small)
    assert shipped.read_bytes() == pack(texts(small))


def test_only_the_bundled_corpus_is_shipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, "--seed", "2")
    assert "a corpus of another seed or size needs a DIRECTORY" in capsys.readouterr().err
