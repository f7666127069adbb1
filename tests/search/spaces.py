"""What the tests of phrase search draw: seeds of tiny models and search spaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import strategies as st

from demotic.search import SearchOptions
from tests.search.tiny import HUGE

__all__ = ["exhaustive", "lines", "seeds", "spaces", "unlimited_cubes"]

seeds = st.integers(0, 2**32 - 1)

# Nothing is pruned in them; unlimited effort is added below.
spaces = st.builds(
    SearchOptions,
    distortion_limit=st.sampled_from((-1, 0, 1, 2, 3)),
    gap_test=st.booleans(),
    rule_limit=st.just(0),
    early_distortion=st.booleans(),
    drop_unknown=st.booleans(),
)


def exhaustive(space: SearchOptions, **changes: int) -> SearchOptions:
    return replace(space, cube_pruning=False, **{"beam_size": HUGE, **changes})


def unlimited_cubes(space: SearchOptions) -> SearchOptions:
    return replace(space, cube_pruning=True, beam_size=HUGE, pop_limit=HUGE)


def lines(sentences: Iterable[Iterable[str]]) -> list[str]:
    return [" ".join(words) for words in sentences]
