"""The word penalty that gives translations of the dev set a wanted length."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from demotic.features.weights import Weights
from demotic.learn import DevSet
from demotic.metrics import References
from demotic.train.dev_score import DevScorer

WORDS = 200


class Writer:
    """Yields `most` words, and fewer the higher the weight of the word penalty is."""

    def __init__(self, weights: Weights, most: float) -> None:
        self.weights = weights
        self.words = max(0, min(2 * WORDS, round(most - 40 * weights["word_penalty"])))

    def translate(self, lines: list[str], threads: int, progress: object = None) -> Any:
        return SimpleNamespace(text=[" ".join(["word"] * self.words)] * len(lines))


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


def test_an_unreachable_length_gives_the_nearest() -> None:
    dev = DevSet(["x"], References.from_streams([[" ".join(["word"] * WORDS)]]))
    scorer = DevScorer(dev, "closest")

    def make(weights: Weights) -> Any:
        return Writer(weights, 200.0)

    start = scorer(make(Weights.of({"word_penalty": 0.0})), 1)
    found = scorer.with_length(make, start, 3.0, 1)
    assert found.length_ratio == 2.0
