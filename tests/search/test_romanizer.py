"""Unknown words of other scripts in translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.constraints import MarkupTranslator
from demotic.constraints.glossary import Entry, Glossary
from demotic.errors import InputError
from demotic.model import Model
from demotic.search.romanizer import Romanizer
from demotic.search.text import RawText
from demotic.search.unknowns import KnownWords
from tests.search.small_models import prepared_model


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder: Path = tmp_path_factory.mktemp("model")
    return prepared_model(folder, request.param)


def translated(model: Model, text: str, *flags: str, capsys: pytest.CaptureFixture[str]) -> str:
    path = model.path.parent / "raw.txt"
    path.write_text(f"{text}\n", encoding="utf-8")
    assert run(["translate", str(model.path), str(path), *flags]) == 0
    return capsys.readouterr().out.rstrip("\n")


def test_by_script(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Das Haus ist Москва NATO 서울 12 北京 café."
    changed = "The house is moskva nato seoul 12 北京 café."
    copied = "The house is москва nato 서울 12 北京 café."
    assert translated(model, text, "--unknown", "transliterate", capsys=capsys) == changed
    assert translated(model, text, "--unknown", "copy", capsys=capsys) == copied
    assert translated(model, text, capsys=capsys) == copied


def test_dropping(model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    if model.kind == "phrase":
        text = "Das Haus ist Москва alt."
        assert translated(model, text, "--unknown", "drop", capsys=capsys) == "The house is old."
        assert run(["translate", str(model.path), "--unknown", "copy", "--drop-unknown"]) == 2
        assert "contradicts --drop-unknown" in capsys.readouterr().err
    else:
        assert run(["translate", str(model.path), "--unknown", "drop"]) == 2
        assert "--drop-unknown for a Hiero model" in capsys.readouterr().err


def test_known_words_stay(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    romanizer = Romanizer(model)
    assert romanizer.line("das haus ist юрий .") == "das haus ist yuriy ."
    monkeypatch.setattr(KnownWords, "source", lambda self, word: word == "юрий")
    assert romanizer.line("das haus ist юрий .") == "das haus ist юрий ."
    assert romanizer.line("") == ""


def test_tags_terms_and_tokens(model: Model) -> None:
    raw = RawText(model, romanize=True)
    glossary = Glossary((Entry("Юрий", "George"),))
    texts = MarkupTranslator(model, raw=raw, glossary=glossary)
    found = texts.translate(["Юрий ist <b>Москва</b>."], "html")
    assert found == ["George is <b>moskva</b>."]
    assert raw.of_tokens(model).prepared("haus москва") == "haus moskva"
    assert raw.prepared_reference("Москва") == "москва"


def test_the_target_must_be_latin(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KnownWords, "script", lambda self, side: "Cyrillic")
    with pytest.raises(InputError, match="a target in Cyrillic script"):
        Romanizer(model)
