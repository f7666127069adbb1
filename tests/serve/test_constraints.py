"""Constraints and unknown words in the server: as in `demotic translate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xmlrpc.client import Fault

import pytest
from starlette.testclient import TestClient

from demotic.cli.main import run
from demotic.model import Model
from demotic.search.unknowns import KnownWords
from demotic.serve.app import application
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.openapi import faults, schema_of
from tests.serve.test_dialects import call

SENTENCE = "Das Haus ist Москва alt."
XML = 'Heute sehe ich <np translation="the palace||the hut" prob="0.9||0.1">das Haus</np>.'
TOKENS = 'heute sehe ich <np translation="the palace">das haus</np> .'


def client_of(models: list[ServedModel], **options: Any) -> tuple[TestClient, TranslationService]:
    service = TranslationService(models, ServeOptions(**options), threads=1)
    return TestClient(application(service), base_url="http://localhost"), service


@pytest.fixture(params=["exclusive", "inclusive", "constraint", "ignore"])
def moses(request: pytest.FixtureRequest, models: list[ServedModel]) -> Iterator[TestClient]:
    client, service = client_of(models, xml_input=request.param)
    client.headers["x-mode"] = request.param
    yield client
    service.scheduler.close()


def translated(client: TestClient, text: str, **fields: object) -> dict[str, Any]:
    body = {"text": text, "source": "de", "target": "en", **fields}
    answer = client.post("/v1/translate", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert faults(found, schema_of("/v1/translate")) == []
    return found


@pytest.mark.parametrize("mode", ["exclusive", "inclusive", "constraint", "ignore"])
def test_the_own_api_reads_xml_words(
    client: TestClient, phrase_home: Path, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = phrase_home.parent / "marked.de"
    path.write_text(f"{XML}\n", "utf-8")
    assert run(["translate", str(phrase_home), str(path), "--xml-input", mode, "--quiet"]) == 0
    expected = capsys.readouterr().out.rstrip("\n")
    found = translated(client, f"{XML}\n{XML}", xml_input=mode, alternatives=2)
    assert found["translation"] == f"{expected}\n{expected}"
    if mode == "exclusive":
        assert "the palace" in found["translation"]
        assert [one["text"] for one in found["terms"]] == ["the palace"] * 2
        assert [one["kind"] for one in found["phrases"]].count("given") == 2


def test_xml_words_are_tags_unless_they_are_asked_for(client: TestClient) -> None:
    found = translated(client, XML, xml_input="pass-through")["translation"]
    tag = XML[XML.index("<") : XML.index(">") + 1]
    assert found == f"I see {tag}the house</np> today."


def test_malformed_xml_words_are_refused(client: TestClient) -> None:
    body = {"text": "Das <np>Haus.", "source": "de", "xml_input": "exclusive"}
    answer = client.post("/v1/translate", json=body)
    assert answer.status_code == 400
    assert "np" in answer.json()["error"]
    answer = client.post("/v1/translate", json=body | {"xml_input": "never"})
    assert answer.json() == {
        "error": "xml_input is not one of exclusive, inclusive, constraint, ignore, pass-through"
    }
    answer = client.post("/v1/translate", json=body | {"format": "html"})
    assert answer.status_code == 400
    assert "without details and XML words" in answer.json()["error"]


def test_the_moses_dialect_reads_xml_words_if_asked(
    moses: TestClient, client: TestClient, phrase_home: Path
) -> None:
    fields = {"text": TOKENS, "nbest": 3, "align": True, "add-score-breakdown": True}
    found = call(moses, "translate", fields)
    mode = moses.headers["x-mode"]
    assert found["nbest"][0]["hyp"] == found["text"]
    assert ("the palace" in found["text"]) == (mode in ("exclusive", "constraint"))
    assert "<np" not in found["text"]
    assert "<np" in call(client, "translate", fields)["text"]
    with pytest.raises(Fault, match="np"):
        call(moses, "translate", {"text": "das <np> haus"})


def test_html_of_the_own_api(client: TestClient) -> None:
    found = translated(client, "<p>Das <b>Haus</b> ist alt.</p>", format="html")
    assert found["translation"] == "<p>The <b>house</b> is old.</p>"
    assert found["target_tokens"] == found["sentences"] == []


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [
        ("copy", "The house is москва old."),
        ("drop", "The house is old."),
        ("transliterate", "The house is moskva old."),
    ],
)
def test_unknown_words(phrase_home: Path, unknown: Any, expected: str) -> None:
    served = ServedModel.load(phrase_home, unknown=unknown)
    client, service = client_of([served])
    found = translated(client, SENTENCE, alternatives=1)
    assert found["translation"] == expected
    assert "москва" in found["source_tokens"]
    assert all(place is not None for place in found["source_places"])
    body = {"q": SENTENCE, "source": "de", "target": "en"}
    assert client.post("/translate", json=body).json()["translatedText"] == expected
    assert client.post("/translate", json=body | {"format": "html"}).json() == {
        "translatedText": expected
    }
    tokens = call(client, "translate", {"text": SENTENCE.lower().replace(".", " .")})["text"]
    assert tokens == expected.lower().replace(".", " .")
    for view in ("search", "forest", "explain"):
        answer = client.post(f"/v1/{view}", json={"text": SENTENCE, "source": "de"}).json()
        assert answer["translation"] == expected
    service.scheduler.close()


def test_models_that_cannot_are_served_with_a_notice(
    models: list[ServedModel], phrase_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hiero = ServedModel(models[1].model, "nl", "fr", unknown="drop")
    assert hiero.notices[0].endswith(
        "a Hiero model does not drop words; unknown words are copied as they are"
    )
    monkeypatch.setattr(KnownWords, "script", lambda self, side: "Cyrillic")
    phrase = ServedModel(Model.load(phrase_home), unknown="transliterate")
    assert "a target in Cyrillic script; unknown words are copied" in phrase.notices[0]
