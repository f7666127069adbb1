"""Several language models: `build --lm-text` once per model."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.errors import Error
from demotic.lm import LanguageModel, estimate_lm
from demotic.lm.estimate import LmOptions
from demotic.model.build import BuildOptions, build
from tests.search.small_models import token_model


def test_one_language_model_per_text(tmp_path: Path) -> None:
    one = token_model(tmp_path)
    (tmp_path / "other.en").write_text("a small house .\nthe house is small .\n" * 3)
    given = BuildOptions(
        source=tmp_path / "t.de",
        target=tmp_path / "t.en",
        lm_text=[tmp_path / "t.en", tmp_path / "other.en"],
        lm=LmOptions(order=2),
    )
    made = build(given, tmp_path / "two").model
    assert len(made.language_models) == 2
    assert "language_model_2" in made.weights
    assert len(made.weights) == len(one.weights) + 1
    line = "the house is small ."
    for model, text in zip(made.language_models, given.lm_text, strict=True):
        expected = estimate_lm([text], given.lm)
        opened = LanguageModel.load(model)
        assert opened.score(line) == pytest.approx(expected.score(line), abs=1e-5)
    best = made.decoder().translate(["das haus ist klein ."])
    place = list(made.weights).index("language_model_2")
    assert best.features[0][place] < 0
    again = build(given, tmp_path / "two")
    assert "language_model" in again.skipped


def test_too_many_texts_are_refused(tmp_path: Path) -> None:
    given = BuildOptions(source="t.de", target="t.en", lm_text=["t.en"] * 5)
    with pytest.raises(Error, match="5 language models; expected at most 4"):
        build(given, tmp_path / "no")
