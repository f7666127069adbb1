"""The files of the corpus: layout, one line per sentence, the same bytes for the same seed."""

from __future__ import annotations

from pathlib import Path

from bundled_corpus import Corpus, generate, write

PER_PART = ("zh", "zh.tags", "zh.trees")


def test_layout(corpus: Corpus, tmp_path: Path) -> None:
    written = {str(path.relative_to(tmp_path)) for path in write(corpus, tmp_path)}
    expected = {"README.txt", "tok/train.en", "tok/train.links", "raw/train.en"}
    for part in ("train", "dev", "test"):
        expected |= {f"tok/{part}.{kind}" for kind in PER_PART} | {f"raw/{part}.zh"}
    for part in ("dev", "test"):
        for n in range(4):
            expected |= {f"tok/{part}.en.{n}", f"raw/{part}.en.{n}", f"tok/{part}.links.{n}"}
    assert written == expected
    assert {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()} == expected


def test_lines(corpus: Corpus, tmp_path: Path) -> None:
    counts = {"train": 1500, "dev": 120, "test": 120}
    for path in write(corpus, tmp_path):
        data = path.read_bytes()
        assert b"\r" not in data
        assert data.endswith(b"\n")
        if path.name != "README.txt":
            lines = data.decode("utf-8").split("\n")[:-1]
            assert len(lines) == counts[path.name.partition(".")[0]]
            assert all(line == line.strip() for line in lines)


def test_links_are_pharaoh(corpus: Corpus, tmp_path: Path) -> None:
    write(corpus, tmp_path)
    first = (tmp_path / "tok/train.links").read_text(encoding="utf-8").split("\n")[0]
    pairs = tuple(tuple(map(int, link.split("-"))) for link in first.split())
    assert pairs == corpus.train[0].targets[0].links


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for directory in (one, two):
        paths = write(generate(seed=3, train=40, dev=8, test=8), directory)
    assert [p.read_bytes() for p in sorted(one.rglob("*.*"))] == [
        p.read_bytes() for p in sorted(two.rglob("*.*"))
    ]
    assert "seed 3" in paths[-1].read_text(encoding="utf-8")
