"""Requests of the shapes that real clients send, and the answers that they expect."""

from __future__ import annotations

import json
from typing import Any
from xmlrpc.client import Boolean, Fault, dumps, loads

import pytest
from starlette.testclient import TestClient

from demotic.serve.files import suffixes
from tests.serve.test_service import SENTENCE, TRANSLATION

DE_EN = {"source": "de", "target": "en"}


# LibreTranslate.


def test_a_browser_add_on_sends_json(client: TestClient) -> None:
    body = {"q": SENTENCE, **DE_EN, "format": "text", "alternatives": 2, "api_key": ""}
    found = client.post("/translate", json=body).json()
    assert found["translatedText"] == TRANSLATION
    assert set(found) == {"translatedText", "alternatives"}
    assert all(isinstance(one, str) for one in found["alternatives"])


@pytest.mark.parametrize("multipart", [False, True])
def test_a_form(client: TestClient, multipart: bool) -> None:
    fields = {"q": f"{SENTENCE}\n{SENTENCE}", **DE_EN}
    answer = (
        client.post("/translate", files={name: (None, value) for name, value in fields.items()})
        if multipart
        else client.post("/translate", data=fields)
    )
    assert answer.json() == {"translatedText": f"{TRANSLATION}\n{TRANSLATION}"}


def test_a_form_with_characters_as_they_are(client: TestClient) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    body = "q=大衣&source=de&target=en".encode()  # as curl -d sends it
    found = client.post("/translate", content=body, headers=kind).json()
    assert found == {"translatedText": "大衣"}


def test_weblate_sends_a_list(client: TestClient) -> None:
    body = {"q": [SENTENCE, "", SENTENCE], "source": "de", "target": "en", "alternatives": 1}
    found = client.post("/translate", json=body).json()
    assert found["translatedText"] == [TRANSLATION, "", TRANSLATION]
    assert len(found["alternatives"]) == 3
    assert found["alternatives"][1] == []


@pytest.mark.parametrize("q", [SENTENCE, [SENTENCE]])
def test_auto_detects(client: TestClient, q: Any) -> None:
    found = client.post("/translate", json={"q": q, "source": "auto", "target": "en"}).json()
    detected = found["detectedLanguage"] if isinstance(q, str) else found["detectedLanguage"][0]
    assert detected == {"confidence": 100.0, "language": "de"}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"source": "de", "target": "en"}, "Invalid request: missing q parameter"),
        ({"q": "a", "target": "en"}, "missing source"),
        ({"q": "a", "source": "de"}, "missing target"),
        ({"q": "a", "source": "xx", "target": "en"}, "xx is not supported"),
        ({"q": "a", "source": "de", "target": "sv"}, "sv is not supported"),
        ({"q": [1], **DE_EN}, "Invalid request: q is neither a string nor a list of strings"),
        ({"q": "a", **DE_EN, "format": "pdf"}, "pdf format is not supported"),
    ],
)
def test_errors_of_libretranslate(client: TestClient, body: Any, error: str) -> None:
    answer = client.post("/translate", json=body)
    assert answer.status_code == 400
    assert answer.json() == {"error": error}


def test_other_paths_of_libretranslate(client: TestClient) -> None:
    assert client.get("/languages").json() == [
        {"code": "de", "name": "German", "targets": ["en"]},
        {"code": "nl", "name": "Dutch", "targets": ["fr"]},
    ]
    assert client.get("/health").json() == {"status": "ok"}
    detected = client.post("/detect", data={"q": SENTENCE}).json()
    assert {"confidence": 100.0, "language": "de"} in detected
    suggestion = {"q": "a", "s": "b", **DE_EN}
    assert client.post("/suggest", data=suggestion).status_code == 403
    settings = client.get("/frontend/settings").json()
    assert settings == {
        "charLimit": 2000,
        "frontendTimeout": 500,
        "apiKeys": False,
        "keyRequired": False,
        "suggestions": False,
        "filesTranslation": True,
        "supportedFilesFormat": suffixes(),
        "language": {
            "source": {"code": "de", "name": "German"},
            "target": {"code": "en", "name": "English"},
        },
    }


def test_html_keeps_its_tags(client: TestClient) -> None:
    text = f"<p>{SENTENCE}</p><p class='x'>{SENTENCE}</p>"
    found = client.post("/translate", json={"q": [text, "a"], **DE_EN, "format": "html"}).json()
    assert found["translatedText"][0] == f"<p>{TRANSLATION}</p><p class='x'>{TRANSLATION}</p>"


