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
from demotic.search.output import LineWriter
from demotic.search.sentence_grammars import Sentence
from demotic.search.stream import LineTranslator
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


def test_every_output_of_a_translation_by_the_partner(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*VERB, "--quiet"]) == 0
    changes = {"decision": "combined", "partner_share": 1.0}
    Model.load("both").derive("other", search=changes)
    capfd.readouterr()
    assert run("translate other dev.de --json --quiet --threads 1".split()) == 0
    capfd.readouterr()
    # Here both lists have every winner, which is then the first model's; so take the partner's.
    partner = Model.load("other").partner
    assert partner is not None
    (found,) = LineTranslator(partner.decoder(), partner.raw_text).lines([Sentence("a b")])
    record = LineWriter(partner.raw_text).record(found, nbest=True)
    assert set(record["features"]) == set(partner.weights)
    (dev / "xml").write_text('<n translation="x||y" prob="0.3||0.7">a</n> b\n', "utf-8")
    assert run("translate other xml --xml-input inclusive --tokenized".split()) == 0
    for flags in ("--nbest 3", "--alignment", "--scores"):
        assert run(f"translate other dev.de --quiet {flags}".split()) == 0
    assert run("translate phrase --file dev.html --decision combined -o x".split()) == 2


def test_settings_of_a_decision_end_with_the_weights(dev: Path) -> None:
    decided = {"decision": "mbr", "decision_scale": 0.3}
    model = Model.load("phrase").derive("decided", search=decided)
    assert decided.items() <= dict(model.derive("copied").settings).items()
    changed = model.derive("changed", weights=Weights.of(dict.fromkeys(model.weights, 0.5)))
    assert not decided.keys() & dict(changed.settings).keys()


def test_a_directory_of_a_combined_model_is_used_again(dev: Path) -> None:
    assert run([*VERB, "--quiet"]) == 0
    (dev / "both" / "model.toml").unlink()  # as make does before it writes another
    assert Model.load("phrase").derive("both").partner is None
    (dev / "both" / "model.toml").unlink()
    assert run("combine phrase hiero --src dev.de --ref dev.en -o c --quiet".split()) == 0
    assert Model.load("c").derive("both").partner is not None
