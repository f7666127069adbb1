"""Violations of every kind of model: bins against brute force, updates against their features."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.features.dense import Kind
from demotic.search import SearchOptions
from demotic.train import TrainOptions, find_parts
from tests.learn.untuned import untuned
from tests.search.kinds import enumerable
from tests.search.small_models import prepared_model
from tests.search.tiny_parts import sentences
from tests.train.test_training import bitext
from tests.train.violations import TRAINED, check_bins, check_update, seen_by, trainer_of


def compare(kind: str, seed: int, folder: Path, train: TrainOptions) -> int:
    """Sentences of a tiny model with references that it can derive; how many there were."""
    rng, trained = random.Random(seed), TRAINED[kind]
    model, options = trained.tiny(rng, folder), trained.options(rng)
    compared = 0
    longest = 4 if kind == "phrase" else 5
    for words, result in enumerable(model, options, sentences(rng, longest, 4)):
        brute = model.brute_force(words, options)
        derivations, fell_back = brute.derivations()
        if fell_back or not words:
            continue
        reference = brute.target(rng.choice(derivations))
        expected = trained.expected(model, options, words, reference, train)
        seen = seen_by(model, options, (words, reference), train, folder / "gold.bin")
        assert seen["correct"] == (result.kbest(1)[0].words == reference)
        check_bins(model, seen, expected)
        compared += 1
    return compared


@pytest.mark.parametrize("kind", TRAINED)
def test_bins_are_those_of_brute_force(kind: str, tmp_path: Path) -> None:
    assert sum(compare(kind, seed, tmp_path, TrainOptions()) for seed in range(60)) > 100


@pytest.mark.parametrize(
    "train",
    [TrainOptions(compare_by="score"), TrainOptions(dead_ends="bad")],
    ids=["by score alone", "dead ends are bad"],
)
def test_bins_of_phrases_under_other_options(train: TrainOptions, tmp_path: Path) -> None:
    """A dead end agrees with the reference so far but cannot be completed to it."""
    assert sum(compare("phrase", seed, tmp_path, train) for seed in range(40)) > 60


@pytest.mark.parametrize("kind", TRAINED)
@pytest.mark.parametrize("beam", [1, 3, 200])
def test_violations_are_differences_of_features(kind: Kind, beam: int, tmp_path: Path) -> None:
    model = untuned(prepared_model(tmp_path, kind), tmp_path / "untuned")
    options = TrainOptions(held_out="none")
    search = SearchOptions(beam_size=beam, pop_limit=beam)
    (part,) = find_parts(model, bitext(model), options, search, tmp_path / "parts")
    native: Any = part.native(None, None)
    trainer = trainer_of(kind, native, search, options, model.weights)
    source = part.pairs.sentences(native)
    updates = 0
    for sentence in range(len(part.pairs)):
        seen: dict[str, Any] = trainer.inspect(source, part.pairs.gold, sentence)
        differences = [bad - gold for gold, bad, _ in seen["bins"]]
        finite = [value for value in differences if np.isfinite(value)]
        if seen["correct"] or not finite:
            assert seen["bin"] == -1
            continue
        assert seen["violation"] == differences[seen["bin"]] == max(finite)
        check_update(model.weights.array, seen)
        updates += seen["updates"]
    assert updates > len(part.pairs) / 2
