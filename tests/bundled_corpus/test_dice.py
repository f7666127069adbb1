"""The dice: known draws, since the corpus must be the same on every Python and machine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bundled_corpus.dice import Dice


def test_pinned_draws() -> None:
    dice = Dice(1)
    assert [dice.below(1000) for _ in range(5)] == [134, 847, 763, 255, 495]
    assert dice.shuffled("abcdef") == list("bfaedc")
    assert [dice.weighted("xyz", (0.1, 0.2, 0.7)) for _ in range(8)] == list("zzzxzzyz")


def test_seeds_differ() -> None:
    one, two = Dice(1), Dice(2)
    assert [one.below(100) for _ in range(9)] != [two.below(100) for _ in range(9)]


@given(st.integers(), st.lists(st.integers(), min_size=1))
def test_draws_stay_in_bounds(seed: int, items: list[int]) -> None:
    dice = Dice(seed)
    assert dice.choice(items) in items
    assert sorted(dice.shuffled(items)) == sorted(items)
    assert 3 <= dice.between(3, 5) <= 5
    assert dice.weighted(items, [0.0] * (len(items) - 1) + [1.0]) == items[-1]
    assert not dice.chance(0.0)
    assert dice.chance(1.0)
