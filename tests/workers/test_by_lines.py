"""Forced decoding and alignment by lines: the same bytes, however the lines are divided."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from demotic import _core
from demotic.cli.main import run
from tests.workers.conftest import KINDS, Use

Captured = pytest.CaptureFixture[str]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def force(kind: str, *more: str) -> list[str]:
    texts = [
        "--src",
        "t.de",
        "--ref",
        "t.en",
        "--ref",
        "t.en",
        "--src-tokenized",
        "--ref-tokenized",
    ]
    flags = ["--prefixes", "--distortion-limits", "0,3"] if kind == "phrase" else []
    return ["force", kind, *texts, *flags, "--texts", "--quiet", *more]


@pytest.mark.parametrize("kind", KINDS)
def test_gold_forests_and_report_of_workers(home: Path, use: Use, kind: str) -> None:
    use("chaos")
    assert run(force(kind, "-o", "one", "--threads", "1")) == 0
    assert run(force(kind, "-o", "two", "--threads", "2")) == 0
    assert run(force(kind, "-o", "chaos", "--workers", "chaos", "--shards", "7")) == 0
    expected = files(home / "one")
    assert "gold.bin" in expected
    assert expected == files(home / "two") == files(home / "chaos")


def test_gold_forests_of_files(home: Path, capsys: Captured) -> None:
    """Without leave-one-out a part could be decoded as a text of its own, with it only in place."""
    for number in range(1, 9):
        shard = ["--shard", f"{number}/8", "-o", f"{number}.shard", "--leave-one-out"]
        assert run(force("phrase", *shard)) == 0
    parts = [f"{number}.shard" for number in range(8, 0, -1)]
    assert run(["reduce", *parts]) == 2
    assert "need a directory: -o DIR" in capsys.readouterr().err
    assert run(["reduce", *parts, "-o", "merged"]) == 0
    assert run(force("phrase", "-o", "one", "--leave-one-out")) == 0
    assert files(home / "one") == files(home / "merged")
    assert run(["reduce", *parts, "-o", "merged"]) == 2
    assert "gold forests exist already" in capsys.readouterr().err


def test_gold_forests_of_other_rules_or_order_are_not_joined(home: Path, tmp_path: Path) -> None:
    assert run(force("phrase", "-o", "a")) == 0
    assert run(force("hiero", "-o", "b")) == 0
    with pytest.raises(ValueError, match="of another rule store"):
        _core.GoldForests.join(["a/gold.bin", "b/gold.bin"], "c")
    with pytest.raises(ValueError, match="not in rising order"):
        _core.GoldForests.join(["a/gold.bin", "a/gold.bin"], "c")
    assert not (home / "c").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("columns", [[], ["--write-scores", "--write-posteriors"]])
def test_links_of_a_saved_aligner(home: Path, use: Use, columns: list[str]) -> None:
    said = use("killed")
    texts = ["t.de", "t.en"]
    assert run(["align", *texts, "--save", "aligner", "--train-only", "--quiet"]) == 0
    command = ["align", *texts, "--load", "aligner", *columns, "--quiet"]
    assert run([*command, "-o", "one"]) == 0
    assert run([*command, "-o", "killed", "--workers", "killed", "--shards", "9"]) == 0
    assert (home / "one").read_bytes() == (home / "killed").read_bytes()
    assert any("was lost: killed by SIGKILL" in text for text in said)
    for number in range(1, 9):
        assert run([*command, "-o", f"{number}.shard", "--shard", f"{number}/8"]) == 0
    assert run(["reduce", *[f"{number}.shard" for number in range(1, 9)], "-o", "merged"]) == 0
    assert (home / "one").read_bytes() == (home / "merged").read_bytes()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["t.de", "t.en", "--shard", "1/2", "-o", "x"], "--shard divides either training"),
        (["t.de", "t.en", "--load", "a", "--shard", "1/2"], "--shard needs a file"),
        (["-", "--load", "a", "--workers", "local:2"], "take one text"),
        (["t.de", "t.en", "x", "--load", "a", "--workers", "local:2"], "take one text"),
        (["t.de", "t.en", "--load", "a", "--gold", "g", "--workers", "ray"], "--gold is not"),
    ],
)
def test_alignments_that_cannot_be_divided(
    home: Path, capsys: Captured, flags: list[str], message: str
) -> None:
    assert run(["align", *flags]) == 2
    assert message in capsys.readouterr().err
