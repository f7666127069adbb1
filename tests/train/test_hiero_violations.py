"""Violations of Hiero: what an update changes is what the two derivations differ by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic import _core
from demotic.search import SearchOptions
from demotic.train import TrainOptions, find_parts
from tests.learn.spoilt import spoilt
from tests.search.small_models import prepared_model
from tests.train.test_training import bitext


@pytest.mark.parametrize("beam", [1, 3, 200])
def test_violations_are_differences_of_features(tmp_path: Path, beam: int) -> None:
    model = spoilt(prepared_model(tmp_path, "hiero"), tmp_path / "spoilt")
    options = TrainOptions(held_out="none")
    search = SearchOptions(beam_size=beam, pop_limit=beam)
    (part,) = find_parts(model, bitext(model), options, search, tmp_path / "parts")
    native = _core.TrainerOptions()
    native.violations = options.violations()
    native.rates = [1.0] * len(model.weights)
    weights = model.weights.array
    made: Any = part.native(None, None)
    trainer = _core.HieroTrainer(made, None, search.hiero(), native, weights)
    source = part.pairs.sentences(made)
    updates = 0
    for sentence in range(len(part.pairs)):
        seen: dict[str, Any] = trainer.inspect(source, part.pairs.gold, sentence)
        both = {i: bad - gold for i, (gold, bad, _) in enumerate(seen["bins"])}
        finite = {i: value for i, value in both.items() if np.isfinite(value)}
        if not finite:
            assert seen["bin"] == -1
            continue
        assert seen["violation"] == finite[seen["bin"]] == max(finite.values())
        if seen["updates"]:
            updates += 1
            change = float(weights @ np.array(seen["dense"]))
            assert -change == pytest.approx(seen["violation"], abs=1e-3)
    assert updates > len(part.pairs) / 2
