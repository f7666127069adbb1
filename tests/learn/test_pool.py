"""Pools: what they refuse, how they are merged, and Moses' files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import FormatError, ModelError
from demotic.formats.moses_pool import read_moses_pool, write_moses_pool
from demotic.learn import Pool, merge
from demotic.learn.sparse_rows import SparseRows
from demotic.testing.pools import random_pool

ROW = [5, 4, 3, 2, 6, 5, 4, 3, 7]


def lists_of(pool: Pool) -> dict[int, list[tuple[object, ...]]]:
    """By key: features and statistics of the candidates."""
    found = {}
    for key, begin, end in zip(pool.keys, pool.offsets[:-1], pool.offsets[1:], strict=True):
        sparse = [tuple(pool.sparse[i].items()) if pool.sparse else () for i in range(begin, end)]
        rows = zip(pool.dense[begin:end].tolist(), sparse, pool.statistics[begin:end], strict=True)
        found[int(key)] = [(*dense, parts, *counts.tolist()) for dense, parts, counts in rows]
    return found


def test_a_pool_is_a_value() -> None:
    features = np.ones((2, 3), np.float32)
    pool = Pool([0, 2], features, [ROW, ROW])
    features[:] = 7
    assert pool.dense.tolist() == [[1.0] * 3] * 2
    with pytest.raises(ValueError, match="read-only"):
        pool.dense[0, 0] = 1
    assert repr(pool) == "Pool(1 lists, 2 candidates, 3 dense features)"
    assert (len(pool), pool.candidates, pool.features) == (1, 2, 3)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"offsets": [0, 3]}, "2 dense features; expected 3"),
        ({"statistics": [ROW]}, "1 statistics; expected 2"),
        ({"keys": [1, 2]}, "2 keys; expected 1"),
        ({"list_weights": [1.0, 2.0]}, "2 list weights; expected 1"),
        ({"names": ("a",)}, "1 names; expected 3"),
        ({"sparse": SparseRows.of([{0: 1.0}])}, "1 sparse rows; expected 2"),
        ({"dense": [1.0, 2.0]}, "one row per candidate"),
        ({"offsets": [0, 1, 2], "keys": [4, 4]}, "two lists with the same key"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(fields: dict[str, object], message: str) -> None:
    whole = {"offsets": [0, 2], "dense": np.ones((2, 3)), "statistics": [ROW, ROW], **fields}
    with pytest.raises(ValueError, match=message):
        Pool(**whole)


def test_features_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ModelError, match="candidate 1 is not a finite number"):
        Pool([0, 2], [[1.0], [np.nan]], [ROW, ROW])
    with pytest.raises(ModelError, match="sparse feature is not a finite"):
        Pool([0, 1], [[1.0]], [ROW], SparseRows.of([{0: np.inf}]), 1)


def test_a_sparse_feature_without_a_weight_is_refused() -> None:
    pool = Pool([0, 1], [[1.0]], [ROW], SparseRows.of([{2: 1.0}]), 2)
    with pytest.raises(ValueError, match="a sparse feature id is out of range"):
        _ = pool.native


def test_merging_keeps_the_first_of_equals_in_order() -> None:
    old = Pool.of([([[1.0], [2.0]], [ROW, ROW]), ([[5.0]], [ROW])], keys=[10, 20])
    new = Pool.of([([[6.0], [5.0]], [ROW, ROW]), ([[3.0], [1.0]], [ROW, ROW])], keys=[20, 30])
    merged = merge([old, new])
    assert merged.keys.tolist() == [10, 20, 30]
    assert merged.offsets.tolist() == [0, 2, 4, 6]
    assert merged.dense.ravel().tolist() == [1, 2, 5, 6, 3, 1]
    assert merge([merged, new, old]).dense.tolist() == merged.dense.tolist()


def test_a_full_list_keeps_the_newest_candidates() -> None:
    old = Pool.of([([[1.0], [2.0], [3.0]], [ROW] * 3), ([[1.0]], [ROW])])
    new = Pool.of([([[4.0], [2.0]], [ROW] * 2), ([[2.0]], [ROW])])
    merged = merge([old, new], limit=3)
    assert merged.offsets.tolist() == [0, 3, 5]
    assert merged.dense.ravel().tolist() == [2, 3, 4, 1, 2]


def test_candidates_differ_by_words_and_sparse_features() -> None:
    def pool(word: int, value: float) -> Pool:
        rows = SparseRows.of([{3: value}])
        return Pool([0, 1], [[1.0]], [ROW], rows, 9, strings=np.array([word], np.uint64))

    same, other_words, other_features = pool(1, 2.0), pool(2, 2.0), pool(1, 2.5)
    merged = merge([pool(1, 2.0), same, other_words, other_features])
    assert merged.candidates == 3
    assert merged.strings.tolist() == [1, 2, 1]
    assert list(merged.sparse.rows()) == [{3: 2.0}, {3: 2.0}, {3: 2.5}]


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_merging_agrees_with_dictionaries(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    pools = []
    for i in range(count):
        drawn = random_pool(seed + i, lists=4, longest=6, features=1)
        keys = rng.permutation(6)[:4]
        pools.append(Pool(drawn.offsets, drawn.dense, drawn.statistics, keys=keys))
    expected: dict[int, dict[tuple[object, ...], tuple[object, ...]]] = {}
    for pool in pools:
        for key, rows in lists_of(pool).items():
            for row in rows:
                expected.setdefault(key, {}).setdefault(row[:1], row)
    merged = lists_of(merge(pools))
    assert list(merged) == list(expected)
    assert merged == {key: list(rows.values()) for key, rows in expected.items()}


def test_pools_of_different_kinds_are_not_merged() -> None:
    with pytest.raises(ValueError, match="different kinds"):
        merge([random_pool(1, features=2), random_pool(1, features=3)])
    with pytest.raises(ValueError, match="no pools"):
        merge([])


def test_moses_files_round_trip(tmp_path: Path) -> None:
    pool = random_pool(5)
    write_moses_pool(pool, tmp_path / "f", tmp_path / "s.gz.txt")
    again = read_moses_pool(tmp_path / "f", tmp_path / "s.gz.txt")
    assert lists_of(again) == lists_of(pool)
    assert again.names == ("f_0", "f_1", "f_2", "f_3")


FEATURES = "FEATURES_TXT_BEGIN_0 4 1 2 a b\n1 2\nFEATURES_TXT_END_0\n"
SCORES = "SCORES_TXT_BEGIN_0 4 1 9 BLEU\n1 2 3 4 5 6 7 8 9\nSCORES_TXT_END_0\n"


def test_moses_alternates_matches_and_totals(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(FEATURES)
    (tmp_path / "s").write_text(SCORES)
    pool = read_moses_pool(tmp_path / "f", tmp_path / "s")
    assert pool.statistics.tolist() == [[1, 3, 5, 7, 2, 4, 6, 8, 9]]
    assert pool.keys.tolist() == [4]


def test_unusual_numbers_of_moses_files_are_read(tmp_path: Path) -> None:
    rows = "+1 -2e0\n1e-400 3\n\t4 5 \n"
    (tmp_path / "f").write_text(FEATURES.replace("1 2\n", rows).replace("4 1", "4 3"))
    row = "1 2 3 4 5 6 7 8 9\n"
    (tmp_path / "s").write_text(SCORES.replace("4 1", "4 3").replace(row, row + "+" + row + row))
    pool = read_moses_pool(tmp_path / "f", tmp_path / "s")
    assert pool.dense.tolist() == [[1, -2], [0, 3], [4, 5]]
    assert pool.statistics.tolist() == [[1, 3, 5, 7, 2, 4, 6, 8, 9]] * 3


@pytest.mark.parametrize(
    ("features", "scores", "message"),
    [
        (FEATURES.replace("1 2\n", "1\n"), SCORES, "f line 2: 1 values; expected 2 per candidate"),
        (FEATURES.replace("1 2\n", "1 x\n"), SCORES, "f line 2: 'x'; expected a finite number"),
        (FEATURES.replace("1 2\n", "1 nan\n"), SCORES, "'nan'; expected a finite number"),
        (FEATURES.replace("BEGIN_0 4 1", "BEGIN_0 4 2"), SCORES, "line 3: 1 values"),
        (FEATURES.replace("\n1 2", "\n1 2\n3 4"), SCORES, "line 1: more or fewer candidates"),
        (FEATURES.replace("_END_0", ""), SCORES, "FEATURES_TXT_END_0 after them"),
        (FEATURES.replace("1 2 a b\n1 2", "1 0\n"), SCORES, "no features; expected at least one"),
        (FEATURES.replace("1 2\n", "1 2 3\n"), SCORES, "f line 2: 3 values; expected 2"),
        (FEATURES, SCORES.replace("8 9\n", "8.5 9\n"), "s line 2: '8.5'; expected a non-neg"),
        ("hello\n", SCORES, "line 1: 'hello'; expected FEATURES_TXT_BEGIN_0"),
        (FEATURES, SCORES.replace("BLEU", "TER"), "statistics of TER; expected BLEU"),
        (FEATURES, SCORES.replace("9 BLEU", "8 BLEU"), "8 statistics; expected 9"),
        (FEATURES, SCORES.replace("8 9\n", "8 -9\n"), "'-9'; expected a non-negative whole number"),
        (FEATURES, SCORES.replace("_0 4 1", "_0 5 1"), "list 5 with 1 candidates; expected list 4"),
        (FEATURES, SCORES + SCORES.replace("_0 4", "_0 5"), "2 lists; expected 1"),
    ],
)
def test_broken_moses_files_are_refused(
    tmp_path: Path, features: str, scores: str, message: str
) -> None:
    (tmp_path / "f").write_text(features)
    (tmp_path / "s").write_text(scores)
    with pytest.raises(FormatError, match=message):
        read_moses_pool(tmp_path / "f", tmp_path / "s")
