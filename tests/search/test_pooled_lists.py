"""Pooled candidate lists against sums over all candidates, and models that decide together."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.search.pooled_lists import ORDER, PooledLists, risk_factors

WORDS = st.lists(st.sampled_from("ab<"), max_size=6).map(tuple)
LISTS = st.lists(
    st.lists(WORDS, min_size=1, max_size=5, unique=True), min_size=1, max_size=3
).flatmap(
    lambda lists: st.tuples(
        st.just(lists),
        st.tuples(
            *(st.lists(st.floats(-20, 20), min_size=len(one), max_size=len(one)) for one in lists)
        ),
    )
)


def ngrams(words: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    return Counter(words[i : i + n] for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


def gains(
    lists: list[list[tuple[str, ...]]],
    scores: tuple[list[float], ...],
    scales: list[float],
    shares: list[float],
    risk: tuple[float, float],
) -> dict[tuple[str, ...], float]:
    """The definition, one candidate and one n-gram after the other."""
    probability: Counter[tuple[str, ...]] = Counter()
    for candidates, own, scale, share in zip(lists, scores, scales, shares, strict=True):
        weights = np.exp(scale * (np.array(own) - max(own)))
        for words, p in zip(candidates, weights / weights.sum(), strict=True):
            for one in set(ngrams(words)):
                probability[one] += share * p
    found = {}
    for words in dict.fromkeys(words for one in lists for words in one):
        gain = -float(len(words))
        for one, count in ngrams(words).items():
            gain += count * probability[one] / (ORDER * risk[0] * risk[1] ** (len(one) - 1))
        found[words] = gain
    return found


@given(LISTS, st.floats(0.01, 3), st.floats(0.1, 1), st.floats(0.1, 1))
def test_the_best_candidate_by_definition(
    drawn: tuple[list[list[tuple[str, ...]]], tuple[list[float], ...]],
    scale: float,
    precision: float,
    ratio: float,
) -> None:
    lists, scores = drawn
    pool = PooledLists(lists, [np.array(own) for own in scores])
    scales = [scale * (i + 1) for i in range(len(lists))]
    shares = [1 / len(lists)] * len(lists)
    expected = gains(lists, scores, scales, shares, (precision, ratio))
    assert pool.distinct == list(expected)
    chosen = pool.best(scales, shares, precision, ratio)
    assert expected[pool.distinct[chosen]] == pytest.approx(max(expected.values()), abs=1e-6)
    model, place = pool.origin(chosen)
    assert lists[model][place] == pool.distinct[chosen]
    assert all(pool.distinct[chosen] not in one for one in lists[:model])


def test_posteriors_and_features() -> None:
    pool = PooledLists([[("a", "a"), ("b",)], [("b",)]], [np.array([0.0, -1.0]), np.array([7.0])])
    p = 1 / (1 + np.exp(-2.0))
    assert pool.posteriors(0, 2.0).tolist() == pytest.approx([p, 1 - p])
    assert pool.posteriors(1, 2.0).tolist() == [0, 1]
    # Twice the word a, which is in the translation with probability p; once the bigram.
    assert pool.features(0, 2.0)[0].tolist() == pytest.approx([2, 2 * p, p, 0, 0])
    assert pool.features(1, 2.0)[1].tolist() == [1, 1, 0, 0, 0]
    assert risk_factors(0.5, 0.5).tolist() == [-1, 0.5, 1, 2, 4]


def test_a_list_with_only_the_empty_translation() -> None:
    pool = PooledLists([[()], [()]], [np.array([-1.0]), np.array([-2.0])])
    assert pool.best([1, 1], [0.5, 0.5], 0.8, 0.7) == 0
    assert pool.origin(0) == (0, 0)
