"""Texts for the tests of metrics: drawn sentences with few words, and damaged copies of them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

WORDS = "the a cat dog , . 3.5 3-4 don't (so) Ünïcode 猫 いぬ \u00a0 &amp; <unk> x. U.S.A. …".split(
    " "
)

line = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
corpus = st.lists(st.tuples(line, st.lists(line, min_size=1, max_size=4)), min_size=1, max_size=8)
# As many references for each.
streams = st.integers(1, 3).flatmap(
    lambda number: st.lists(
        st.tuples(line, st.lists(line, min_size=number, max_size=number)), min_size=1, max_size=8
    )
)


def damaged(lines: Sequence[str], seed: int, *, characters: bool = False) -> list[str]:
    """A translation that is not quite right: words lost, put in, changed, moved; a line empty."""
    draw = random.Random(seed)
    known = [word for text in lines[:300] for word in _units(text, characters)] or ["x"]
    result = []
    for text in lines:
        units = _units(text, characters) if draw.random() > 0.01 else []
        for _ in range(draw.randint(0, 1 + len(units) // 4)):
            _damage(units, known, draw)
        result.append(("" if characters else " ").join(units))
    return result


def _units(text: str, characters: bool) -> list[str]:
    return list(text) if characters else text.split(" ")


def _damage(units: list[str], known: Sequence[str], draw: random.Random) -> None:
    if not units:
        return
    at = draw.randrange(len(units))
    match draw.randrange(4):
        case 0:
            del units[at]
        case 1:
            units.insert(at, draw.choice(known))
        case 2:
            units[at] = draw.choice(known)
        case _:
            moved = units[at : at + draw.randint(1, 5)]
            del units[at : at + len(moved)]
            to = draw.randint(0, len(units))
            units[to:to] = moved
