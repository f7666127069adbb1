"""The own API does what its description says."""

from __future__ import annotations

import json
import xmlrpc.client
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from demotic.confidence import ConfidenceEstimator, calibrate
from demotic.explain import explain
from demotic.metrics import References
from demotic.model import Model
from demotic.search import Candidate
from demotic.serve.app import application
from demotic.serve.jobs import Check
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.search.small_models import prepared_model
from tests.serve.openapi import DESCRIPTION, faults, schema_of
from tests.serve.test_service import SENTENCE, TRANSLATION

VIEWS = ("explain", "search", "forest", "violations")


def calibrated(folder: Path) -> Model:
    model = prepared_model(folder, "phrase")
    source = [model.raw_text.prepared(SENTENCE)] * 40
    texts = [model.raw_text.prepared_reference(text) for text in (TRANSLATION, "No.")] * 20
    return calibrate(model, source, References.from_streams([texts])).attach(model)


def test_every_path_is_described(client: TestClient) -> None:
    routes = [one for one in client.app.routes if isinstance(one, Route)]  # type: ignore[attr-defined]
    ours = {one.path for one in routes if one.path.startswith("/v1/")}
    assert ours == set(DESCRIPTION["paths"])
    assert client.get("/v1/openapi.json").json() == DESCRIPTION


def test_translate_knows_where_everything_is(client: TestClient) -> None:
    text = f"{SENTENCE} {SENTENCE}\nDas Haus ist Zzz."
    body = {"text": text, "source": "de", "target": "en", "alternatives": 2}
    found = client.post("/v1/translate", json=body).json()
    assert faults(found, schema_of("/v1/translate")) == []
    assert found["translation"].startswith(f"{TRANSLATION} {TRANSLATION}\n")
    for side, whole in (("source", text), ("target", found["translation"])):
        tokens, places = found[f"{side}_tokens"], found[f"{side}_places"]
        shown = [whole[begin:end].lower() for begin, end in places]
        assert shown == tokens
    first, second, third = found["sentences"]
    assert text[slice(*second["source"])] == SENTENCE
    assert found["translation"][slice(*second["target"])] == TRANSLATION
    size = first["target_tokens"][1]
    links = [link for link in found["alignment"] if link[1] < size]
    again = [[i - first["source_tokens"][1], j - size] for i, j in found["alignment"]]
    assert links == [link for link in again if 0 <= link[1] < size]
    copied = [one for one in found["phrases"] if one["kind"] == "copied"]
    assert [found["target_tokens"][slice(*one["target"])] for one in copied] == [["zzz"]]
    assert third["source"][1] == len(text)


def test_a_calibrated_model_gives_confidences(tmp_path: Path) -> None:
    served = ServedModel(calibrated(tmp_path), "de", "en")
    (found,) = served.translate([SENTENCE], Check(), details=True)
    assert found.candidates[0].confidences is None  # a client that does not show them
    (found,) = served.translate([SENTENCE], Check(), details=True, confidence=True)
    (best,) = found.candidates
    assert best.confidences is not None
    assert len(best.confidences) == len(best.tokens)
    assert all(0 <= one <= 1 for one in best.confidences)
    assert best.text == TRANSLATION
    assert served.notices == []


