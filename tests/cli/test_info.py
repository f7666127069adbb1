"""What `demotic info` reports about models of every kind, and about other directories."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.info import describe
from demotic.model import Model
from demotic.pipeline.result import MakeResult, Score, StageResult

BUILT = """\
phrase
  kind       phrases
  languages  de to en
  made by    build from 64 sentence pairs
  written    DATE
  rules      47
  words      32
  n-grams    18 + 34 + 66 + 86 in lm-0.lm
  on disk SIZE
 SIZE  for resuming (work)
  scores     none recorded (demotic tune and demotic make record them)
  search     default settings
  takes      raw text; tokenises de by builtin VERSION, en by builtin VERSION; lower-cased
next:
  translate  demotic translate phrase < FILE.de
  explain    demotic explain phrase 'SENTENCE'
"""


def shown(capfd: pytest.CaptureFixture[str], path: str) -> str:
    """The output, without what differs between runs and machines."""
    assert run(["info", path]) == 0
    printed = capfd.readouterr()
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DATE", printed.out + printed.err)
    text = re.sub(r"builtin [\w.]+ \(Unicode [\d.]+\)", "builtin VERSION", text)
    return re.sub(r" +[\d.]+ (?:bytes|[kM]B)", " SIZE", text)


def rows(text: str, name: str) -> list[str]:
    return re.findall(rf"^  {name} +(.*)$", text, re.M)


def test_a_built_model(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert shown(capfd, "phrase") == BUILT


def test_a_model_that_takes_tokens(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = shown(capfd, "tokens")
    assert rows(found, "takes") == [
        "tokens separated by spaces: the model was not built from prepared text"
    ]
    assert rows(found, "languages") == ["not recorded"]
    assert "demotic explain tokens 'TOKENISED SENTENCE'" in found


def test_a_hiero_model(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert rows(shown(capfd, "hiero"), "kind") == ["Hiero: rules with gaps"]


def test_the_chain_of_verbs(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tuning = {"tuned_by": "mira", "tuning_rounds": 7, "tuning_score": 28.305}
    training = {
        "trained_by": "max-violation",
        "training_epochs": 4,
        "training_epoch": 3,
        "training_score": 29.1,
    }
    tuned = Model.load("phrase").derive("one", origin=tuning, search={"beam_size": 30})
    trained = tuned.derive("two", origin=training)
    trained.derive("three", origin={**tuning, "tuning_rounds": 1, "tuning_score": 29.5})
    found = shown(capfd, "three")
    assert describe("three").history == (
        "build from 64 sentence pairs",
        "tune by mira: 7 rounds, BLEU 28.30",
        "train by max-violation: epoch 3 of 4, dev BLEU 29.10",
        "tune by mira: 1 round, BLEU 29.50",
    )
    assert rows(found, "dev BLEU") == ["29.50 by tuning", "29.10 by training"]
    assert rows(found, "search") == ["beam_size 30"]
    # A copy has the same history.
    Model.load("three").save("four")
    assert describe("four").history == describe("three").history


def test_models_from_before_there_was_a_history(home: Path) -> None:
    Model.load("tokens").derive("old", origin={"tuned_by": "mert", "tuning_score": 20.0})
    path = home / "old" / "model.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(one for one in lines if not one.startswith("history")), "utf-8")
    assert describe("old").history == ("build", "tune by mert: BLEU 20.00")


def test_an_imported_model(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("export tokens --format moses -o exported --quiet".split()) == 0
    assert run("import exported/moses.ini -o mine --quiet".split()) == 0
    capfd.readouterr()
    found = shown(capfd, "mine")
    assert rows(found, "made by") == ["import from Moses (moses.ini)"]
    assert rows(found, "n-grams") == ["18 + 34 + 66 + 86 in lm-0.lm"]


def test_a_model_that_make_has_scored(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Model.load("phrase").save("made")
    scores = {"bleu": Score(25.9, 24.8, 27.04), "chrf": Score(50, 49, 51)}
    stage = StageResult("built", "phrase", ".", 1.0, 26.0, scores)
    made = MakeResult(
        path=home / "made", source_language="de", target_language="en", kind="phrase", final=0,
        stages=(stage,), signatures={"bleu": "nrefs:1"}, sentences={},
    )  # fmt: skip
    made.save()
    found = shown(capfd, "made")
    assert rows(found, "test BLEU") == ["25.90 [24.80, 27.04]"]
    assert rows(found, "test chrF") == ["50.00 [49.00, 51.00]"]
    assert rows(found, "scores") == []
    assert run(["info", "made", "--json"]) == 0
    values = json.loads(capfd.readouterr().out)
    assert values["test_scores"]["bleu"] == {
        "value": 25.9, "low": 24.8, "high": 27.04, "signature": "nrefs:1",
    }  # fmt: skip
    (home / "made" / "make.json").write_text("{}")
    assert run(["info", "made"]) == 2
    assert "made/make.json: not a result of demotic make" in capfd.readouterr().err


def test_no_tokeniser_is_needed_to_name_it(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Model.load("phrase").save("other")
    path = home / "other" / "preparation.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"builtin"', '"not-installed"'), encoding="utf-8")
    assert "de by not-installed" in rows(shown(capfd, "other"), "takes")[0]


OTHERS = {
    "folder": "folder: a folder with 2 models in it\n  folder/a\n  folder/b\nnext:\n"
    "  info  demotic info folder/a\n",
    "gold": "gold: gold forests of demotic force (read report.html there)\n",
    "begun": "begun: an unfinished demotic tune (run the same command again to resume it)\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_model(home: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    for one in ("folder/a/model.toml", "folder/b/model.toml", "gold/gold.bin"):
        (home / one).parent.mkdir(parents=True)
        (home / one).touch()
    (home / "begun" / "runs" / "1").mkdir(parents=True)
    (home / "begun" / "runs" / "1" / "rounds.jsonl").touch()
    assert run(["info", name]) == 0
    printed = capfd.readouterr()
    assert printed.out + printed.err == OTHERS[name]


def test_a_prepared_corpus(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "a.de").write_text("Hallo Welt!\n")
    (home / "a.en").write_text("Hello world!\n")
    assert run("prepare --src-lang de --tgt-lang en a.de a.en -o talks --quiet".split()) == 0
    assert run(["info", "talks"]) == 0
    assert capfd.readouterr() == (
        "talks: a prepared corpus\n",
        "next:\n"
        "  build  demotic build --src talks/corpus.de --tgt talks/corpus.en -o talks-model\n",
    )
    assert run(["info", "talks", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["what"] == "a prepared corpus"


def test_a_language_model_and_other_files(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "tokens/lm-0.lm"]) == 0
    printed = capfd.readouterr()
    assert "language model of order 4, 18 + 34 + 66 + 86 n-grams, " in printed.out
    assert "demotic lm-query tokens/lm-0.lm < FILE" in printed.err
    for name in ("t.de", "tokens/rules.bin"):
        assert run(["info", name]) == 2
        assert f"{name}: a file, not a model of Demotic" in capfd.readouterr().err
