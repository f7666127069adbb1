"""Estimation on disk: the same bytes as in memory, for any memory and threads."""

from __future__ import annotations

import random
from pathlib import Path

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
        estimate_lm(home / "text", options).save(home / "wanted.arpa")
        estimate_on_disk([home / "text"], home / "found.arpa", options, memory=1)
        assert (home / "found.arpa").read_bytes() == (home / "wanted.arpa").read_bytes()


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
