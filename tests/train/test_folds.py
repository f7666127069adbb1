"""Folds of a bitext: every pair once, sources of a concatenated text in all of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.train import Bitext


def numbered(lines: int, copies: int = 1) -> Bitext:
    text = [f"w{i // copies}" for i in range(lines * copies)]
    return Bitext(text, text, copies=copies)


@given(st.integers(1, 3000), st.integers(2, 12), st.integers(1, 3), st.integers(1, 9))
def test_every_pair_is_in_one_fold_and_folds_are_of_equal_size(
    lines: int, count: int, copies: int, step: int
) -> None:
    bitext = numbered(lines, copies)
    chosen = np.arange(0, lines * copies, step, dtype=np.int64)
    folds = bitext.folds(chosen, count)
    assert len(folds) == count
    assert sorted(np.concatenate(folds).tolist()) == chosen.tolist()
    for fold in folds:
        assert fold.tolist() == sorted(fold.tolist())
    line_sets = [set((fold // copies).tolist()) for fold in folds]
    assert sum(map(len, line_sets)) == len(set.union(*line_sets))
    sizes = sorted(map(len, line_sets))
    # Runs differ by at most one line, and there is at most one per hundred lines of a fold.
    assert sizes[-1] - sizes[0] <= 1 + sizes[-1] // 100


def test_each_source_of_a_concatenated_text_is_in_all_folds() -> None:
    folds = numbered(10_000).folds(np.arange(10_000), 5)
    for begin in range(0, 10_000, 2_500):
        found = [int(((fold >= begin) & (fold < begin + 2_500)).sum()) for fold in folds]
        assert min(found) >= 400


def test_neighbours_stay_together() -> None:
    for fold in numbered(10_000).folds(np.arange(10_000), 5):
        breaks = [b for a, b in pairwise(fold.tolist()) if b != a + 1]
        assert len(breaks) == 19


@pytest.mark.parametrize("lines", [3, 999])
def test_a_short_text_is_cut_into_consecutive_folds(lines: int) -> None:
    folds = numbered(lines).folds(np.arange(lines), 5)
    assert np.concatenate(folds).tolist() == list(range(lines))
