"""The weights of a training run against a slow perceptron in plain Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic import _core
from demotic.features.weights import FeatureIndex, Weights
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.train import TrainOptions, find_parts
from demotic.train.features import FeatureSet, training_features
from demotic.train.parts import Part
from demotic.train.training import Training, TrainResult
from tests.learn.untuned import dev_set
from tests.oracle.perceptron import Perceptron
from tests.train.test_training import bitext, models
from tests.train.violations import trainer_of

assert models  # a fixture

OPTIONS = TrainOptions(
    epochs=2,
    patience=0,
    batch=7,  # does not divide the number of pairs
    held_out="none",
    rate=0.3,
    dense_rate=0.2,
    balance=False,
    keep="last",
)
CASES = {
    "average of the batch, averaged": {},
    "sum of the batch, averaged": {"combine": "sum"},
    "average of the batch, last weights": {"average": False},
    "scaled by rms": {"dense_scale": "rms"},
}


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("changed", CASES.values(), ids=CASES.keys())
def test_weights_are_those_of_a_slow_perceptron(
    models: dict[str, Model], tmp_path: Path, kind: str, changed: dict[str, Any]
) -> None:
    run = Run(models[kind], replace(OPTIONS, **changed), tmp_path)
    slow = run.slowly()
    result = run.natively()
    dense, sparse = slow.averaged if run.options.average else (slow.dense, slow.sparse)
    found = result.weights.ordered(run.training.index).array
    assert found == pytest.approx(dense, rel=1e-9, abs=1e-9)
    assert result.sparse is not None
    keys, weights = _core.StoredSparseWeights.open(str(result.sparse), True).arrays()
    stored = dict(zip(keys.tolist(), weights.tolist(), strict=True))
    assert len(stored) > 100
    for key, weight in sparse.items():
        assert stored.get(key, 0.0) == pytest.approx(float(weight), abs=1e-5)
    assert np.abs(found - run.start).max() > 0.1


def test_adding_up_a_batch_is_averaging_with_larger_steps(
    models: dict[str, Model], tmp_path: Path
) -> None:
    """One batch: its sum is its average times its size."""
    whole = replace(OPTIONS, epochs=1, batch=10_000)
    changes = []
    for combine in ("sum", "average"):
        run = Run(models["phrase"], replace(whole, combine=combine), tmp_path / combine)  # type: ignore[arg-type]
        result = run.natively()
        changes.append(result.weights.ordered(run.training.index).array - run.start)
    pairs = len(bitext(models["phrase"]))
    assert changes[0] == pytest.approx(changes[1] * pairs, rel=1e-6)


class Run:
    """One training run, natively and slowly."""

    def __init__(self, model: Model, options: TrainOptions, folder: Path) -> None:
        self.model, self.options, self.folder = model, options, folder
        self.search = SearchOptions.for_model(model, {"beam_size": 5, "pop_limit": 20})
        text = bitext(model)
        parts = find_parts(model, text, options, self.search, folder / "parts")
        self.part: Part = parts[0]
        features = training_features(model, "z14", text, folder / "features")
        assert features is not None
        self.features: FeatureSet = features
        self.training = Training(model, parts, dev_set(model), options, features, self.search)
        self.start = np.append(model.weights.array, 1.0)  # the sum of the sparse ones counts once

    def natively(self) -> TrainResult:
        home = self.folder / "training"
        home.mkdir()
        return self.training.run(home)

    def slowly(self) -> Perceptron:
        first = Perceptron(self.start, np.zeros_like(self.start), 0.0, sum_batches=False)
        slow = Perceptron(
            self.start, self._rates(first), self.options.rate, self.options.combine == "sum"
        )
        for epoch in range(1, self.options.epochs + 1):
            for _, order in self.training._chunks(epoch):
                slow.learn(order.tolist(), self.options.batch, lambda i: self._seen(slow, i))
        return slow

    def _rates(self, start: Perceptron) -> np.ndarray:
        """Without scaling the same for all dense features but the sum of the sparse ones."""
        rates = np.full(len(self.start), self.options.dense_rate)
        if self.options.dense_scale == "rms":
            seen = [self._seen(start, i) for i in range(len(self.part.pairs))]
            rows = np.array([one["dense"] for one in seen if one["updates"]])
            rms = np.sqrt((rows**2).mean(axis=0))
            # Steps of features that were divided by their rms, seen from the original ones.
            rates = np.array(
                [rate / r**2 if r else 0.0 for rate, r in zip(rates, rms, strict=True)]
            )
        rates[-1] = 0.0
        return rates

    def _seen(self, slow: Perceptron, sentence: int) -> dict[str, Any]:
        """The update of a sentence under the current weights."""
        table = _core.SparseTable(self.features.native.layout)
        keys = np.array(sorted(slow.sparse), np.uint64)
        table.add(keys, np.array([slow.sparse[int(key)] for key in keys], np.float32), 0)
        native: Any = self.part.native(self.features, table)
        weights = Weights(FeatureIndex(list(self.training.index)), slow.dense)
        trainer = trainer_of(self.model.kind, native, self.search, self.options, weights, table)
        source = self.part.pairs.sentences(native)
        seen: dict[str, Any] = trainer.inspect(source, self.part.pairs.gold, sentence)
        return seen
