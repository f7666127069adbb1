"""Building by jobs that leave files: the same bytes as one process, for any number of parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from tests.workers.conftest import KINDS
from tests.workers.test_building import files

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=120, dev=2, test=2), folder)
    tokens = folder / "tok"
    sides = [str(tokens / "train.zh"), str(tokens / "train.en")]
    for number, model in enumerate(("ibm1", "diagonal")):
        out = ["-o", str(tokens / f"links-{number}"), "--quiet"]
        assert run(["align", *sides, "--model", model, *out]) == 0
    return tokens


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def flags(text: Path, kind: str, *more: str) -> list[str]:
    sides = ["--src", str(text / "train.zh"), "--tgt", str(text / "train.en")]
    links = [value for number in "01" for value in ("--links", str(text / f"links-{number}"))]
    return ["build", *sides, *links, "--kind", kind, "--preset", "fast", "--quiet", *more]


def rounds(command: list[str], of: int, names: str = "abc") -> None:
    """Runs the jobs of all rounds, each round in a folder of its own."""
    after: list[str] = []
    for name in names:
        Path(name).mkdir()
        for number in range(1, of + 1):
            shard = ["--shard", f"{number}/{of}", "-o", f"{name}/{number}"]
            assert run([*command, *shard, *after]) == 0
        after = ["--after", name]


OPTIONS = {
    "plain": [],
    "smoothed and removed": ["--smoothing", "kneser-ney", "--min-count", "2", "--low-counts"],
    "significant": ["--significance", "0.01"],
}


@pytest.mark.parametrize("of", [8, 1])
@pytest.mark.parametrize("more", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_rules(text: Path, home: Path, kind: str, more: list[str], of: int) -> None:
    command = flags(text, kind, *more)
    assert run([*command, "-o", "one", "--threads", "2"]) == 0
    rounds(command, of)
    assert run(["reduce", *map(str, sorted((home / "c").iterdir())), "-o", "merged"]) == 0
    assert files(home / "one") == files(home / "merged")


def test_what_does_not_belong_together_is_refused(text: Path, home: Path, capsys: Captured) -> None:
    command = flags(text, "phrase")
    rounds(command, 2)
    one = ["--shard", "1/2", "-o", "x"]
    parts = ["a/1", "a/2"]

    def refused(arguments: list[str], message: str) -> None:
        assert run(arguments) == 2
        assert message in capsys.readouterr().err
        assert not (home / "x").exists()

    refused(["reduce", *parts, "-o", "x"], "rules that are only extracted")
    refused(["reduce", "b/1", "b/2", "-o", "x"], "--after FOLDER")
    refused(["reduce", "c/1", "c/2"], "the shards of demotic build need a directory: -o DIR")
    refused([*command, *one, "--max-phrase", "3", "--after", "a"], "the parts of another command")
    refused([*command, "--shard", "1/3", "-o", "x", "--after", "a"], "the parts of another command")
    refused([*command, *one, "--after", "c"], "rules that are scored already")
    refused([*command, "-o", "x", "--after", "a"], "--after is about parts of the work")
    refused([*command, *one, "--rules", "on-demand"], "--rules on-demand extracts no rules")
    without = [one for one in command if one != "--links" and "links-" not in one]
    refused([*without, *one], "needs links")
    damaged = bytearray((home / "a" / "2").read_bytes())
    at = damaged.index(b"digests") + 2000
    damaged[at] ^= 1
    (home / "a" / "2").write_bytes(damaged)
    refused([*command, "--shard", "1/2", "-o", "x", "--after", "a"], "damaged")
    (home / "b" / "1").unlink()
    refused([*command, *one, "--after", "b"], "1 shard of 2 missing: 1")


@pytest.mark.parametrize(("order", "ending", "of"), [(1, "arpa", 2), (3, "lm", 8), (5, "arpa", 1)])
def test_language_models(text: Path, home: Path, order: int, ending: str, of: int) -> None:
    command = ["lm", str(text / "train.en"), "--order", str(order), "--quiet"]
    assert run([*command, "-o", f"one.{ending}"]) == 0
    for number in range(1, of + 1):
        assert run([*command, "--shard", f"{number}/{of}", "-o", str(number)]) == 0
    parts = [str(number) for number in range(of, 0, -1)]
    assert run(["reduce", *parts, "-o", f"merged.{ending}"]) == 0
    assert (home / f"one.{ending}").read_bytes() == (home / f"merged.{ending}").read_bytes()
    assert not list(home.glob("ngrams*"))


def test_lm_flags(text: Path, home: Path, capsys: Captured) -> None:
    assert run(["lm", "-", "--shard", "1/2", "-o", "x"]) == 2
    assert "--shard reads the text in every job" in capsys.readouterr().err
    assert run(["lm", "--from", "x.arpa", "--shard", "1/2", "-o", "x"]) == 2
    assert "--shard is about estimation from text alone" in capsys.readouterr().err
    assert run(["lm", str(text / "train.en"), "--shard", "1/1", "-o", "x"]) == 0
    assert run(["lm", str(text / "train.en"), "--shard", "1/1", "-o", "x"]) == 2
    assert "the output exists already" in capsys.readouterr().err
    assert run(["reduce", "x"]) == 2
    assert "the shards of demotic lm need a file: -o FILE" in capsys.readouterr().err
