"""The kinds of search as the tests see them: tiny models, spaces of options, and brute force."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import strategies as st

from demotic.features.weights import Weights
from demotic.formats.tables import TableKind
from demotic.rules import Rules
from demotic.search import SearchOptions, SearchResult
from demotic.search.decoder import Decoder
from tests.oracle.arpa import Arpa
from tests.search.brute_force import BruteForce, Words
from tests.search.phrase_brute_force import gaps
from tests.search.tiny_hiero import tiny_hiero
from tests.search.tiny_parts import HUGE, lines, positive_weights
from tests.search.tiny_phrase import drawn_phrase

__all__ = [
    "KINDS",
    "Kind",
    "TinyModel",
    "by_kind",
    "enumerable",
    "exhaustive",
    "seeds",
    "unlimited_cubes",
    "usual",
    "yield_of",
]

MOST_DERIVATIONS = 2000  # of a sentence that brute force enumerates

seeds = st.integers(0, 2**32 - 1)


class TinyModel(Protocol):
    """A model that a decoder can use, and that brute force knows."""

    @property
    def kind(self) -> str: ...
    @property
    def native(self) -> Any: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def arpas(self) -> list[Arpa]: ...
    @property
    def weights(self) -> Weights: ...

    def decoder(self, options: SearchOptions) -> Decoder: ...
    def weighted(self, weights: Weights) -> TinyModel: ...
    def brute_force(
        self, words: Words, options: SearchOptions, *, fell_back: bool = False
    ) -> BruteForce[Any]: ...


@dataclass(frozen=True, repr=False)
class Kind:
    """What the contract of decoders needs to know of a kind of search."""

    name: str
    tiny: Callable[..., TinyModel]  # (rng, folder, *, language_models=-1): -1 draws a number
    plain: dict[str, Any]  # arguments of `tiny`: a model without features of its own kind
    spaces: st.SearchStrategy[SearchOptions]  # without limits of the effort
    longest: int  # words of sentences that brute force enumerates quickly
    linear: SearchOptions  # with them, time is linear in the length of the sentence
    falls_back: tuple[SearchOptions, int]  # with them, a sentence this long is too long
    too_large: tuple[TableKind, str]  # a rule table with scores beyond the range of the search
    surroundings: Callable[[SearchResult, int], tuple[list[str], list[str]]]

    def __repr__(self) -> str:
        return self.name


def exhaustive(space: SearchOptions, **changes: int) -> SearchOptions:
    return replace(space, cube_pruning=False, **{"beam_size": HUGE, **changes})


def unlimited_cubes(space: SearchOptions) -> SearchOptions:
    return replace(space, cube_pruning=True, beam_size=HUGE, pop_limit=HUGE)


def enumerable(
    model: TinyModel, options: SearchOptions, texts: Iterable[Words]
) -> list[tuple[Words, SearchResult]]:
    """Each text, shortened until it has few derivations, and its search."""
    found = []
    for words in texts:
        for length in range(len(words), -1, -1):
            (result,) = model.decoder(options).search(lines([words[:length]]))
            if result.forest.number_of_derivations <= MOST_DERIVATIONS:
                found.append((words[:length], result))
                break
    return found


def _phrase_surroundings(result: SearchResult, node: int) -> tuple[list[str], list[str]]:
    """Before and after the words of a hypothesis: monotone translations of the open spans."""
    forest, covered = result.forest, set[int]()
    while True:
        edge = int(forest.edge_offsets[node])
        covered |= set(range(forest.edge_begin[edge], forest.edge_end[edge]))
        tails = forest.tails[forest.tail_offsets[edge] : forest.tail_offsets[edge + 1]]
        if not len(tails):
            break
        node = int(tails[0])
    spans = gaps(len(result.source), covered)
    return [], [word for span in spans for word in result.monotone(*span)]


def _hiero_surroundings(result: SearchResult, node: int) -> tuple[list[str], list[str]]:
    """Before and after the words of a hypothesis: the best pieces next to its span."""
    bins, number = result.bins, int(result.bins.bin[node])
    before = _concatenated(result, 0, int(bins.begin[number]))
    return before, _concatenated(result, int(bins.end[number]), len(result.source))


def _concatenated(result: SearchResult, begin: int, end: int) -> list[str]:
    """The best concatenation of pieces for words [begin, end), by trying all first pieces."""
    pieces = _best_pieces(result)

    def best(at: int) -> tuple[float, list[str]]:
        if at == end:
            return 0.0, []
        ways = []
        for (first, last), (score, node) in pieces.items():
            if first == at and last <= end:
                rest, words = best(last)
                ways.append((score + rest, yield_of(result, node) + words))
        return max(ways, key=lambda way: way[0], default=(-float("inf"), []))

    return best(begin)[1]


def _best_pieces(result: SearchResult) -> dict[tuple[int, int], tuple[float, int]]:
    """Score and node of the best piece of every span; glue does not make pieces."""
    bins = result.bins
    found: dict[tuple[int, int], tuple[float, int]] = {}
    for node in bins.alive.nonzero()[0].tolist():
        number = int(bins.bin[node])
        span = int(bins.begin[number]), int(bins.end[number])
        score = float(bins.score[node])
        if bins.label[number] >= 0 and (span not in found or score > found[span][0]):
            found[span] = score, node
    return found


def yield_of(result: SearchResult, node: int) -> list[str]:
    """Of the best derivation of a node: its first edge is its best."""
    forest = result.forest
    edge = int(forest.edge_offsets[node])
    tails = forest.tails[forest.tail_offsets[edge] : forest.tail_offsets[edge + 1]]
    words: list[str] = []
    for symbol in forest.edge_target[edge].tolist():
        if symbol < 0:
            words += yield_of(result, int(tails[-symbol - 1]))
        else:
            words += result.spelled([symbol])
    return words


KINDS = {
    "phrase": Kind(
        "phrase",
        drawn_phrase,
        {"reordering": "none", "operations": False},
        st.builds(
            SearchOptions,
            distortion_limit=st.sampled_from((-1, 0, 1, 2, 3)),
            gap_test=st.booleans(),
            rule_limit=st.just(0),
            early_distortion=st.booleans(),
            future_cost=st.booleans(),
            drop_unknown=st.booleans(),
        ),
        4,
        SearchOptions(beam_size=5, pop_limit=10),
        (SearchOptions(beam_size=5, pop_limit=10, distortion_limit=-1), 2001),
        (
            "moses_phrases",
            "a ||| x ||| 1 1 1 1 ||| ||| ||| f 3e38\nb ||| y ||| 1 1 1 1 ||| ||| ||| f -3e38\n",
        ),
        _phrase_surroundings,
    ),
    "hiero": Kind(
        "hiero",
        tiny_hiero,
        {"goal": False},
        st.builds(
            SearchOptions, rule_limit=st.just(0), span_limit=st.sampled_from((0, 1, 2, 3, 5))
        ),
        5,
        SearchOptions(beam_size=5, pop_limit=10, span_limit=5),
        (SearchOptions(beam_size=2, pop_limit=2, span_limit=0), 1100),
        ("scfg", "[X] ||| a ||| x ||| f=3e38\n[X] ||| b ||| y ||| f=-3e38\n"),
        _hiero_surroundings,
    ),
}

by_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())


def usual(kind: Kind, seed: int, folder: Path, **parts: Any) -> TinyModel:
    """A random model with positive weights, which make reordering and long rules worthwhile."""
    model = kind.tiny(random.Random(seed), folder, **parts)
    return model.weighted(positive_weights(model.weights))
