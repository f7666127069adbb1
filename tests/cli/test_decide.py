"""`demotic decide`, and translations by other decisions than the best derivation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model
from demotic.search.decision import DecisionOptions, decide
from tests.learn.untuned import write_dev


@pytest.fixture
def dev(home: Path) -> Path:
    write_dev(home)
    return home


@pytest.mark.parametrize("name", ["phrase", "hiero"])
@pytest.mark.parametrize("rule", ["mbr", "consensus"])
def test_a_decision_is_a_derivation_of_the_forest(home: Path, name: str, rule: str) -> None:
    model = Model.load(name)
    lines = ["das haus ist groß .", "", "heute kenne ich das kind .", "xyz"]
    for result in model.search(lines):
        sharp = DecisionOptions(decision=rule, decision_scale=1000.0)  # type: ignore[arg-type]
        assert decide(result, sharp).score <= result.best.score + 1e-9
        flat = DecisionOptions(decision=rule, decision_scale=0.2)  # type: ignore[arg-type]
        chosen = decide(result, flat)
        scored = float(chosen.features @ result.decoder.weights.array)
        assert chosen.score == pytest.approx(scored, abs=1e-9)
        known = {one.text: one.score for one in result.kbest(5000, distinct=True)}
        assert chosen.score <= known[chosen.text] + 1e-9


def test_decide(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    verb = "decide phrase --src dev.de --ref dev.en -o decided --threads 1 --json".split()
    assert run(verb) == 0, capfd.readouterr().err
    shown = json.loads(capfd.readouterr().out)
    assert set(shown["bleu"]) == {"map", "mbr", "consensus"}
    best = max(shown["bleu"], key=shown["bleu"].get)
    assert shown["bleu"][shown["settings"]["decision"]] == shown["bleu"][best]
    model = Model.load("decided")
    assert model.info.history[-1].startswith(f"decide by {shown['settings']['decision']}: BLEU ")
    chosen = DecisionOptions.for_model(model)
    assert chosen.decision == shown["settings"]["decision"]
    assert run(verb) == 2
    assert "a model exists already" in capfd.readouterr().err
    assert run([*verb, "--force", "--rule", "mbr"]) == 0


def test_the_model_keeps_its_decision(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Model.load("phrase").derive("mbr", search={"decision": "mbr", "decision_scale": 0.2})
    source = (dev / "dev.de").read_text("utf-8").splitlines()
    assert run("translate mbr dev.de --quiet --threads 1 -o kept".split()) == 0
    flags = "--decision mbr --decision-scale 0.2 --threads 2 --quiet -o given"
    assert run(f"translate phrase dev.de {flags}".split()) == 0
    kept = (dev / "kept").read_text("utf-8")
    assert kept == (dev / "given").read_text("utf-8")
    assert kept.splitlines() == Model.load("mbr").translate(source)
    assert run("translate mbr dev.de --decision map --quiet -o best".split()) == 0
    assert (dev / "best").read_text("utf-8").splitlines() == Model.load("phrase").translate(source)


def test_lists_are_ranked_by_score(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("translate phrase t.de --nbest 3 --decision mbr".split()) == 2
    assert "n-best lists are ranked by score" in capfd.readouterr().err
