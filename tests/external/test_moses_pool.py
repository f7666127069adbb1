"""Moses' own test pools: MERT gets as far as Moses does, PRO predicts Moses' pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic.formats.moses_pool import read_moses_pool, write_moses_pool
from demotic.learn import Mert, Pool, Pro
from demotic.learn.learner import pool_score
from demotic.testing.plain_metrics import PlainBleu
from tests.external.where import models

pytestmark = pytest.mark.external


@pytest.fixture(scope="module")
def folder() -> Path:
    return models() / "moses" / "tests"


@pytest.fixture(scope="module")
def pool(folder: Path) -> Pool:
    data = folder / "mert.basic" / "data"
    return read_moses_pool(data / "FEATSTAT.txt", data / "SCORESTAT.txt")


def moses_best(folder: Path) -> tuple[np.ndarray, float]:
    line = (folder / "mert.basic" / "truth" / "results.txt").read_text().splitlines()[0]
    point, score = line.partition("Best point: ")[2].split(" => ")
    return np.array(point.split(), float), float(score)


def test_moses_point_has_moses_score_here(folder: Path, pool: Pool) -> None:
    weights, score = moses_best(folder)
    assert (len(pool), pool.candidates) == (10, 1000)
    assert pool_score(weights, pool, PlainBleu()) == pytest.approx(score, abs=5e-7)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_mert_reaches_moses_score(folder: Path, pool: Pool, seed: int) -> None:
    """From Moses' starting weights, 20 restarts, the seeds named above."""
    start = (folder / "mert.basic" / "data" / "INIT").read_text().splitlines()[0].split()
    result = Mert().update(np.array(start, float), pool, PlainBleu(), seed=seed)
    assert result.report["score"] >= moses_best(folder)[1] - 5e-7


def test_writing_gives_the_files_back(folder: Path, pool: Pool, tmp_path: Path) -> None:
    write_moses_pool(pool, tmp_path / "f", tmp_path / "s")
    data = folder / "mert.basic" / "data"
    assert (tmp_path / "s").read_text() == (data / "SCORESTAT.txt").read_text()
    ours, theirs = ((tmp_path / "f").read_text(), (data / "FEATSTAT.txt").read_text())
    assert [line.split() for line in ours.splitlines() if line[0] == "F"] == [
        line.split() for line in theirs.splitlines() if line[0] == "F"
    ]
    again = read_moses_pool(tmp_path / "f", tmp_path / "s")
    assert again.dense.tobytes() == pool.dense.tobytes()


def moses_pairs(folder: Path) -> np.ndarray:
    """The positive examples that Moses' sampler wrote for the same pool."""
    text = (folder / "mert.pro" / "truth" / "results.txt").read_text()
    rows = []
    for line in text.splitlines():
        label, _, example = line.partition("=")[2].partition(" ")
        if line.startswith("STDOUT") and label == "1":
            parts, row = example.split(), np.zeros(14)
            for name, value in zip(parts[::2], parts[1::2], strict=True):
                row[int(name[1:])] = float(value)
            rows.append(row)
    return np.array(rows)


def test_moses_pairs_are_pairs_of_this_pool_that_ours_would_keep(folder: Path, pool: Pool) -> None:
    """The samplers draw different numbers; what can be compared is what a pair is: every one of
    Moses' is the difference of two candidates of one list, better minus worse by Bleu+1."""
    gains = PlainBleu().gain(pool.statistics)
    pairs = moses_pairs(folder)
    assert len(pairs) == 350
    for row in pairs:
        assert max(_gains_of_difference(pool, gains, row)) > 0.05


def _gains_of_difference(pool: Pool, gains: np.ndarray, row: np.ndarray) -> list[float]:
    found = []
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        dense = pool.dense[begin:end].astype(float)
        order = np.argsort(dense[:, 8])
        wanted = dense[:, 8] - row[8]
        near = np.searchsorted(dense[order, 8], wanted - 1e-3)
        far = np.searchsorted(dense[order, 8], wanted + 1e-3)
        for i in range(end - begin):
            for j in order[near[i] : far[i]]:
                if np.allclose(dense[i] - dense[j], row, atol=2e-3):
                    found.append(gains[begin + i] - gains[begin + j])
    return found or [-1.0]


def test_pro_ranks_moses_pairs_right(folder: Path, pool: Pool) -> None:
    """Weights from our sample predict the better side of nine tenths of Moses' pairs."""
    weights = Pro(interpolation=1.0).update(np.zeros(14), pool, PlainBleu()).weights
    assert np.mean(moses_pairs(folder) @ weights > 0) > 0.9