@pytest.mark.parametrize(
    ("path", "body", "shown"),
    [
        ("/v1/translate", {"text": SENTENCE}, True),
        ("/v1/translate", {"text": SENTENCE, "alternatives": 2}, True),
        ("/translate", {"q": SENTENCE, "source": "de", "target": "en", "alternatives": 2}, False),
        ("/apy/translate", {"q": SENTENCE, "langpair": "de|en", "markUnknown": "yes"}, False),
    ],
)
def test_confidences_are_estimated_if_the_dialect_shows_them(
    tmp_path: Path, path: str, body: dict[str, object], shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = ServedModel(calibrated(tmp_path), "de", "en")
    estimated = []

    def words(_self: object, _result: object, candidate: Candidate) -> object:
        estimated.append(candidate)
        return np.full(len(candidate.words), 0.5)

    monkeypatch.setattr(ConfidenceEstimator, "words", words)
    service = TranslationService([served], ServeOptions(), threads=1)
    client = TestClient(application(service), base_url="http://localhost")
    send = {"params": body} if path.startswith("/apy") else {"json": body}
    answer = client.request("GET" if path.startswith("/apy") else "POST", path, **send)  # type: ignore[arg-type]
    service.scheduler.close()
    assert answer.status_code == 200
    assert bool(estimated) == shown


def test_edited_weights_make_confidences_useless_but_not_the_model(tmp_path: Path) -> None:
    model = calibrated(tmp_path)
    edited = model.weights.replace({"language_model": 0.4321})
    edited.write(model.path / model.info.parts.weights)
    served = ServedModel.load(model.path)
    (notice,) = served.notices
    assert "calibrated for other weights" in notice
    assert "served without the confidence of words" in notice
    (found,) = served.translate([SENTENCE], Check(), details=True, confidence=True)
    assert found.candidates[0].confidences is None


def test_terms_of_the_models_glossary_are_obeyed(tmp_path: Path) -> None:
    model = prepared_model(tmp_path, "phrase")
    (model.path / "glossary.tsv").write_text("Haus\tcottage\n")
    info = replace(model.info, parts=replace(model.info.parts, glossary="glossary.tsv"))
    served = ServedModel(Model.create(model.path, info, model.weights), "de", "en")
    service = TranslationService([served], ServeOptions(), threads=1)
    client = TestClient(application(service), base_url="http://localhost")
    body = {"text": "Das Haus ist groß.", "reference": "The house is big."}
    found = client.post("/v1/translate", json=body).json()
    views = {one: client.post(f"/v1/{one}", json=body).json() for one in VIEWS}
    asked = {"text": "das haus ist groß .", "nbest": 2, "topt": True, "sg": True}
    call = xmlrpc.client.dumps((asked,), "translate").encode()
    (moses,), _ = xmlrpc.client.loads(client.post("/RPC2", content=call).content)
    service.scheduler.close()
    assert faults(found, schema_of("/v1/translate")) == []
    for view in ("explain", "search", "forest"):
        assert "cottage" in views[view]["translation"].lower()
        assert views[view]["sentence"] == body["text"]
        assert faults(views[view], schema_of(f"/v1/{view}")) == []
    assert views["explain"]["constraints"] == ["exclusive [1:2] cottage"]
    assert views["violations"]["reachable"]  # as in training, which knows no terms
    assert isinstance(moses, dict)
    assert all("cottage" in one["hyp"] for one in [*moses["nbest"], {"hyp": moses["text"]}])
    (term,) = found["terms"]
    assert found["source_tokens"][slice(*term["source"])] == ["haus"]
    assert found["target_tokens"][slice(*term["target"])] == ["cottage"] == [term["text"]]
    assert "cottage" in found["translation"].lower()


def test_detection_is_reported(client: TestClient) -> None:
    found = client.post("/v1/translate", json={"text": SENTENCE}).json()
    assert found["detected"]["language"] in ("de", "nl")  # the same words in both models
    assert faults(found, schema_of("/v1/translate")) == []


def test_models(client: TestClient) -> None:
    found = client.get("/v1/models").json()
    assert faults(found, schema_of("/v1/models", "get")) == []
    assert [(one["source"], one["target"], one["kind"]) for one in found] == [
        ("de", "en", "phrase"),
        ("nl", "fr", "hiero"),
    ]


def test_explain_is_the_explanation_of_the_command_line(
    client: TestClient, service: TranslationService
) -> None:
    body = {"text": SENTENCE, "source": "de", "reference": TRANSLATION, "evidence": 2}
    found = client.post("/v1/explain", json=body).json()
    model = service.default.model
    expected = explain(model, SENTENCE, reference=TRANSLATION, evidence=2).as_dict()
    assert found == json.loads(json.dumps(expected))
    assert faults(found, schema_of("/v1/explain")) == []


@pytest.mark.parametrize("source", ["de", "nl"])
@pytest.mark.parametrize("view", VIEWS)
def test_views_of_both_kinds(client: TestClient, view: str, source: str) -> None:
    body = {"text": SENTENCE, "source": source, "reference": TRANSLATION}
    plain = client.post(f"/v1/{view}", json=body)
    assert plain.status_code == 200
    assert "drawings" not in plain.json()
    drawn = client.post(f"/v1/{view}", json=body | {"drawings": True}).json()
    assert faults(drawn, schema_of(f"/v1/{view}")) == []
    assert plain.json().items() <= drawn.items()
    fragments = [one for value in drawn["drawings"].values() for one in _listed(value)]
    assert fragments
    assert not any(" style=" in one or "<script" in one for one in fragments)


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def test_a_small_beam_loses_the_reference(client: TestClient) -> None:
    wrong = "today see i the house ."
    body = {"text": SENTENCE, "source": "de", "reference": wrong, "options": {"beam_size": 1}}
    found = client.post("/v1/search", json=body).json()
    assert found["settings"]["beam_size"] == 1
    assert all(one["survived"] == 1 for one in found["bins"])
    if found["reference"]["reachable"]:
        assert found["reference"]["lost_in_bin"] in [one["name"] for one in found["bins"]]
    unreachable = client.post("/v1/search", json=body | {"reference": "quite another"}).json()
    assert unreachable["reference"] == {"reachable": False, "lost_in_bin": None}


def test_hostile_text_is_escaped_in_drawings(client: TestClient) -> None:
    bad = "<img/src=x onerror=alert(1)> \"'&amp; <b>"
    for view in ("explain", "search", "forest"):
        body = {"text": bad, "source": "de", "reference": bad, "drawings": True}
        found = client.post(f"/v1/{view}", json=body)
        assert found.status_code == 200
        assert "<img" not in json.dumps(found.json()["drawings"])


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "missing text"),
        ({"text": 3}, "text is not a string"),
        ({"text": "a", "source": "xx"}, "xx is not supported"),
        ({"text": "a", "alternatives": "many"}, "alternatives is not a whole number"),
        ({"text": "a", "alternatives": True}, "alternatives is not a whole number"),
        ({"text": "a", "format": "pdf"}, "format is not one of text, html, xliff-inline"),
        ({"text": "a", "format": "html", "xml_input": "ignore"}, "without details and XML words"),
    ],
)
def test_bad_requests_are_named(client: TestClient, body: dict[str, Any], error: str) -> None:
    answer = client.post("/v1/translate", json=body)
    assert answer.status_code == 400
    assert error in answer.json()["error"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"options": {"beam_size": 100_000}}, "beam_size is at most 1000"),
        ({"options": {"beam_size": 0}}, "expected a whole number of at least 1"),
        ({"options": {"threads": 9}}, "no option threads"),
        ({"options": [1]}, "options is not an object"),
        ({"rivals": 1000}, "expected 0 to 50"),
        ({"text": ""}, "an empty sentence"),
    ],
)
def test_bad_views_are_named(client: TestClient, fields: dict[str, Any], error: str) -> None:
    answer = client.post("/v1/explain", json={"text": SENTENCE, "source": "de", **fields})
    assert answer.status_code == 400
    assert error in answer.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000, b'{"text": NaN}'])
def test_bodies_that_are_no_objects(client: TestClient, body: bytes) -> None:
    assert client.post("/v1/translate", content=body).status_code == 400


def test_a_stream_keeps_order_and_goes_on_after_errors(client: TestClient) -> None:
    lines = [json.dumps(SENTENCE), json.dumps({"text": "x", "source": "xx"})]
    lines += [json.dumps({"text": f"{SENTENCE}\n{SENTENCE}"})] * 20
    answer = client.post("/v1/stream?source=de&target=en", content="\n".join(lines) + "\n\n")
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert len(found) == len(lines)
    assert found[0]["translation"] == TRANSLATION
    assert found[1] == {"error": "xx is not supported"}
    assert {one["translation"] for one in found[2:]} == {f"{TRANSLATION}\n{TRANSLATION}"}


def test_a_stream_names_the_line_of_an_error(client: TestClient) -> None:
    answer = client.post("/v1/stream", content='"a"\n{"text": 3}\n')
    assert answer.status_code == 400
    assert answer.json()["error"] == "line 2: text is not a string"
    assert "line 1" in client.post("/v1/stream", content="{").json()["error"]
