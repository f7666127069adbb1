"""Suffix arrays equal those found by sorting the suffixes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic import _core
from tests.oracle.suffixes import suffix_array


@given(words=st.integers(1, 6), data=st.data())
def test_random_texts(words: int, data: st.DataObject) -> None:
    text = data.draw(st.lists(st.integers(0, words - 1), max_size=60))
    found = _core.suffix_array(np.array(text, np.int32), words)
    assert found.tolist() == suffix_array(text)


@given(unit=st.lists(st.integers(0, 3), min_size=1, max_size=6), times=st.integers(1, 30))
def test_repetitive_texts(unit: list[int], times: int) -> None:
    text = unit * times
    found = _core.suffix_array(np.array(text, np.int32), 4)
    assert found.tolist() == suffix_array(text)


def test_large_alphabet() -> None:
    rng = np.random.default_rng(3)
    text = rng.integers(0, 100_000, 3000).astype(np.int32)
    assert _core.suffix_array(text, 100_000).tolist() == suffix_array(text.tolist())


@pytest.mark.parametrize("word", [-1, 5])
def test_words_outside_the_vocabulary_are_refused(word: int) -> None:
    with pytest.raises(ValueError, match="not below"):
        _core.suffix_array(np.array([word], np.int32), 5)
