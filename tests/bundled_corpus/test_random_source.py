"""Known draws, since the corpus must be the same with every Python on every machine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bundled_corpus.random_source import RandomSource


def test_pinned_draws() -> None:
    rng = RandomSource(1)
    assert [rng.below(1000) for _ in range(5)] == [134, 847, 763, 255, 495]
    assert rng.shuffled("abcdef") == list("bfaedc")
    assert [rng.weighted("xyz", (0.1, 0.2, 0.7)) for _ in range(8)] == list("zzzxzzyz")


def test_seeds_differ() -> None:
    one, two = RandomSource(1), RandomSource(2)
    assert [one.below(100) for _ in range(9)] != [two.below(100) for _ in range(9)]


@given(st.integers(), st.lists(st.integers(), min_size=1))
def test_draws_stay_in_bounds(seed: int, items: list[int]) -> None:
    rng = RandomSource(seed)
    assert rng.choice(items) in items
    assert sorted(rng.shuffled(items)) == sorted(items)
    assert 3 <= rng.between(3, 5) <= 5
    assert rng.weighted(items, [0.0] * (len(items) - 1) + [1.0]) == items[-1]
    assert not rng.chance(0.0)
    assert rng.chance(1.0)
