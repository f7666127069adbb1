"""Sentences with their own grammars: which rules are used, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.formats.importing import import_model
from demotic.model import Model
from demotic.search.sentence_grammars import Sentence, SentenceGrammars

CONFIG = "formalism=scfg\ngrammar=grammar\nfeature_function=WordPenalty\n"
GRAMMAR = "[X] ||| a ||| model ||| -1 Named=2 ||| 0-0\n[X] ||| b [X,1] ||| [1] b ||| -2 Named=1\n"
OWN = "[X] ||| a ||| own ||| -3 Named=1 ||| 0-0\n[X] ||| a [X,1] ||| [1] here ||| -1 ||| 0-1\n"
WEIGHTS = "WordPenalty 0\nGlue -1\nPassThrough -5\nPhraseModel_0 1\nNamed 0.5\n"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    for name, text in (("cdec.ini", CONFIG), ("grammar", GRAMMAR), ("weights", WEIGHTS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = import_model(tmp_path / "cdec.ini", tmp_path / "model").model
    folder = made.path / "grammars"
    folder.mkdir()
    (folder / "1.gz").write_bytes(gzip.compress(OWN.encode()))
    (folder / "empty").write_text("", encoding="utf-8")
    (folder / "other").write_text("[X] ||| a ||| x ||| Foreign=1\n", encoding="utf-8")
    (folder / "bad").write_text("# fine\n[X] ||| a ||| x ||| nan\n", encoding="utf-8")
    (tmp_path / "outside").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return made


def marked(grammar: str, text: str = "a z") -> str:
    return f'<seg id="7" grammar="{grammar}"> {text} </seg>'


def translated(capfd: pytest.CaptureFixture[str], lines: list[str], *flags: str) -> list[str]:
    Path("text").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert run(["translate", "model", "text", *flags]) == 0
    return capfd.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a b", Sentence("a b")),
        (marked("g"), Sentence("a z", "g")),
        ("<seg>a</seg>", Sentence("<seg>a</seg>")),
        ("<seg> a ||| </seg>", Sentence("<seg> a ||| </seg>")),
        ('<seg\u2003id="1"> a </seg>', Sentence('<seg\u2003id="1"> a </seg>')),
        ('<seg id="1">a\u3000</seg>', Sentence("a\u3000")),
        ('<seg id="1">  </seg> ', Sentence("")),
        ('<seg grammar="x y" id="2" >a < b</seg>', Sentence("a < b", "x y")),
        ('<seg id = "2"> a </seg>', Sentence('<seg id = "2"> a </seg>')),
        ("<seg id=1> a </seg>", Sentence("<seg id=1> a </seg>")),
        ('<seg id="1"> a', Sentence('<seg id="1"> a')),
    ],
)
def test_marks(model: Model, line: str, sentence: Sentence) -> None:
    assert SentenceGrammars(model.decoder()).read(line) == sentence


def test_rules_of_the_sentence_replace_the_models(
    model: Model, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "a z",
        marked("grammars/1.gz"),
        marked("grammars/empty"),
        "",
        '<seg id="4"> b a </seg>',
    ]
    assert translated(capfd, lines) == ["model z", "z here", "a z", "", "model b"]
    two = translated(capfd, lines, "--threads", "2", "--alignment")
    assert two == ["0-0 1-1\tmodel z", "0-1 1-0\tz here", "0-0 1-1\ta z", "\t", "1-0\tmodel b"]


def test_scores_and_features_are_the_models(
    model: Model, capfd: pytest.CaptureFixture[str]
) -> None:
    (line,) = translated(capfd, [marked("grammars/1.gz", "a a")], "--json")
    record = json.loads(line)
    features = {name: value for name, value in record["features"].items() if value}
    # "a" under "a [X,1]", not glued.
    assert record["text"] == "own here"
    assert features == {
        "PhraseModel_0": -4, "Named": 1, "word_penalty": -2, "phrase_penalty": 2
    }  # fmt: skip
    assert record["score"] == pytest.approx(-4 + 0.5)
    assert [step["kind"] for step in record["steps"]] == ["glue", "rule", "rule"]
    nbest = translated(capfd, [marked("grammars/1.gz", "a a")], "--nbest", "9", "--alignment")
    assert [entry.split(" ||| ")[1] for entry in nbest] == ["own here", "own own"]


def refusal(capfd: pytest.CaptureFixture[str], line: str) -> str:
    Path("text").write_text(line + "\n", encoding="utf-8")
    assert run(["translate", "model", "text"]) == 2
    return capfd.readouterr().err


@pytest.mark.parametrize("path", ["../outside", "grammars/../../outside"])
def test_paths_are_confined(
    model: Model, capfd: pytest.CaptureFixture[str], tmp_path: Path, path: str
) -> None:
    assert "outside the model directory" in refusal(capfd, marked(path))
    assert "outside the model directory" in refusal(capfd, marked(str(tmp_path / "outside")))
    for outside in (path, str(tmp_path / "outside")):
        assert translated(capfd, [marked(outside)], "--allow-outside") == ["z here"]


def test_bad_grammars_are_refused(model: Model, capfd: pytest.CaptureFixture[str]) -> None:
    assert "the feature Foreign, which the model does not have" in refusal(
        capfd, marked("grammars/other")
    )
    assert "bad line 2: " in refusal(capfd, marked("grammars/bad"))
    Path("text").write_text(marked("grammars/none") + "\n", encoding="utf-8")
    assert run(["translate", "model", "text"]) in (1, 2)
