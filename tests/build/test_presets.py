"""Presets of `demotic build`: which options they stand for, for both kinds of models."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.align.options import DEFAULT_ALIGNERS
from demotic.cli.main import run
from demotic.features.dense import Kind
from demotic.model import Model
from demotic.model.presets import DEFAULT_PRESET, PRESETS
from demotic.search.options import SearchOptions


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=200, dev=2, test=2), folder)
    sides = folder / "tok" / "train.zh", folder / "tok" / "train.en"
    return ["--src", str(sides[0]), "--tgt", str(sides[1]), "--quiet"]


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("name", list(PRESETS))
def test_presets(text: list[str], tmp_path: Path, name: str, kind: Kind) -> None:
    folder = str(tmp_path / "m")
    assert run(["build", *text, "--kind", kind, "--preset", name, "-o", folder]) == 0
    model, preset = Model.load(folder), PRESETS[name]
    options, weights = model.info.options, set(model.weights)
    strong = name != "fast"
    assert ("align_2_model" in options) == strong
    assert options["rules_low_counts"] == strong
    fewer_rules = kind == "hiero" and name != "best"
    assert options["rules_min_gapped_count"] == (0.04 if fewer_rules else 0)
    assert options.get("class_lms", "") == " ".join(preset.class_lms)
    assert ("class_language_model" in weights) == strong
    in_order = strong and kind == "phrase"
    assert ("operation_sequence" in weights) == in_order
    assert ("reordering_hierarchical_backward_monotone" in weights) == in_order
    assert dict(model.settings) == dict(preset.search(kind))
    beam = 60 if in_order and name == "balanced" else 200
    assert SearchOptions.for_model(model).beam_size == beam
    assert len(model.translate(["我 喜欢 书 。"])) == 1


def test_the_default(text: list[str], tmp_path: Path) -> None:
    assert PRESETS[DEFAULT_PRESET].aligners == DEFAULT_ALIGNERS
    assert run(["build", *text, "-o", str(tmp_path / "m")]) == 0
    assert run(["build", *text, "--preset", DEFAULT_PRESET, "-o", str(tmp_path / "n")]) == 0
    one, other = (Model.load(tmp_path / name) for name in "mn")
    assert one.info.options == other.info.options


def test_flags_override_a_preset(text: list[str], tmp_path: Path) -> None:
    flags = "--preset best --no-low-counts --class-lm none --operations 0 --orientation word"
    assert run(["build", *text, *flags.split(), "-o", str(tmp_path / "m")]) == 0
    model = Model.load(tmp_path / "m")
    assert run(["build", *text, "--preset", "fast", "-o", str(tmp_path / "n")]) == 0
    assert set(model.weights) == set(Model.load(tmp_path / "n").weights)


def test_operations_of_hiero_are_refused_if_given(
    text: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flags = ["--kind", "hiero", "--operations", "5", "-o", str(tmp_path / "m")]
    assert run(["build", *text, *flags]) == 2
    assert "an operation sequence model for a hiero model" in capfd.readouterr().err


def test_all_rules_if_asked_for(text: list[str], tmp_path: Path) -> None:
    flags = ["--kind", "hiero", "--preset", "fast"]
    assert run(["build", *text, *flags, "-o", str(tmp_path / "some")]) == 0
    assert (
        run(["build", *text, *flags, "--min-gapped-count", "0", "-o", str(tmp_path / "all")]) == 0
    )
    some, every = (len(Model.load(tmp_path / name).rules) for name in ("some", "all"))
    assert 0 < some < every


def test_presets_build_from_very_little_text(tmp_path: Path) -> None:
    (tmp_path / "t.de").write_text("das haus\nhaus\n", "utf-8")
    (tmp_path / "t.en").write_text("the house\nhouse\n", "utf-8")
    flags = ["--src", str(tmp_path / "t.de"), "--tgt", str(tmp_path / "t.en"), "--quiet"]
    for kind in ("phrase", "hiero"):
        assert run(["build", *flags, "--kind", kind, "-o", str(tmp_path / kind)]) == 0
        assert Model.load(tmp_path / kind).translate(["das haus"]) == ["the house"]
