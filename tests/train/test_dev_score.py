"""Length control: the word penalty that gives translations of the dev set a wanted length."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.features.weights import Weights
from demotic.learn import DevSet
from demotic.metrics import References
from demotic.model import Model
from demotic.train import TrainOptions
from demotic.train.dev_score import DevScorer
from tests.train.test_training import OPTIONS, models, sparse_weights, trained

assert models  # a fixture

WORDS = 200


class Writer:
    """Yields `most` words, and fewer the higher the weight of the word penalty is."""

    def __init__(self, weights: Weights, most: float) -> None:
        self.weights = weights
        self.words = max(0, min(2 * WORDS, round(most - 40 * weights["word_penalty"])))

    def texts(self, lines: list[str], threads: int, progress: object = None) -> list[str]:
        return [" ".join(["word"] * self.words)] * len(lines)


@pytest.mark.parametrize("ratio", [0.5, 0.97, 1.0, 1.4])
@pytest.mark.parametrize("most", [100.0, 200.0, 300.0])
def test_the_length_is_found_from_both_sides(ratio: float, most: float) -> None:
    dev = DevSet(["x"], References.from_streams([[" ".join(["word"] * WORDS)]]))
    scorer = DevScorer(dev, "closest")
    start = Weights.of({"word_penalty": 0.5, "language_model": 1.0})
    tried: list[float] = []

    def make(weights: Weights) -> Any:
        tried.append(weights["word_penalty"])
        return Writer(weights, most)

    found = scorer.with_length(make, scorer(make(start), 1), ratio, 1)
    assert found.length_ratio == pytest.approx(ratio, abs=0.02)
    assert found.weights["language_model"] == 1.0
    assert len(tried) < 20
    assert tried.count(0.5) == 1  # the start is not decoded again


def test_one_large_weight_does_not_coarsen_the_search() -> None:
    """Scaled updates may give a rare feature such as glue a weight of thousands."""
    dev = DevSet(["x"], References.from_streams([[" ".join(["word"] * WORDS)]]))
    scorer = DevScorer(dev, "closest")

    def make(weights: Weights) -> Any:
        return Writer(weights, 200.0)

    start = scorer(make(Weights.of({"word_penalty": 0.5, "glue": -1700.0})), 1)
    found = scorer.with_length(make, start, 0.97, 1)
    assert found.length_ratio == pytest.approx(0.97, abs=0.01)


def test_an_unreachable_length_gives_the_nearest() -> None:
    dev = DevSet(["x"], References.from_streams([[" ".join(["word"] * WORDS)]]))
    scorer = DevScorer(dev, "closest")

    def make(weights: Weights) -> Any:
        return Writer(weights, 200.0)

    start = scorer(make(Weights.of({"word_penalty": 0.0})), 1)
    found = scorer.with_length(make, start, 3.0, 1)
    assert found.length_ratio == 2.0


def test_length_control_is_on_when_training_from_zero() -> None:
    assert TrainOptions().dev_length == 0
    assert 0.9 < TrainOptions(start="zero").dev_length <= 1
    assert TrainOptions(start="zero", length_ratio=0).dev_length == 0
    assert TrainOptions(length_ratio=0.8).dev_length == 0.8


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_training_goes_on_without_the_adjusted_penalty(
    models: dict[str, Model], kind: str, tmp_path: Path
) -> None:
    """It corrects for unknown words of the dev set, which the training text does not have."""
    zero = replace(OPTIONS, start="zero", epochs=3, keep="last")
    model = models[kind]
    free = trained(model, tmp_path / "free", replace(zero, length_ratio=0.0))
    held = trained(model, tmp_path / "held", replace(zero, length_ratio=0.8))
    states = [
        json.loads((tmp_path / name / "training" / "checkpoint.json").read_text("utf-8"))
        for name in ("free", "held")
    ]
    assert states[0]["weights"] == states[1]["weights"]
    assert sparse_weights(free.model) == sparse_weights(held.model)
    before, after = dict(free.model.weights), dict(held.model.weights)
    changed = {name for name in after if before[name] != after[name]}
    assert changed == {"word_penalty"}
    assert [one.length for one in free.result.epochs] == [None] * 3
    control, last = held.result.kept.length, free.result.kept
    assert control is not None
    assert (control.wanted, control.ratio_before) == (0.8, last.length_ratio)
    assert control.penalty_before == before["word_penalty"]
    assert control.penalty == after["word_penalty"]
    assert abs(held.result.kept.length_ratio - 0.8) < abs(last.length_ratio - 0.8)
    again = trained(model, tmp_path / "held", replace(zero, length_ratio=0.8))
    assert again.result == held.result  # the journal has it too
