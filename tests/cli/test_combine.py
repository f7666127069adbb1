"""`demotic combine`: two models that decide together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.features.weights import Weights
from demotic.learn.dev_set import DevSet
from demotic.metrics import Bleu, BleuOptions
from demotic.model import Model
from tests.learn.untuned import write_dev


@pytest.fixture
def dev(home: Path) -> Path:
    write_dev(home)
    return home


VERB = "combine phrase hiero --src dev.de --ref dev.en -o both --threads 1 --json".split()


def test_combine(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(VERB) == 0, capfd.readouterr().err
    shown = json.loads(capfd.readouterr().out)
    model = Model.load("both")
    assert model.kind == "phrase"
    assert model.partner is not None
    assert model.partner.kind == "hiero"
    assert model.info.history[-1].startswith("combine with a hiero model: BLEU ")
    assert shown["settings"].items() <= dict(model.settings).items()
    text = DevSet.read("dev.de", ["dev.en"], model.raw_text)
    metric = Bleu(text.references, BleuOptions(tokenize="none"))
    (dev / "dev.tok").write_text("".join(f"{line}\n" for line in text.source), "utf-8")
    rows = {"both": "combined", "phrase": "model", "hiero": "partner"}
    for name, row in rows.items():
        assert run(f"translate {name} dev.tok --tokenized --quiet -o {name}.out".split()) == 0
        found = (dev / f"{name}.out").read_text("utf-8").splitlines()
        score = metric.corpus_score(metric.statistics(found).sum(axis=0))
        assert score == pytest.approx(shown["bleu"][row])
    assert run(VERB) == 2
    assert "a model exists already" in capfd.readouterr().err
    assert run([*VERB, "--force"]) == 0


def test_translate_with_both(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(VERB) == 0, capfd.readouterr().err
    capfd.readouterr()
    for threads in (1, 2):
        flags = f"--threads {threads} --quiet -o out-{threads}"
        assert run(f"translate both dev.de {flags}".split()) == 0
    assert (dev / "out-1").read_text("utf-8") == (dev / "out-2").read_text("utf-8")
    assert run("translate both dev.de --json --quiet --threads 1".split()) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [line["text"] for line in lines] == (dev / "out-1").read_text("utf-8").splitlines()
    assert run("translate both dev.de --decision map --quiet -o map".split()) == 0
    source = (dev / "dev.de").read_text("utf-8").splitlines()
    assert (dev / "map").read_text("utf-8").splitlines() == Model.load("phrase").translate(source)
    assert run("translate phrase dev.de --decision combined".split()) == 2
    assert "a model of demotic combine" in capfd.readouterr().err


def test_the_partner_belongs_to_the_weights(dev: Path) -> None:
    assert run([*VERB, "--quiet"]) == 0
    model = Model.load("both")
    copied = model.derive("copied")
    assert copied.partner is not None
    source = (dev / "dev.de").read_text("utf-8").splitlines()
    assert copied.translate(source) == model.translate(source)
    changed = model.derive("changed", weights=Weights.of(dict.fromkeys(model.weights, 0.5)))
    assert changed.partner is None
    assert "decision" not in changed.settings
    assert not (dev / "changed" / "partner").exists()
