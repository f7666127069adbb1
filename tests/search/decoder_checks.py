"""Checks of what decoders report: features and scores of derivations, equal bits of two runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from demotic import _core
from demotic.search import SearchOptions, SearchResult
from demotic.search.record import Candidate
from tests.near import near
from tests.search.brute_force import BruteForce, Words
from tests.search.kinds import TinyModel
from tests.search.tiny_parts import lines

__all__ = ["check_candidate", "check_translations", "same_lists", "same_records"]

RECORD_ARRAYS = (
    "edge_offsets tail_offsets tails edge_rule edge_begin edge_end target_offsets target_symbols "
    "feature_offsets feature_ids feature_values node_bin node_score node_future node_alive "
    "node_reaches bin_label bin_begin bin_end monotone_offsets monotone_words monotone_score"
).split()
LIST_ARRAYS = "offsets sentence bin covered features scores word_offsets words".split()


def same_lists(a: _core.SearchedCandidates, b: _core.SearchedCandidates) -> bool:
    return _same_arrays(a, b, LIST_ARRAYS)


def same_records(a: list[SearchResult], b: list[SearchResult]) -> bool:
    pairs = zip(a, b, strict=True)
    return all(_same_arrays(x._native, y._native, RECORD_ARRAYS) for x, y in pairs)


def _same_arrays(a: object, b: object, names: list[str]) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)


def check_candidate(model: TinyModel, brute: BruteForce[Any], one: Candidate) -> None:
    """Words, features and score are those of the steps."""
    derivation = brute.of_steps(one.steps)
    assert one.words == brute.target(derivation)
    values = dict(zip(model.weights, one.features.tolist(), strict=True))
    assert values == near(brute.features(derivation), rel=1e-6, abs=1e-5)
    assert one.score == near(model.weights.array @ one.features, rel=1e-9)


def check_translations(model: TinyModel, options: SearchOptions, texts: list[Words]) -> None:
    found = model.decoder(options).translate(lines(texts))
    for i, words in enumerate(texts):
        fell_back = i in found.fell_back
        check_candidate(model, model.brute_force(words, options, fell_back=fell_back), found[i])
