"""Estimation on disk: the same bytes as in memory, for any memory and threads."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.cli.main import run
from demotic.lm import LmOptions, estimate_lm
from demotic.lm.disk import estimate_on_disk

ODD = ["", "a", "<s> </s> <unk>", "a a a a a a", "é　x ||| \u200b", ""]


def zipf(sentences: int, seed: int = 1, words: int = 300) -> list[str]:
    rng = random.Random(seed)
    return [
        " ".join(f"w{min(int(rng.paretovariate(0.7)), words)}" for _ in range(rng.randint(0, 15)))
        for _ in range(sentences)
    ]


@pytest.mark.parametrize(("memory", "threads"), [(1, 1), (1, 3), (100_000, 2), (1 << 26, 2)])
@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 10])
@pytest.mark.parametrize("prune", ["0", "0 0 1", "0 1 2"])
def test_the_same_bytes(tmp_path: Path, order: int, prune: str, memory: int, threads: int) -> None:
    if len(prune.split()) > order:
        pytest.skip("more thresholds than orders")
    (tmp_path / "text").write_text("\n".join([*zipf(700), *ODD]) + "\n")
    options = LmOptions(order=order, prune=prune)
    model = estimate_lm(tmp_path / "text", options)
    model.save(tmp_path / "wanted.arpa")
    found = estimate_on_disk(
        [tmp_path / "text"],
        tmp_path / "found.arpa",
        options,
        memory=memory,
        threads=threads,
    )
    assert (tmp_path / "found.arpa").read_bytes() == (tmp_path / "wanted.arpa").read_bytes()
    assert found.counts == model.counts
    assert found.discounts == model.discounts
    assert found.fallback_orders == model.fallback_orders


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 10])
@pytest.mark.parametrize("prune", ["0", "0 0 1", "0 1 2"])
@pytest.mark.parametrize("quantize", ["none", "8"])
def test_the_same_binary_file(
    tmp_path: Path, order: int, prune: str, quantize: Literal["none", "8"]
) -> None:
    if len(prune.split()) > order:
        pytest.skip("more thresholds than orders")
    (tmp_path / "text").write_text("\n".join([*zipf(700), *ODD]) + "\n")
    options = LmOptions(order=order, prune=prune, quantize=quantize)
    model = estimate_lm(tmp_path / "text", options)
    model.save(tmp_path / "wanted.lm")
    for memory, threads in [(1, 1), (1, 3), (100_000, 2), (1 << 26, 2)]:
        path = tmp_path / f"{memory}-{threads}.lm"
        found = estimate_on_disk([tmp_path / "text"], path, options, memory=memory, threads=threads)
        assert path.read_bytes() == (tmp_path / "wanted.lm").read_bytes()
        assert found.counts == model.counts


MEMORY = 4 << 20
PEAK = """
import sys
from pathlib import Path
from demotic.lm import LmOptions
from demotic.lm.disk import estimate_on_disk

def peak():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))

before = peak()
options = LmOptions(order=4, quantize=sys.argv[3])
estimate_on_disk([sys.argv[1]], sys.argv[2], options, memory=int(sys.argv[4]))
print(peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("quantize", ["none", "8"])
def test_a_model_larger_than_memory(tmp_path: Path, quantize: str) -> None:
    rng = random.Random(3)
    words = [f"w{i}" for i in range(3000)]
    lines = [" ".join(rng.choices(words, k=50)) for _ in range(16_000)]  # hardly any repetition
    (tmp_path / "text").write_text("\n".join(lines) + "\n")
    arguments = [str(tmp_path / "text"), str(tmp_path / "x.lm"), quantize, str(MEMORY)]
    peak = int(subprocess.check_output([sys.executable, "-c", PEAK, *arguments]))
    size = (tmp_path / "x.lm").stat().st_size
    assert size > 6 * MEMORY
    assert peak < 5 * MEMORY  # with buffers of files and parts of the text


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from("abc")).map(" ".join), min_size=1, max_size=12),
    st.integers(1, 6),
    st.integers(0, 2),
)
def test_small_texts(lines: list[str], order: int, prune: int) -> None:
    import tempfile

    if not any(lines):
        return
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "text").write_text("\n".join(lines) + "\n")
        options = LmOptions(order=order, prune="0" if order == 1 else f"0 {prune}")
        model = estimate_lm(home / "text", options)
        for kind in ("arpa", "lm"):
            model.save(home / f"wanted.{kind}")
            estimate_on_disk([home / "text"], home / f"found.{kind}", options, memory=1)
            wanted = (home / f"wanted.{kind}").read_bytes()
            assert (home / f"found.{kind}").read_bytes() == wanted


def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("\n".join(zipf(300)) + "\n")
    Path("b").write_text("\n".join(zipf(300, seed=2)) + "\n")
    for name in ("x.arpa", "x.arpa.gz", "x.lm"):
        assert run(["lm", "a", "b", "-o", f"memory/{name}", "--quiet"]) == 0
        assert run(["lm", "a", "b", "-o", f"disk/{name}", "--memory", "64K", "--quiet"]) == 0
        assert Path(f"disk/{name}").read_bytes() == Path(f"memory/{name}").read_bytes()
    assert sorted(path.name for path in Path("disk").iterdir()) == ["x.arpa", "x.arpa.gz", "x.lm"]


def test_one_of_several_files_without_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("\n".join(zipf(300)) + "\n")
    Path("blank").write_text("\n\n")
    Path("empty").write_text("")
    files = ["blank", "text", "empty"]
    assert run(["lm", *files, "-o", "memory.arpa", "--quiet"]) == 0
    assert run(["lm", *files, "-o", "disk.arpa", "--memory", "64K", "--quiet"]) == 0
    assert Path("disk.arpa").read_bytes() == Path("memory.arpa").read_bytes()
    assert run(["lm", "blank", "empty", "-o", "x.arpa", "--memory", "64K"]) == 2
    assert "blank, empty: no words" in capsys.readouterr().err


def test_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").write_text("\n\n")
    assert run(["lm", "empty", "-o", "x.arpa", "--memory", "1M"]) == 2
    assert run(["lm", "missing", "-o", "x.arpa", "--memory", "1M"]) == 2
    assert run(["lm", "--from", "x", "-o", "y.lm", "--memory", "1M"]) == 2
    Path("text").write_text("a b\n")
    assert run(["lm", "text", "-o", "x.arpa", "--memory", "1M", "--no-discount-fallback"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "text"]
