"""Several language models: `build --lm-text` once per model, mixed into one or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.cli.main import run
from demotic.errors import Error
from demotic.lm import LanguageModel, estimate_lm, mix_lms, tune_weights
from demotic.lm.estimate import LmOptions
from demotic.model import Model
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


def mixed_options(folder: Path, **changed: Any) -> BuildOptions:
    (folder / "other.en").write_text("a small house .\nthe house is small .\n" * 3)
    (folder / "more.en").write_text("i see the old girl\nthe girl is here .\n" * 2)
    (folder / "dev.en").write_text("the old house is small .\nthe girl is small .\n")
    given = BuildOptions(
        source=folder / "t.de",
        target=folder / "t.en",
        lm_text=[folder / "t.en", folder / "other.en", folder / "more.en"],
        lm_mix=folder / "dev.en",
        lm=LmOptions(order=3),
    )
    return replace(given, **changed)


def test_a_mixture_of_all_texts(tmp_path: Path) -> None:
    one = token_model(tmp_path)
    given = mixed_options(tmp_path)
    made = build(given, tmp_path / "mixed").model
    assert list(made.weights) == list(one.weights)
    parts = [estimate_lm(path, given.lm) for path in given.lm_text]
    weights = tune_weights(parts, tmp_path / "dev.en")
    expected, opened = mix_lms(parts, weights), LanguageModel.load(made.language_models[0])
    for line in ("the old house is small .", "i see a girl"):
        assert opened.score(line) == pytest.approx(expected.score(line), abs=1e-4)
    named = zip(weights, ("t.en", "other.en", "more.en"), strict=True)
    shares = ", ".join(f"{weight:.3f} {name}" for weight, name in named)
    assert made.info.history[0].endswith(f"sentence pairs, language models mixed: {shares}")
    best = made.decoder().translate(["das haus ist klein ."])
    place = list(made.weights).index("language_model")
    assert best.features[0][place] == pytest.approx(opened.score(best[0].words), abs=1e-4)


def test_only_what_changed_is_repeated(tmp_path: Path) -> None:
    token_model(tmp_path)
    given = mixed_options(tmp_path)
    first = build(given, tmp_path / "mixed").model
    done = ("corpus", "links", "language_model", "language_model_mixture", "rules", "model")
    assert build(given, tmp_path / "mixed").skipped == done
    (tmp_path / "dev.en").write_text("i see the old girl\n")
    again = build(given, tmp_path / "mixed")
    assert again.skipped == ("corpus", "links", "language_model", "rules")
    assert again.model.info.history != first.info.history
    smaller = build(replace(given, lm=LmOptions(order=3, quantize="8")), tmp_path / "mixed")
    assert smaller.skipped == ("corpus", "links", "language_model", "rules")
    assert smaller.model.native_language_models[0].quantized
    apart = build(replace(given, lm_mix=None), tmp_path / "mixed").model
    assert len(apart.language_models) == 3
    assert "mixed" not in apart.info.history[0]


def test_a_mixture_needs_two_models_and_text(tmp_path: Path) -> None:
    token_model(tmp_path)
    given = mixed_options(tmp_path)
    with pytest.raises(Error, match="a mixture of 1 language model; expected at least 2"):
        build(replace(given, lm_text=given.lm_text[:1]), tmp_path / "no")
    assert not (tmp_path / "no").exists()
    (tmp_path / "dev.en").write_text("")
    with pytest.raises(Error, match="the held-out text is empty"):
        build(given, tmp_path / "no")


def test_a_mixture_by_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token_model(tmp_path)
    mixed_options(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(["lm", "other.en", "-o", "other.arpa", "--order", "2", "--quiet"]) == 0
    given = ["--lm-text", "t.en", "--lm-text", "more.en", "--lm", "other.arpa"]
    text = ["--src", "t.de", "--tgt", "t.en", "--kind", "phrase", "-o", "m", "--quiet"]
    assert run(["build", *text, *given, "--lm-mix", "dev.en"]) == 0
    model = Model.load("m")
    assert len(model.language_models) == 1
    assert " other.arpa" in model.info.history[0]
    assert model.info.origin["lm_text"]  # training cannot estimate it without a fold
