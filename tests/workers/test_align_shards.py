"""Training of an aligner by jobs that leave files: the same bytes as one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.align import AlignOptions
from demotic.align.training_files import _sections
from demotic.cli.main import run
from demotic.workers.shards import Shard

Captured = pytest.CaptureFixture[str]

OPTIONS = {
    "hmm": ["--iterations", "2", "--initial-iterations", "2"],
    "hmm with priors": ["--iterations", "2", "--initial-iterations", "1", "--priors", "priors"],
    "diagonal, of a sample": ["--model", "diagonal", "--iterations", "2", "--sample", "70"],
}
PASSES = {"hmm": 4, "hmm with priors": 3, "diagonal, of a sample": 2}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(generate(4, train=120, dev=2, test=2), tmp_path)
    return tmp_path


def command(*more: str) -> list[str]:
    return ["align", "tok/train.zh", "tok/train.en", "--train-only", "--quiet", *more]


def train(flags: list[str], of: int, passes: int) -> None:
    """Runs the jobs of all passes; the last result is `merged`."""
    after: list[str] = []
    for number in range(1, passes + 1):
        parts = [f"{number}-{shard}" for shard in range(1, of + 1)]
        for shard, part in enumerate(parts, 1):
            assert run([*command(*flags), "--shard", f"{shard}/{of}", "-o", part, *after]) == 0
        out = "merged" if number == passes else f"after-{number}"
        assert run(["reduce", *reversed(parts), "-o", out, "--quiet"]) == 0
        after = ["--after", out]


@pytest.mark.parametrize("of", [8, 1])
@pytest.mark.parametrize("name", OPTIONS)
def test_same_aligner(home: Path, name: str, of: int) -> None:
    assert run(command("--model", "ibm1", "--write-priors", "priors")) == 0
    assert run(command(*OPTIONS[name], "--save", "one", "--threads", "2")) == 0
    train(OPTIONS[name], of, PASSES[name])
    assert (home / "one").read_bytes() == (home / "merged").read_bytes()


def test_sections_cover_all_chunks() -> None:
    for chunks in (0, 1, 511, 512, 513, 5000):
        for of in (1, 3, 7):
            parts = [part for k in range(of) for part in _sections(Shard(k + 1, of), chunks)]
            assert [chunk for part in parts for chunk in part] == list(range(chunks))


def test_passes_of_the_defaults(home: Path, capsys: Captured) -> None:
    one = ["align", "tok/train.zh", "tok/train.en", "--train-only", "--shard", "1/1", "-o", "1"]
    assert run(one) == 0
    assert run(["reduce", "1", "-o", "after-1"]) == 0
    options = AlignOptions()
    passes = options.initial_iterations + options.iterations
    said = capsys.readouterr().err
    assert f"after-1: parameters after pass 1 of {passes}" in said
    assert "next: the jobs of pass 2, with --after after-1" in said


def test_what_does_not_belong_together_is_refused(home: Path, capsys: Captured) -> None:
    train(["--iterations", "2", "--initial-iterations", "0"], 2, 2)
    same = command("--iterations", "2", "--initial-iterations", "0")
    one = ["--shard", "1/2", "-o", "x"]

    def refused(arguments: list[str], message: str) -> None:
        assert run(arguments) == 2
        assert message in capsys.readouterr().err
        assert not (home / "x").exists()

    refused(["reduce", "1-1", "1-2"], "the shards of demotic align need a file: -o FILE")
    refused(["reduce", "1-1", "2-2", "-o", "x"], "of another demotic align --train-only")
    refused(["reduce", "1-1", "-o", "x"], "1 shard of 2 missing: 2")
    refused(["reduce", "after-1", "-o", "x"], "the parameters after pass 1, which are merged")
    refused([*command("--iterations", "3"), *one, "--after", "after-1"], "not the parameters after")
    refused([*same, *one, "--after", "1-1"], "not the parameters after a pass of this training")
    refused([*same, *one, "--after", "merged"], "merged")
    refused([*same, "--save", "x", "--after", "after-1"], "--after is about parts of training")
    refused([*same, *one, "--save", "y"], "--save is not possible with --workers and --shard")
    undivided = [flag for flag in same if flag != "--train-only"]
    refused([*undivided, *one], "--shard divides either training (--train-only)")
    refused([*command(), "--shard", "1/2"], "--shard needs a file for its result: -o FILE")
    with (home / "tok/train.en").open("a") as file:
        file.write("one more\n")
    refused(["reduce", "1-1", "1-2", "-o", "x"], "posteriors of another text")
    refused([*same, *one, "--after", "after-1"], "not the parameters after a pass of this training")
