"""Translations are the same bytes by threads, processes, files of shards and failing workers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from demotic.cli.main import run
from tests.workers.conftest import Use

FLAGS = {
    "text": [],
    "scores": ["--scores", "--alignment"],
    "json": ["--json"],
    "nbest": ["--nbest", "3", "--distinct", "--nbest-file", "n.gz", "--forest", "f.jsonl"],
    "mbr": ["--decision", "mbr"],
}


def outputs(home: Path, *arguments: str) -> dict[str, bytes]:
    assert run(["translate", *arguments, "--force"]) == 0
    names = [name for name in ("out", "n.gz", "f.jsonl") if (home / name).exists()]
    found = {name: (home / name).read_bytes() for name in names}
    for name in names:
        (home / name).unlink()
    return found


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("model", ["tokens", "hiero"])
def test_chaos_changes_nothing(home: Path, use: Use, model: str, flags: str) -> None:
    use("chaos")
    command = [model, "text.de", "-o", "out", *FLAGS[flags]]
    expected = outputs(home, *command, "--threads", "1")
    assert expected == outputs(home, *command, "--threads", "2")
    assert expected == outputs(home, *command, "--workers", "chaos", "--shards", "8")


def test_shards_are_merged_from_files(home: Path, capfdbinary: pytest.CaptureFixture) -> None:
    flags = FLAGS["nbest"]
    expected = outputs(home, "tokens", "text.de", "-o", "out", *flags)
    for number in range(1, 9):
        shard = ["--shard", f"{number}/8", "-o", f"{number}.shard"]
        assert run(["translate", "tokens", "text.de", *shard, *flags]) == 0
    files = [f"{number}.shard" for number in (3, 1, 2, 8, 7, 6, 5, 4, 4)]
    assert run(["reduce", *files, "-o", "out"]) == 0
    assert expected == {name: (home / name).read_bytes() for name in expected}
    assert run(["reduce", *files, "-o", "out"]) == 2
    assert b"the output exists already" in capfdbinary.readouterr().err
    assert run(["reduce", *files, "--force"]) == 0
    assert capfdbinary.readouterr().out == expected["out"]


def test_shards_of_other_text_weights_or_flags_are_not_merged(
    home: Path, capsys: pytest.CaptureFixture
) -> None:
    def shard(name: str, *flags: str) -> None:
        assert run(["translate", "tokens", "--shard", name, "-o", name[0], *flags, "--force"]) == 0

    shard("1/2", "text.de")
    for other in (["t.de"], ["text.de", "--beam", "7"]):
        shard("2/2", *other)
        assert run(["reduce", "1", "2", "-o", "out"]) == 2
        assert "shard 2/2 of another demotic translate than 1" in capsys.readouterr().err
    shard("2/2", "text.de", "--threads", "2")
    assert run(["reduce", "1", "2", "-o", "out"]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_process_changes_nothing(home: Path, use: Use) -> None:
    said = use("killed")
    command = ["tokens", "text.de", "-o", "out", "--scores"]
    expected = outputs(home, *command)
    assert expected == outputs(home, *command, "--workers", "killed", "--shards", "6")
    assert any("was lost: killed by SIGKILL" in text for text in said)


def test_errors_of_workers_are_those_of_the_verb(home: Path, capsys: pytest.CaptureFixture) -> None:
    (home / "bad.tsv").write_text("one field\n")
    command = ["translate", "tokens", "text.de", "-o", "out", "--glossary", "bad.tsv"]
    assert run([*command, "--workers", "local:1", "--shards", "2"]) == 2
    error = capsys.readouterr().err
    assert "demotic: error: worker 1: " in error
    assert "bad.tsv line 1" in error
    assert not (home / "out").exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["text.de", "--shard", "1/2"], "--shard needs a file for its result"),
        (["text.de", "--shard", "3/2", "-o", "x"], "expected K/N with K from 1 to N"),
        (["text.de", "--workers", "local:2", "--shard", "1/2", "-o", "x"], "omit --workers"),
        (["--workers", "local:2"], "take exactly one FILE"),
        (["text.de", "t.de", "--workers", "local:2"], "take exactly one FILE"),
        (["text.de", "--workers", "local:2", "--src-tags", "t.de"], "--src-tags is not possible"),
        (["text.de", "--workers", "dask"], "workers 'dask'; expected local:N"),
    ],
)
def test_what_cannot_be_divided_is_refused(
    home: Path, capsys: pytest.CaptureFixture, flags: list[str], message: str
) -> None:
    assert run(["translate", "tokens", *flags]) == 2
    assert message in capsys.readouterr().err