# Apertium APy.


@pytest.mark.parametrize("pair", ["deu|eng", "de|en", "de_AT|en_US", "de-AT|en-GB", "DEU|ENG"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_omegat_asks_apertium(client: TestClient, pair: str, method: str) -> None:
    fields = {"langpair": pair, "q": SENTENCE, "markUnknown": "no", "format": "txt", "key": "x"}
    answer = (
        client.get("/apy/translate", params=fields)
        if method == "get"
        else client.post("/apy/translate", data=fields)
    )
    assert answer.json() == {
        "responseData": {"translatedText": TRANSLATION},
        "responseDetails": None,
        "responseStatus": 200,
    }


def test_unknown_words_get_a_star(client: TestClient) -> None:
    fields = {"langpair": "deu|eng", "q": "Das Zzz ist 99. Das Haus ist Qqq."}

    def text(**more: str) -> str:
        answer = client.get("/apy/translate", params=fields | more).json()
        translated: str = answer["responseData"]["translatedText"]
        return translated

    starred = text()
    assert starred.lower().count("*zzz") == starred.lower().count("*qqq") == 1
    assert "*9" not in starred
    assert starred.replace("*", "") == text(markUnknown="no")
    assert text(markUnknown="yes") == starred


def test_pairs_of_apertium(client: TestClient) -> None:
    found = client.get("/apy/listPairs").json()
    listed = [(one["sourceLanguage"], one["targetLanguage"]) for one in found["responseData"]]
    assert listed == [
        *[("deu", "eng"), ("deu", "en"), ("de", "eng"), ("de", "en")],
        *[("nld", "fra"), ("nld", "fr"), ("nl", "fra"), ("nl", "fr")],
    ]
    assert (found["responseDetails"], found["responseStatus"]) == (None, 200)


@pytest.mark.parametrize(
    ("fields", "explanation"),
    [
        ({"langpair": "deu|spa", "q": "a"}, "That pair is not installed"),
        ({"langpair": "deu|fra", "q": "a"}, "That pair is not installed"),
        ({"langpair": "deu", "q": "a"}, "langpair is not SOURCE|TARGET, such as eng|spa"),
        ({"langpair": "deu|eng"}, "missing q"),
        ({"q": "a"}, "missing langpair"),
    ],
)
def test_errors_of_apertium(client: TestClient, fields: Any, explanation: str) -> None:
    answer = client.get("/apy/translate", params=fields)
    assert answer.status_code == 400
    found = answer.json()
    assert {key: found[key] for key in ("status", "code", "message", "explanation")} == {
        "status": "error",
        "code": 400,
        "message": "Bad Request",
        "explanation": explanation,
    }
    assert (found["responseStatus"], found["responseDetails"]) == (400, explanation)
    assert client.get("/apy/nothing").json()["code"] == 404


# OPUS-CAT, FakeMT, Wordfast.


@pytest.mark.parametrize("method", ["TranslateJson", "TranslatePost"])
def test_opus_cat(client: TestClient, method: str) -> None:
    fields = {"tokenCode": "0", "input": SENTENCE, "srcLangCode": "de-DE", "trgLangCode": "en-US"}
    fields["modelTag"] = ""
    answer = client.get(f"/MTRestService/{method}", params=fields)
    assert answer.json() == {"translation": TRANSLATION}
    assert client.post(f"/MTRestService/{method}", json=fields).json() == answer.json()
    wrong = client.get(f"/MTRestService/{method}", params=fields | {"trgLangCode": "sv"})
    assert wrong.status_code == 400
    assert wrong.json() == {"error": "sv is not supported"}


def test_wordfast(client: TestClient) -> None:
    answer = client.get("/translate", params={**DE_EN, "text": SENTENCE})
    assert answer.json() == {"translation": TRANSLATION}
    assert client.get("/translate", params=DE_EN).json() == {"error": "missing text"}


# Moses.

TOKENS = "heute sehe ich das haus ."


def call(client: TestClient, method: str, *arguments: Any, path: str = "/RPC2") -> Any:
    answer = client.post(
        path, content=dumps(arguments, method), headers={"Content-Type": "text/xml"}
    )
    assert answer.status_code == 200
    return loads(answer.content)[0][0]


@pytest.mark.parametrize("path", ["/RPC2", "/"])
def test_moses_translates_tokens(client: TestClient, path: str) -> None:
    assert call(client, "translate", {"text": TOKENS}, path=path) == {
        "text": "i see the house today ."
    }


@pytest.mark.parametrize("yes", [True, "true", "1"])
def test_moses_alignments(client: TestClient, yes: Any) -> None:
    found = call(client, "translate", {"text": TOKENS, "align": yes, "word-align": yes})
    covered = [i for one in found["align"] for i in range(one["src-start"], one["src-end"] + 1)]
    written = [i for one in found["align"] for i in range(one["tgt-start"], one["tgt-end"] + 1)]
    assert sorted(covered) == list(range(6))
    assert written == list(range(6))
    assert {"source-word": 0, "target-word": 4} in found["word-align"]
    assert "align" not in call(client, "translate", {"text": TOKENS, "align": "false"})


def test_moses_lists(client: TestClient) -> None:
    wanted = {"text": TOKENS, "nbest": 5, "add-score-breakdown": True, "word-align": True}
    plain = call(client, "translate", wanted)["nbest"]
    distinct = call(client, "translate", wanted | {"nbest-distinct": True})["nbest"]
    assert len({one["hyp"] for one in distinct}) == len(distinct) == 5
    assert len(plain) == 5
    scores = [one["totalScore"] for one in distinct]
    assert scores == sorted(scores, reverse=True)
    assert set(distinct[0]) == {"hyp", "totalScore", "word-align", "fvals"}
    assert distinct[0]["fvals"].startswith("language_model= -")
    assert call(client, "translate", wanted | {"nbest": "2"})["nbest"] == plain[:2]


def test_moses_graphs(client: TestClient) -> None:
    found = call(client, "translate", {"text": TOKENS, "sg": True, "topt": True})
    known = {one["hyp"] for one in found["sg"]}
    assert all(one["back"] in known for one in found["sg"][1:])
    assert {one["stack"] for one in found["sg"]} == set(range(7))
    best = max((one for one in found["sg"] if one["stack"] == 6), key=lambda one: one["score"])
    assert best["out"].endswith(".")
    house = [one for one in found["topt"] if (one["start"], one["end"]) == (4, 4)]
    assert "house" in [one["phrase"] for one in house]


def test_moses_takes_the_model_of_the_address(client: TestClient) -> None:
    path = "/RPC2?source=nl&target=fr"
    assert call(client, "translate", {"text": TOKENS, "align": 1}, path=path)["align"]
    with pytest.raises(Fault, match="phrase models"):
        call(client, "translate", {"text": TOKENS, "sg": 1}, path=path)
    with pytest.raises(Fault, match="xx is not supported"):
        call(client, "translate", {"text": TOKENS}, path="/RPC2?source=xx")


def test_methods_of_moses(client: TestClient) -> None:
    assert "translate" in call(client, "system.listMethods")
    with pytest.raises(Fault, match="does not learn"):
        call(client, "updater", {"source": "a", "target": "b", "alignment": "0-0"})
    with pytest.raises(Fault, match="Missing source text"):
        call(client, "translate", {"align": Boolean(True)})
    with pytest.raises(Fault, match="not defined"):
        call(client, "shutdown")
    with pytest.raises(Fault, match="one struct"):
        call(client, "translate", "text")
    with pytest.raises(Fault, match="at most 2000 characters"):
        call(client, "translate", {"text": "a" * 2001})


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
    b'<!ENTITY c "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b"<methodCall><methodName>&c;</methodName></methodCall>"
)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no xml",
        b"\xff\xfe\x00",
        BOMB,
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><methodCall/>',
        b"<methodCall>" + b"<value>" * 10_000,
        b"<methodCall><methodName>translate</methodName><params><param><value><int>"
        + b"9" * 10_000
        + b"</int></value></param></params></methodCall>",
        b"<methodCall><methodName>translate</methodName><params><param><value><boolean>7</boolean>"
        b"</value></param></params></methodCall>",
        b"<methodResponse><params/></methodResponse>",
    ],
)
def test_xml_that_is_no_call(client: TestClient, body: bytes) -> None:
    answer = client.post("/RPC2", content=body)
    with pytest.raises(Fault) as fault:
        loads(answer.content)
    assert "root:" not in str(fault.value)
    assert len(str(fault.value)) < 400


def test_json_is_readable(client: TestClient) -> None:
    answer = client.post("/translate", json={"q": "Ä 中 Zzz", **DE_EN})
    assert "中" in answer.text
    assert "中" in json.loads(answer.content)["translatedText"]
