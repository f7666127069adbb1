"""Diversity, oracles and bins against their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.experiments.lists import diversity

WORDS = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


def grams(text: str) -> Counter[str]:
    words = text.split()
    return Counter(
        " ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 5)
        if j <= len(words)
    )  # fmt: skip


def distance(one: str, other: str) -> float:
    a, b = grams(one), grams(other)
    dot = sum(a[key] * b[key] for key in a)
    norms = sum(n * n for n in a.values()) + sum(n * n for n in b.values())
    return 1 - 2 * dot / norms if norms else 0.0


@given(st.lists(WORDS, min_size=2, max_size=5))
def test_diversity_by_definition(texts: list[str]) -> None:
    pairs = [distance(*pair) for pair in combinations(texts, 2)]
    assert diversity(texts) == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


def test_diversity_of_equal_and_disjoint_texts() -> None:
    assert diversity(["a b", "a b"]) == 0
    assert diversity(["a b", "c d"]) == 1
    assert diversity(["a"]) == 0
