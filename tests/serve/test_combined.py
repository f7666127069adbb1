"""Two models that decide together: lines, tags, documents and every dialect say the same."""

from __future__ import annotations

import re
import xmlrpc.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from demotic.cli.main import run
from demotic.constraints import MarkupTranslator
from demotic.documents import translate_document
from demotic.model import Model
from demotic.search.chooser import Chooser
from demotic.search.decision import DecisionOptions
from demotic.serve.app import application
from demotic.serve.jobs import Check
from demotic.serve.options import ServeOptions
from demotic.serve.refusals import Vanished
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.learn.untuned import untuned
from tests.search.small_models import pairs, prepared_model

LINES = [source for source, _ in pairs()][:32:2]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A phrase model with bad weights, which a Hiero model corrects."""
    folder = tmp_path_factory.mktemp("combined")
    bad = untuned(prepared_model(folder), folder / "bad")
    settings: dict[str, bool | int | float | str] = {
        "decision": "combined",
        "partner_share": 0.9,
        "consensus_list": 5,
    }
    return bad.derive(folder / "both", search=settings, partner=prepared_model(folder, "hiero"))


@pytest.fixture(scope="module")
def expected(model: Model) -> list[str]:
    return model.translate(LINES)


@pytest.fixture
def client(model: Model) -> Iterator[TestClient]:
    service = TranslationService([ServedModel(model)], ServeOptions(), threads=2)
    yield TestClient(application(service), base_url="http://localhost")
    service.scheduler.close()


def test_the_partner_wins_some_lines(model: Model, expected: list[str]) -> None:
    chooser = Chooser.of(model.decoder(), DecisionOptions.for_model(model))
    found = list(chooser.choose([model.raw_text.prepared(line) for line in LINES]))
    assert [model.raw_text.restored(one.best.text) for one in found] == expected
    assert any(one.decoder is not chooser.decoder for one in found)
    alone = Chooser(chooser.decoder).choose([model.raw_text.prepared(line) for line in LINES])
    assert [model.raw_text.restored(one.best.text) for one in alone] != expected


def test_lists_begin_with_the_decision(model: Model) -> None:
    chooser = Chooser.of(model.decoder(), DecisionOptions.for_model(model))
    lines = [model.raw_text.prepared(line) for line in LINES]
    for one, listed in zip(chooser.choose(lines), chooser.choose(lines, nbest=4), strict=True):
        assert listed.best.words == one.best.words
        texts = [candidate.words for candidate in listed.candidates]
        assert len(set(texts)) == len(texts) <= 4
        assert [score.score for score in listed.candidates[1:]] == sorted(
            (score.score for score in listed.candidates[1:]), reverse=True
        )


def test_text_with_tags(model: Model, expected: list[str]) -> None:
    for threads in (1, 2):
        translator = MarkupTranslator(model, threads=threads)
        assert translator.translate(LINES) == expected
        assert translator.translate([f"<p>{one}</p>" for one in LINES], "html") == [
            f"<p>{one}</p>" for one in expected
        ]
    tagged = translator.translate(["Ich sehe <b>das {name} Buch</b> %s."], "html")[0]
    assert tagged.count("<b>") == tagged.count("</b>") == tagged.count("{name}") == 1
    assert tagged.count("%s") == 1


def test_documents(
    model: Model, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = "".join(f"<p>{line}</p>\n" for line in LINES)
    wanted = "".join(f"<p>{line}</p>\n" for line in expected)
    assert translate_document(model, document.encode(), "html").decode() == wanted
    Path("a.html").write_text(document, "utf-8")
    Path("a.txt").write_text("".join(f"{line}\n" for line in LINES), "utf-8")
    home = str(model.path)
    assert run(["translate", home, "--file", "a.html", "-o", "b.html", "--quiet"]) == 0
    assert Path("b.html").read_text("utf-8") == wanted
    for flags in ([], ["--format", "text"]):
        assert run(["translate", home, "a.txt", "-o", "b.txt", "--quiet", "--force", *flags]) == 0
        assert Path("b.txt").read_text("utf-8").splitlines() == expected


def test_every_dialect(client: TestClient, expected: list[str]) -> None:
    pair = {"source": "de", "target": "en"}
    body = {"q": LINES, **pair}
    assert client.post("/translate", json=body).json()["translatedText"] == expected
    for more in ({"alternatives": 3}, {"format": "html"}):
        found = client.post("/translate", json={**body, **more}).json()
        assert found["translatedText"] == expected
    file = "".join(f"<p>{line}</p>\n" for line in LINES)
    address = "/v1/file?name=a.html&source=de&target=en"
    answer = client.post(address, content=file.encode())
    assert re.findall("<p>(.*)</p>", answer.text) == expected
    for line, translation in zip(LINES, expected, strict=True):
        found = client.post("/v1/translate", json={"text": line, "alternatives": 3}).json()
        assert found["translation"] == translation
        assert len(found["alternatives"]) == len(set(found["alternatives"]) - {translation})
        assert all(j < len(found["target_tokens"]) for _, j in found["alignment"])
        covered = sum(one["target"][1] - one["target"][0] for one in found["phrases"])
        assert covered >= len(found["target_tokens"])
        assert found["confidences"] is None


def test_tokens_of_clients_of_moses(client: TestClient, model: Model, expected: list[str]) -> None:
    raw = model.raw_text
    for line, translation in zip(LINES, expected, strict=True):
        asked = {"text": raw.prepared(line), "nbest": 3, "word-align": True}
        call = xmlrpc.client.dumps((asked,), "translate").encode()
        (found,), _ = xmlrpc.client.loads(client.post("/RPC2", content=call).content)
        assert isinstance(found, dict)
        assert raw.restored(found["text"]) == translation
        scores = [one["totalScore"] for one in found["nbest"]]
        assert scores == sorted(scores, reverse=True)
        best = model.decoder().translate([raw.prepared(line)]).text[0]
        assert found["nbest"][0]["hyp"] == best


def test_a_stop_ends_both_searches(model: Model) -> None:
    check = Check()
    check.stop()
    with pytest.raises(Vanished):
        ServedModel(model).translate(LINES, check)
    with pytest.raises(Vanished):
        ServedModel(model).translate_marked_up(LINES, "text", check)
