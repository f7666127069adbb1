"""Forests of searches as plain arrays."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from demotic.model import Model
from demotic.search.found_forest import FoundForest
from demotic.workers.arrays import from_bytes, to_bytes
from tests.learn.sparse_models import new_features, with_random_weights
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model

LINES = ["das haus ist klein", "", "unbekannt das unbekannt", "haus haus haus <unk> ||| ☃"]


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("models")
    return untuned(prepared_model(folder, request.param), folder / "untuned")


@pytest.fixture(scope="module")
def sparse(plain: Model, tmp_path_factory: pytest.TempPathFactory) -> Model:
    home = tmp_path_factory.mktemp("models") / "sparse"
    return with_random_weights(plain, home, [*dev_set(plain).source], new_features(plain))


@pytest.mark.parametrize("density", [math.inf, 1.5])
def test_they_are_the_same_after_a_journey(sparse: Model, density: float) -> None:
    decoder = sparse.decoder()
    for found in decoder.forests(LINES, density=density, parts=True):
        again = FoundForest.of_arrays(
            from_bytes(to_bytes(dict(found.arrays()))), decoder.weights.index
        )
        for field in dataclasses.fields(FoundForest):
            mine, theirs = getattr(found, field.name), getattr(again, field.name)
            assert mine is theirs or np.all(mine == theirs), field.name
        assert again.forest.edge_parts == found.forest.edge_parts


def test_words_are_those_of_the_search(plain: Model) -> None:
    decoder = plain.decoder()
    results = decoder.search(LINES)
    for result, found in zip(results, decoder.forests(LINES), strict=True):
        best = found.forest.kbest(1, found.forest.scores(decoder.weights))
        (words,) = found.forest.yields(best)
        assert " ".join(found.words[word] for word in words) == found.best == result.best.text
        assert sorted(set(found.words)) == sorted(found.words)
