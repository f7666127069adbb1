"""The training pairs behind rules: found, marked, kept with the model, or reported missing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.explain import Explanation, explain
from demotic.model import Model
from demotic.model.output import replaced
from tests.report.html_pages import check_page
from tests.search.small_models import prepared_model

SENTENCE = "Heute kenne ich das Zebra."


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return prepared_model(tmp_path_factory.mktemp("models"), request.param)


@pytest.fixture(scope="module")
def explanation(model: Model) -> Explanation:
    return explain(model, SENTENCE, evidence=3)


def test_every_rule_has_pairs_with_its_words_marked(explanation: Explanation) -> None:
    known = explanation.evidence
    assert known is not None
    assert (known.missing, known.pairs) == ("", 64)
    rules = [i for i, step in enumerate(explanation.steps) if step.rule is not None]
    assert [rule.step for rule in known.rules] == rules
    for rule in known.rules:
        step = explanation.steps[rule.step]
        assert 1 <= len(rule.pairs) <= 3
        for pair in rule.pairs:
            assert pair.supported
            for words, marks, symbols, gaps in (
                (pair.source, pair.source_marks, step.source, step.source_gaps),
                (pair.target, pair.target_marks, step.target, step.target_gaps),
            ):
                own = [word for word, mark in zip(words, marks, strict=True) if mark == 0]
                assert own == [word for i, word in enumerate(symbols) if i not in gaps]
                assert {mark for mark in marks if mark} == {*range(1, len(gaps) + 1)}


def test_pairs_name_the_line_that_they_come_from(explanation: Explanation) -> None:
    """prepared_model takes pairs from "here", line by line, of which prepare kept a record."""
    from tests.search.small_models import pairs

    texts = pairs()
    assert explanation.evidence is not None
    for rule in explanation.evidence.rules:
        for pair in rule.pairs:
            assert pair.origin == "here"
            raw = texts[pair.line - 1][0].lower().replace(".", " .")
            assert raw == " ".join(pair.source)


def test_derived_and_moved_models_have_it_too(
    model: Model, explanation: Explanation, tmp_path: Path
) -> None:
    model.derive(tmp_path / "first").derive(tmp_path / "second")
    shutil.rmtree(tmp_path / "first")
    (tmp_path / "second").rename(tmp_path / "elsewhere")
    moved = Model.load(tmp_path / "elsewhere")
    assert explain(moved, SENTENCE, evidence=3).evidence == explanation.evidence


def test_the_corpus_of_a_model_that_is_replaced_goes_with_it(model: Model, tmp_path: Path) -> None:
    home = model.derive(tmp_path / "m").path
    with replaced(home):
        assert not (home / "bitext").exists()


def test_it_takes_no_more_space_where_there_are_hard_links(model: Model, tmp_path: Path) -> None:
    derived = model.derive(tmp_path / "derived")
    for name in ("source.bin", "target.bin", "links.gz"):
        file = model.path / "bitext" / name
        if file.stat().st_nlink > 1:
            assert file.samefile(derived.path / "bitext" / name)


def test_it_is_shown_in_text_and_page(explanation: Explanation) -> None:
    text, html = explanation.text(), explanation.html()
    tags = check_page(html)
    assert "Where the rules come from" in tags.headings
    assert explanation.evidence is not None
    count = sum(len(rule.pairs) for rule in explanation.evidence.rules)
    assert tags.classes["pair"] == count
    assert text.count("      here, line ") == count
    assert "«" in text


@pytest.mark.parametrize("what", ["", "links.gz", "source.bin"])
def test_what_is_missing_or_broken_is_said(model: Model, tmp_path: Path, what: str) -> None:
    copy = model.derive(tmp_path / "copy")
    file = copy.path / "bitext" / what
    if not what:
        shutil.rmtree(file)
    elif what == "links.gz":
        file.unlink()
    else:
        file.unlink()  # a hard link: the original is not affected
        file.write_bytes(b"nonsense")
    found = explain(copy, SENTENCE, evidence=1)
    known = found.evidence
    assert known is not None
    if what == "links.gz":  # pairs that contain the rule are found without links
        assert known.rules
        assert not any(pair.supported for rule in known.rules for pair in rule.pairs)
        return
    assert not known.rules
    said = {
        "": "The training corpus is not in the model directory",
        "source.bin": "The training corpus cannot be read.",
    }[what]
    assert known.missing.startswith(said)
    assert said in found.text()
    assert said in found.html()


def test_verb(model: Model, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["explain", str(model.path), SENTENCE, "--evidence"]
    assert run([*command, "2", "--json"]) == 0
    values = json.loads(capfd.readouterr().out)["evidence"]
    assert values["missing"] == ""
    assert all(len(rule["pairs"]) <= 2 for rule in values["rules"])
    first = values["rules"][0]["pairs"][0]
    assert set(first) == {
        "source", "target", "source_marks", "target_marks", "origin", "line", "supported",
    }  # fmt: skip
    assert run(command) == 0
    assert "EVIDENCE\nTraining pairs behind each rule, of 64." in capfd.readouterr().out
    assert run(command[:-1]) == 0
    assert "EVIDENCE" not in capfd.readouterr().out
    assert run([*command, "many"]) == 2
    assert "unexpected extra argument (many)" in capfd.readouterr().err


@pytest.mark.parametrize("sign", ["{0} --evidence {1}", "--evidence {0} {1}", "{0} {1} --evidence"])
def test_without_a_number_it_takes_no_argument(
    sign: str, model: Model, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["explain", *sign.replace("{1}", "SENTENCE").format(model.path).split(), "--json"]
    assert run([SENTENCE if word == "SENTENCE" else word for word in words]) == 0
    values = json.loads(capfd.readouterr().out)
    assert values["sentence"] == SENTENCE
    assert max(len(rule["pairs"]) for rule in values["evidence"]["rules"]) == 3
