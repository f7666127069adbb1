"""A model with structural distortion: built, opened, derived, listed, explained and exported."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.errors import Error, ModelError
from demotic.explain import explain
from demotic.formats.exporting import export_model
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.rules import RuleOptions
from demotic.search import Step
from demotic.search.decoder import COPIED, GLUE

NAME = "structural_distortion"


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=400, dev=30, test=2), folder)
    return folder / "tok"


@pytest.fixture(scope="module")
def model(text: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    options = BuildOptions(
        source=text / "train.zh",
        target=text / "train.en",
        kind="hiero",
        rules=RuleOptions(features="c08-distortion-coarse", tight=True),
    )
    return build(options, tmp_path_factory.mktemp("models") / "distortion").model


def expected(model: Model, steps: list[Step]) -> float:
    """The feature of a derivation, from its steps and the counts of the model."""
    rest = iter(steps)
    counts = model.distortion
    assert counts is not None
    table = [[0, *counts.in_order], [0, *counts.reordered]]
    total = 0.0

    def read() -> Step:
        nonlocal total
        step = next(rest)
        if step.rule == COPIED:
            return step
        if step.rule == GLUE:
            first = read()
            if first.end < step.end:
                read()
            return step
        for was_reordered in model.rules.store.reordered_gaps(step.rule):
            tail = read()
            size = min(tail.end - tail.begin, 10)
            while table[0][size] + table[1][size] == 0:
                size -= 1
            seen = table[0][size] + table[1][size]
            total += math.log((table[was_reordered][size] + 0.5) / (seen + 1))
        return step

    read()
    assert next(rest, None) is None
    return total


def test_the_feature_of_derivations(model: Model, text: Path) -> None:
    assert model.weights[NAME] == 0.1
    assert model.info.features == (NAME,)
    column = list(model.weights).index(NAME)
    source = (text / "dev.zh").read_text().splitlines()
    found = model.decoder().translate(source)
    for i in range(len(source)):
        wanted = expected(model, list(found[i].steps))
        assert found.features[i, column] == pytest.approx(wanted, rel=1e-12)
    assert len(set(np.round(found.features[:, column], 6))) > 5
    (result,) = model.search(source[:1], record="bins")
    for one in result.kbest(20):
        assert one.features[column] == pytest.approx(expected(model, list(one.steps)), rel=1e-12)


def test_its_weight_changes_translations(model: Model, text: Path) -> None:
    """A negative weight prefers what is unlikely: reordered gaps."""
    source = (text / "dev.zh").read_text().splitlines()
    column = list(model.weights).index(NAME)
    values = [
        model.decoder(weights=model.weights.replace({NAME: weight}))
        .translate(source)
        .features[:, column]
        .sum()
        for weight in (-1.0, 0.0, 1.0)
    ]
    assert values == sorted(values)
    assert values[0] < values[2]


def test_default_models_do_not_have_it(text: Path, tmp_path: Path) -> None:
    options = BuildOptions(source=text / "train.zh", target=text / "train.en", kind="hiero")
    plain = build(options, tmp_path / "m").model
    assert NAME not in plain.weights
    assert plain.distortion is None
    assert "\nfeatures" not in (tmp_path / "m" / "model.toml").read_text()


def test_derived_models_keep_it(model: Model, tmp_path: Path) -> None:
    derived = model.derive(tmp_path / "d", weights=model.weights.replace({NAME: 0.3}))
    assert derived.weights[NAME] == 0.3
    assert derived.distortion is not None
    assert model.distortion is not None
    assert derived.distortion.reordered == model.distortion.reordered


def test_it_is_shown(model: Model, text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["weights", str(model.path)]) == 0
    assert NAME in capsys.readouterr().out
    command = ["translate", str(model.path), str(text / "dev.zh"), "--nbest", "3", "--quiet"]
    assert run(command) == 0
    lists = capsys.readouterr().out.splitlines()
    assert all(f" {NAME}= " in line for line in lists)
    reordered = next(line for line in lists if f" {NAME}= -" in line)
    source = (text / "dev.zh").read_text().splitlines()[int(reordered.split()[0])]
    assert "order of gaps" in explain(model, source).html()


def test_other_toolkits_do_not_have_it(model: Model, tmp_path: Path) -> None:
    with pytest.raises(Error, match=rf"the weight 0\.1 of {NAME}"):
        export_model(model, "cdec", tmp_path / "cdec")
    without = model.derive(tmp_path / "d", weights=model.weights.replace({NAME: 0.0}))
    export_model(without, "cdec", tmp_path / "cdec")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f'features = ["{NAME}"]', 'features = ["glue"]', "'glue' among the features"),
        (f'features = ["{NAME}"]', 'features = ["later"]', "'later' among the features"),
        (f'features = ["{NAME}"]', "", f"a weight for {NAME}, not in the model"),
        ('distortion = "distortion.toml"', "", f"the feature {NAME} without counts"),
        ('kind = "hiero"', 'kind = "phrase"', f"'{NAME}' among the features"),
    ],
)
def test_wrong_model_files_are_refused(
    model: Model, old: str, new: str, message: str, tmp_path: Path
) -> None:
    shutil.copytree(model.path, tmp_path / "m", ignore=shutil.ignore_patterns("work"))
    file = tmp_path / "m" / "model.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(ModelError, match=message):
        Model.load(tmp_path / "m")


def test_phrase_models_cannot_have_it(text: Path, tmp_path: Path) -> None:
    options = BuildOptions(
        source=text / "train.zh",
        target=text / "train.en",
        rules=RuleOptions(features="c08-distortion-coarse"),
    )
    with pytest.raises(Error, match="the features c08-distortion-coarse for a phrase model"):
        build(options, tmp_path / "m")
    assert not (tmp_path / "m").exists()  # refused before any work


def test_tuning_changes_its_weight(model: Model, text: Path, tmp_path: Path) -> None:
    common = ["--src", str(text / "dev.zh"), "--ref", str(text / "dev.en.0"), "--min-bleu", "0"]
    common += ["--beam", "10", "--pop-limit", "20", "--threads", "1", "--quiet"]
    tuned = ["tune", str(model.path), *common, "--rounds", "2", "-o", str(tmp_path / "tuned")]
    assert run(tuned) == 0
    assert Model.load(tmp_path / "tuned").weights[NAME] != model.weights[NAME]
