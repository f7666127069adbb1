"""A whole translator: the same weights with workers that tune and train."""

from __future__ import annotations

from pathlib import Path

from bundled_corpus import generate, write
from demotic.cli.main import run
from tests.workers.conftest import Use


def test_a_translator_made_with_workers(tmp_path: Path, use: Use) -> None:
    use("chaos")
    write(generate(3, train=300, dev=20, test=20), tmp_path)
    texts = [str(tmp_path / "raw" / name) for name in ("train.zh", "train.en")]
    flags = "--src-lang zh --tgt-lang en --preset fast --dev-size 20 --test-size 20 --quiet".split()
    for name, more in (("one", ["--threads", "1"]), ("chaos", ["--workers", "chaos"])):
        assert run(["make", *texts, *flags, "-o", str(tmp_path / name), *more]) == 0
    one, chaos = tmp_path / "one", tmp_path / "chaos"
    names = [path.relative_to(one) for path in one.rglob("weights.tsv")]
    assert len(names) > 2
    for path in names:
        assert (one / path).read_bytes() == (chaos / path).read_bytes()
