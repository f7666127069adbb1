"""Quantised models: their values by definition, exact where 256 values suffice, files, the verb."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from demotic.cli.main import run
from demotic.lm import LanguageModel, LmOptions, estimate_lm
from tests.lm.test_disk import zipf


def listed(model: LanguageModel, path: Path) -> list[tuple[str, float, float]]:
    """The n-grams of an ARPA file: words, log10 probability, log10 backoff."""
    model.save(path)
    lines = [line.split("\t") for line in path.read_text().splitlines() if "\t" in line]
    return [(row[1], float(row[0]), float(row[2]) if len(row) > 2 else 0.0) for row in lines]


def check_quantised(values: np.ndarray, found: np.ndarray, bins: int) -> None:
    """By definition: the nearest of the means of bins that hold equally many of the values."""
    means = np.unique(values)
    if len(means) > bins:
        cuts = [len(values) * i // bins for i in range(bins + 1)]
        ordered = np.sort(values)
        means = np.array([ordered[a:b].mean() for a, b in pairwise(cuts)])
    assert np.abs(found[:, None] - means[None, :]).min(axis=1).max() < 1e-5
    least = np.abs(values[:, None] - means[None, :]).min(axis=1)
    assert (np.abs(found - values) <= least + 1e-5).all()


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    return zipf(3000, words=2000), zipf(300, seed=2, words=2000)


def exact_and_quantised(tmp_path: Path, lines: list[str]) -> tuple[LanguageModel, LanguageModel]:
    (tmp_path / "text").write_text("\n".join(lines) + "\n")
    exact = estimate_lm(tmp_path / "text", LmOptions(order=4))
    return exact, estimate_lm(tmp_path / "text", LmOptions(order=4, quantize="8"))


def test_values_by_definition(tmp_path: Path, texts: tuple[list[str], list[str]]) -> None:
    exact, coded = exact_and_quantised(tmp_path, texts[0])
    wanted, found = listed(exact, tmp_path / "a.arpa"), listed(coded, tmp_path / "b.arpa")
    assert [row[0] for row in wanted] == [row[0] for row in found]
    order = np.array([row[0].count(" ") + 1 for row in wanted])
    for n in range(1, 5):
        here = order == n
        prob, backoff = (np.array([row[i] for row in wanted])[here] for i in (1, 2))
        got_prob, got_backoff = (np.array([row[i] for row in found])[here] for i in (1, 2))
        if n == 1:
            assert (got_prob == prob).all()
            assert (got_backoff == backoff).all()
            continue
        assert len(np.unique(prob)) > 256 or n == 4
        check_quantised(prob, got_prob, 256)
        some = backoff != 0
        assert ((got_backoff != 0) == some).all()
        if some.any():
            check_quantised(backoff[some], got_backoff[some], 255)


def test_a_smaller_model_of_nearly_the_same_perplexity(
    tmp_path: Path, texts: tuple[list[str], list[str]]
) -> None:
    exact, coded = exact_and_quantised(tmp_path, texts[0])
    (tmp_path / "held_out").write_text("\n".join(texts[1]) + "\n")
    a, b = (model.perplexity(tmp_path / "held_out") for model in (exact, coded))
    assert a.unknown == b.unknown
    assert math.isclose(a.with_unknown, b.with_unknown, rel_tol=0.02)
    assert coded.native.size_bytes < 0.75 * exact.native.size_bytes
    assert coded.quantized() is coded
    for sentence in texts[1]:  # the states are those of the exact model
        words = sentence.split()
        assert [len(model.word_scores(words)) for model in (exact, coded)] == [len(words) + 1] * 2


def test_few_values_are_exact(tmp_path: Path) -> None:
    rng = random.Random(3)
    lines = [" ".join(rng.choice("abcd") for _ in range(rng.randint(0, 6))) for _ in range(60)]
    exact, coded = exact_and_quantised(tmp_path, lines)
    for line in [*lines, "d d d d d d d", "x a x b"]:
        assert exact.word_scores(line) == coded.word_scores(line)
    assert listed(exact, tmp_path / "a.arpa") == listed(coded, tmp_path / "b.arpa")


def test_the_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("\n".join(zipf(2000)) + "\n")
    assert run(["lm", "text", "-o", "x.arpa", "--quiet"]) == 0
    flags = ["--quantize", "8", "--quiet"]
    assert run(["lm", "text", "-o", "a.lm", *flags]) == 0
    assert run(["lm", "--from", "x.arpa", "-o", "b.lm", *flags]) == 0
    assert run(["lm", "text", "-o", "c.lm", "--memory", "64K", *flags]) == 0
    assert run(["lm", "text", "-o", "d.lm", "--quiet"]) == 0
    names = ("a.lm", "b.lm", "c.lm")
    assert len({Path(name).read_bytes() for name in names}) == 1
    assert Path("a.lm").stat().st_size < 0.8 * Path("d.lm").stat().st_size
    loaded = LanguageModel.load("a.lm")
    again = estimate_lm("text", LmOptions(quantize="8"))
    assert [loaded.score(line) for line in zipf(50, 3)] == [
        again.score(line) for line in zipf(50, 3)
    ]
    assert run(["lm", "text", "-o", "y.arpa", *flags]) == 2
    assert run(["lm", "text", "-o", "y.lm", "--quantize", "7"]) == 2
