"""Placeholders and tags of plain text come out once each, in every dialect."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from demotic.constraints.placeholders import cut
from demotic.constraints.tagged import Untagged
from demotic.constraints.tokens import Word
from demotic.model import Model
from demotic.serve.app import application
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.constraints.test_translate import generated
from tests.search.small_models import prepared_model
from tests.serve.openapi import faults, schema_of

DE_EN = {"source": "de", "target": "en"}
Translate = Callable[[TestClient, str], str]


def libretranslate(client: TestClient, text: str) -> str:
    found: str = client.post("/translate", json={"q": text, **DE_EN}).json()["translatedText"]
    form = client.post("/translate", data={"q": [text], **DE_EN}).json()
    several = client.post("/translate", json={"q": [text, "a"], **DE_EN, "alternatives": 1}).json()
    assert form["translatedText"] == several["translatedText"][0] == found
    return found


def apertium(client: TestClient, text: str) -> str:
    fields = {"langpair": "deu|eng", "q": text, "markUnknown": "no"}
    found: str = client.get("/apy/translate", params=fields).json()["responseData"][
        "translatedText"
    ]
    marked = client.get("/apy/translate", params=fields | {"markUnknown": "yes"}).json()
    assert marked["responseData"]["translatedText"].replace("*", "") == found
    return found


def own(client: TestClient, text: str) -> str:
    answer = client.post("/v1/translate", json={"text": text, **DE_EN, "alternatives": 2}).json()
    assert faults(answer, schema_of("/v1/translate")) == []
    found: str = answer["translation"]
    for which, whole in (("source", text), ("target", found)):
        places = answer[f"{which}_places"]
        assert all(0 <= begin < end <= len(whole) for begin, end in filter(None, places))
    return found


def wordfast(client: TestClient, text: str) -> str:
    found: str = client.get("/translate", params={"text": text, **DE_EN}).json()["translation"]
    return found


def opuscat(client: TestClient, text: str) -> str:
    fields = {"input": text, "srcLangCode": "de", "trgLangCode": "en", "tokenCode": ""}
    found: str = client.get("/MTRestService/TranslateJson", params=fields).json()["translation"]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich sehe das {Haus}.", "I see the {Haus}."),
        ("{{Kind}} ist alt.", "{{Kind}} is old."),
        ("Ich sehe ${Kind} heute.", "I see ${Kind} today."),
        ("%s ist %(Buch)s.", "%s is %(Buch)s."),
        ("Das Haus ist %1$d.", "The house is %1$d."),
        ("Ich sehe https://a.org/Haus/das?x=1.", "I see https://a.org/Haus/das?x=1."),
        ("Ich sehe A.b@c.de heute.", "I see A.b@c.de today."),
        ("Ich sehe [X5X] heute.", "I see [X5X] today."),
        ("Das Haus ist 1.234,5.", "The house is 1.234,5."),
        ('Ich sehe <x id="1"/> heute.', 'I see <x id="1"/> today.'),
        ("<x1/> ist alt.", "<x1/> is old."),
        ("Ich sehe <b>das Haus</b>.", "I see <b>the house</b>."),
        (
            '<g id="1">Das Haus ist alt. Heute sehe ich <g id="2">das Buch</g>.</g>',
            '<g id="1">The house is old. I see <g id="2">the book</g> today.</g>',
        ),
        (
            "<b>Das Haus</b> ist alt.\nIch <i>sehe</i> das {Buch}.",
            "<b>The house</b> is old.\nI <i>see</i> the {Buch}.",
        ),
        ("Ich <b>sehe das Buch. Das Haus</b> ist.", "I <b>see the book. The house</b> is."),
        ("Ich <b>sehe {x}</b> 5.", "I <b>see {x}</b> 5."),
        ("<b></b>", "<b></b>"),
        ("Das < Haus > ist alt.", "The < house > is old."),
    ],
)
@pytest.mark.parametrize("dialect", [libretranslate, apertium, own, wordfast, opuscat])
def test_every_dialect(client: TestClient, dialect: Translate, text: str, expected: str) -> None:
    assert dialect(client, text) == expected


def test_generated_texts_keep_placeholders_and_tags(client: TestClient) -> None:
    for seed in range(100):
        written, tags, _ = generated(random.Random(f"server{seed}"), "xliff-inline")
        text = written.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
        found = libretranslate(client, text)
        assert Counter(re.findall(r"</?(?:g|x)\b[^<>]*>", found)) == Counter(tags), (text, found)
        assert kept(found) == kept(text), (text, found)


def kept(text: str) -> Counter[str]:
    return Counter(str(one) for one in cut(Untagged.of(text).text) if isinstance(one, Word))


def test_views_show_text_without_tags(client: TestClient) -> None:
    body = {"text": "Ich sehe <b>das {Haus}</b>.", "reference": "I see.", **DE_EN}
    for view in ("explain", "search", "forest"):
        answer = client.post(f"/v1/{view}", json=body).json()
        assert answer["translation"] == "I see the {Haus}."
        assert faults(answer, schema_of(f"/v1/{view}")) == []


def test_xliff_in_the_own_api(client: TestClient) -> None:
    body = {"text": 'Das <g id="1">Haus</g> ist &lt; <x id="2"/>5.', **DE_EN}
    answer = client.post("/v1/translate", json={**body, "format": "xliff-inline"}).json()
    assert faults(answer, schema_of("/v1/translate")) == []
    assert answer["translation"] == 'The <g id="1">house</g> is &lt; <x id="2"/>5.'
    body["text"] = "Das <g>Haus."
    refused = client.post("/v1/translate", json={**body, "format": "xliff-inline"})
    assert refused.status_code == 400
    assert "start and end tags that match" in refused.json()["error"]


def test_html_has_no_alternatives(client: TestClient) -> None:
    body = {"q": "Das <b>Haus</b> ist alt.", **DE_EN, "format": "html", "alternatives": 2}
    answer = client.post("/translate", json=body).json()
    assert answer == {"translatedText": "The <b>house</b> is old.", "alternatives": []}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Das Haus ist {x}.",
            [
                {"source": [1, 2], "mode": "exclusive", "targets": ["cottage"]},
                {"source": [3, 4], "mode": "exclusive", "targets": ["{x}"]},
            ],
        ),
        ("Das ist alt.", [{"source": [2, 3], "mode": "forbidden", "targets": ["old"]}]),
        (
            'Ich sehe <x id="1"/> heute.',
            [{"source": [2, 3], "mode": "exclusive", "targets": ['<x id="1"/>']}],
        ),
        ("Ich sehe das Buch.", []),
        (
            "Das Buch. Das Haus.",
            [{"source": [4, 5], "mode": "exclusive", "targets": ["cottage"]}],
        ),
    ],
)
def test_constraints_are_listed(tmp_path: Path, text: str, expected: list[dict[str, Any]]) -> None:
    model = prepared_model(tmp_path, "phrase")
    (model.path / "glossary.tsv").write_text("Haus\tcottage\nalt\told\t\tforbidden\n")
    info = replace(model.info, parts=replace(model.info.parts, glossary="glossary.tsv"))
    served = ServedModel(Model.create(model.path, info, model.weights), "de", "en")
    service = TranslationService([served], ServeOptions(), threads=1)
    client = TestClient(application(service), base_url="http://localhost")
    answer = client.post("/v1/translate", json={"text": text}).json()
    service.scheduler.close()
    assert faults(answer, schema_of("/v1/translate")) == []
    origins = [one.pop("origin") for one in answer["constraints"]]
    assert sorted(map(str, answer["constraints"])) == sorted(map(str, expected))
    assert set(origins) <= {"glossary", "placeholder"}
    assert [one["text"] for one in answer["terms"]] == ["cottage"] * ("Haus" in text)


def test_constraints_of_xml_words(client: TestClient) -> None:
    text = 'Ich <wall/> sehe <n translation="the hut||a hut" prob="0.5||0.25">das Haus</n>.'
    body = {"text": text, **DE_EN, "xml_input": "inclusive"}
    answer = client.post("/v1/translate", json=body).json()
    assert faults(answer, schema_of("/v1/translate")) == []
    modes = [(one["mode"], one["source"]) for one in answer["constraints"]]
    assert modes == [("wall", [1, 1]), ("inclusive", [2, 4])]
    assert answer["constraints"][1]["targets"] == ["the hut", "a hut"]
    assert len(answer["constraints"][1]["log_probabilities"]) == 2


@pytest.mark.parametrize(
    "hostile",
    ["<", "<a", "<a b=", '<a b="', "<a ", "</", "<a/", "<a b='c' ", "<b>", "</b>", "<a/> "],
)
def test_hostile_tags_take_linear_time(hostile: str) -> None:
    text = hostile * (100_000 // len(hostile)) + "Das Haus ist alt."
    started = time.process_time()
    plain = Untagged.of(text)
    assert len(plain.text) == len(plain.begins)
    assert time.process_time() - started < 10
