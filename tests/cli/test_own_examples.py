"""The examples of classes of one's own keep their contracts and work from the command line."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.features import own
from demotic.model import Model
from tests.learn.untuned import untuned, write_dev
from tests.search.small_models import pairs

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ["own_metric", "own_learner", "own_update_rule"]
TUNE = "tune bad --src dev.de --ref dev.en --rounds 2 --nbest 20 --json --quiet".split()


@pytest.fixture
def texts(home: Path) -> Path:
    write_dev(home)
    for side, name in enumerate(("train.de", "train.en")):
        lines = "".join(f"{pair[side]}\n" for pair in pairs())
        (home / name).write_text(lines, encoding="utf-8")
    untuned(Model.load("phrase"), home / "bad")
    return home


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_its_contract(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert "keeps the contract of" in capsys.readouterr().out


def test_a_metric_in_tune_and_evaluate(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    metric = f"{EXAMPLES / 'own_metric.py'}:WordF"
    flags = ["--metric", metric, "--metric-option", "beta=2", "--method", "mert"]
    assert run([*TUNE, *flags, "-o", "tuned"]) == 0, capfd.readouterr().err
    found = json.loads(capfd.readouterr().out)
    assert found["metric"] == "word F"
    assert found["score"] >= found["score_before"]
    assert Model.load("tuned").info.origin["tuning_metric"] == "word F"
    assert run(["evaluate", "dev.en", "--ref", "dev.en", "--metric", metric, "--json"]) == 0
    (scored,) = json.loads(capfd.readouterr().out)["metrics"].values()
    assert scored["systems"][0]["score"] == 100
    assert scored["signature"].startswith("nrefs:1|metric:own_metric.WordF|")


def test_a_learner_in_tune(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    learner = f"{EXAMPLES / 'own_learner.py'}:Perceptron"
    flags = ["--method", learner, "--option", "passes=3", "--metric", "ter"]
    assert run([*TUNE, *flags, "-o", "tuned"]) == 0, capfd.readouterr().err
    found = json.loads(capfd.readouterr().out)
    assert found["score"] < found["score_before"]  # TER
    assert Model.load("tuned").info.origin["tuned_by"] == learner
    assert run(["tune", "--method", learner, "--help-options"]) == 0
    listed = capfd.readouterr().out
    assert f"{learner}: Averaged perceptron" in listed
    assert "passes=20" in listed


def test_an_update_rule_in_train(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = (
        "train phrase --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en --epochs 1 "
        "--held-out none --start zero --keep last --features z14 --json --quiet --threads 2"
    ).split()
    rule = f"{EXAMPLES / 'own_update_rule.py'}:FirstViolation"
    assert run([*flags, "--update-rule", rule, "-o", "own"]) == 0, capfd.readouterr().err
    own = json.loads(capfd.readouterr().out)
    assert own["method"] == rule
    assert own["epochs"][0]["updates"] > 0
    assert own["epochs"][0]["invalid"] == 0  # it chooses violations alone
    far = [*flags, "--update-rule", rule, "--option", "margin=1e9", "-o", "far"]
    assert run(far) == 0
    assert json.loads(capfd.readouterr().out)["epochs"][0]["updates"] == 0


def test_a_feature_in_tune(
    texts: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    example = EXAMPLES / "own_feature.py"
    shown = subprocess.run(
        [sys.executable, example], check=True, capture_output=True, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert shown.stdout == "monotone, 我 monotone\ncrosses, 我 crosses\n"
    monkeypatch.setattr(own, "_costs", {})  # verbs print the calls of the whole process
    line = f"family python function={example}:word_order\n"
    Path("own.templates").write_text(line, encoding="utf-8")
    flags = ["--features", "own.templates", "--method", "mira", "-o", "tuned"]
    assert run([*TUNE, *flags]) == 0, capfd.readouterr().err
    assert Model.load("tuned").sparse is not None
