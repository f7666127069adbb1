"""Calibrations of models: learning, storing, dropping, and `translate --confidence`."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import Model
from demotic.cli.main import run
from demotic.confidence import Calibration, ConfidenceEstimator, calibrate, with_confidence
from demotic.confidence.isotonic import area_under_roc
from demotic.confidence.learning import LabelledWords, calibration_of
from demotic.errors import Error, FormatError, ModelError
from demotic.metrics import References
from demotic.model.file import CONFIDENCE_NAME
from tests.search.small_models import pairs, prepared_model

# Every second reference is another sentence, so that some words are wrong.
SOURCE = [source for source, _ in pairs()]
TARGET = [target for _, target in pairs()]
REFERENCES = [TARGET[i] if i % 2 else TARGET[i - 3] for i in range(len(TARGET))]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_model(tmp_path_factory.mktemp("models")).path


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path / "model")
    (tmp_path / "dev.de").write_text("".join(f"{line}\n" for line in [*SOURCE, "Ein Xylofon"]))
    (tmp_path / "dev.en").write_text("".join(f"{line}\n" for line in [*REFERENCES, "A xylofon"]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learnt(model: Model) -> Calibration:
    source = [model.raw_text.prepared(line) for line in SOURCE]
    texts = [model.raw_text.prepared_reference(line) for line in REFERENCES]
    return calibrate(model, source, References.from_streams([texts]))


def test_a_model_is_calibrated(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["calibrate", "model", "--src", "dev.de", "--ref", "dev.en", "--quiet"]
    assert run([*command, "--json"]) == 0
    values = json.loads(capfd.readouterr().out)
    assert set(values) == {"words", "correct", "area_under_roc", "scale"}
    model = Model.load("model")
    found = Calibration.of(model)
    assert found.words == values["words"]
    assert 0 < found.copied < 1
    assert run(command) == 2
    assert "calibrated already" in capfd.readouterr().err
    assert run([*command, "--force"]) == 0
    assert Calibration.of(Model.load("model")) == found
    model.verify()


def test_threads_change_nothing(home: Path) -> None:
    model = Model.load("model")
    source = [model.raw_text.prepared(line) for line in SOURCE]
    references = References.from_streams(
        [[model.raw_text.prepared_reference(line) for line in REFERENCES]]
    )
    assert calibrate(model, source, references, threads=3) == learnt(model)


def test_translating(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "model", "dev.de", "--confidence", "--quiet"]) == 2
    assert "demotic calibrate model --src DEV --ref DEV" in capfd.readouterr().err
    model = learnt(Model.load("model")).attach(Model.load("model"))
    (home / "t.de").write_text("Das Haus ist groß.\n\nDas Xylofon ist alt.\n")
    assert run(["translate", "model", "t.de", "--confidence", "--quiet"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.partition("\t")[2] for line in lines] == [
        "The house is big.",
        "",
        "The xylofon is old.",
    ]
    shown = [pair.rpartition("/") for pair in lines[2].partition("\t")[0].split()]
    assert [word for word, _, _ in shown] == ["the", "xylofon", "is", "old", "."]
    assert run(["translate", "model", "t.de", "--confidence", "--quiet", "--json"]) == 0
    records = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [len(one["confidences"]) for one in records] == [5, 0, 5]
    assert records[2]["confidences"][1] == round(Calibration.of(model).copied, 4)
    for one, (_, _, value) in zip(records[2]["confidences"], shown, strict=True):
        assert float(value) == pytest.approx(one, abs=0.0051)
    (result,) = model.search([model.raw_text.prepared("Das Xylofon ist alt.")])
    words = ConfidenceEstimator.of(model).words(result)
    np.testing.assert_allclose(words, records[2]["confidences"], atol=1e-4)


def test_other_weights_have_no_calibration(home: Path) -> None:
    model = learnt(Model.load("model")).attach(Model.load("model"))
    assert Calibration.of(model.save(home / "same")) == Calibration.of(model)
    weights = model.weights.replace({"word_penalty": 0.25})
    other = model.derive(home / "other", weights=weights)
    assert other.info.parts.confidence is None
    assert not (other.path / CONFIDENCE_NAME).exists()
    weights.write(home / "model" / "weights.tsv")  # edited by hand
    with pytest.raises(ModelError, match="calibrated for other weights"):
        Calibration.of(Model.load("model"))


def test_broken_files(home: Path) -> None:
    model = learnt(Model.load("model")).attach(Model.load("model"))
    path = model.path / CONFIDENCE_NAME
    text = path.read_text()
    path.write_text(text.replace("scale = ", "scale = -"))
    with pytest.raises(FormatError, match=r"scale is .*expected a number above 0"):
        Calibration.of(model)
    path.write_text(text.replace("probabilities = [", "probabilities = [0.5, "))
    with pytest.raises(ModelError, match="expected as many probabilities as rising posteriors"):
        Calibration.of(model)


def test_too_few_words(home: Path) -> None:
    model = Model.load("model")
    references = References.from_streams([["the house"]])
    with pytest.raises(Error, match="3 words to calibrate on, 2 of them correct"):
        calibrate(model, ["das haus"], references)
    assert with_confidence(model, ["das haus"], references) is model


def test_words_are_ranked_and_calibrated(home: Path) -> None:
    """On words whose chance of being correct is their posterior at one of the scales."""
    rng = np.random.default_rng(1)
    posteriors = rng.random((7, 4000))
    copied = rng.random(4000) < 0.1
    correct = rng.random(4000) < np.where(copied, 0.2, posteriors[3] ** 2)
    made = calibration_of(Model.load("model"), LabelledWords(posteriors, copied, correct))
    assert made is not None
    assert made.scale == 0.5
    assert made.copied == pytest.approx(0.2, abs=0.05)
    grid = np.linspace(0.05, 0.95, 10)
    known = made.apply(grid, np.zeros(10, np.bool_))
    np.testing.assert_allclose(known, grid**2, atol=0.12)
    found = made.apply(posteriors[3], copied)
    assert area_under_roc(found, correct) == made.area_under_roc
    assert replace(made, copied=0.5).apply(grid, np.ones(10, np.bool_)).tolist() == [0.5] * 10


def test_tuning_learns_it(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tune = "tune model --src dev.de --ref dev.en --rounds 1 --quiet -o".split()
    assert run([*tune, "tuned"]) == 0
    assert Calibration.of(Model.load("tuned")).words > 100
    assert run([*tune, "tuned"]) == 0  # the same command resumes
    assert run([*tune, "plain", "--no-confidence"]) == 0
    assert Model.load("plain").info.parts.confidence is None
    capfd.readouterr()
