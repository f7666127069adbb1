"""What stands in front of all dialects: keys, host names, limits, headers, log, metrics."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from demotic.serve.watch import ACCESS
from tests.serve.test_service import SENTENCE, TRANSLATION

BODY = {"q": SENTENCE, "source": "de", "target": "en"}


def client_of(service: TranslationService, **settings: Any) -> TestClient:
    return TestClient(application(service, **settings), base_url="http://localhost")


class TestKeys:
    @pytest.mark.parametrize("key", [None, "", "wrong", "sesam", "sesame ", "sésame"])
    def test_a_wrong_key_is_refused(self, guarded_client: TestClient, key: str | None) -> None:
        body = BODY if key is None else BODY | {"api_key": key}
        answer = guarded_client.post("/translate", json=body)
        assert answer.status_code == 403
        assert "key" in answer.json()["error"]

    @pytest.mark.parametrize("key", ["sesame", "open"])
    def test_every_key_of_the_file_opens(self, guarded_client: TestClient, key: str) -> None:
        answer = guarded_client.post("/translate", json=BODY | {"api_key": key})
        assert answer.json() == {"translatedText": TRANSLATION}
        headers = {"Authorization": f"Bearer {key}"}
        assert guarded_client.post("/translate", json=BODY, headers=headers).status_code == 200

    @pytest.mark.parametrize(
        ("method", "path", "field"),
        [
            ("GET", "/translate?source=de&target=en&text=a", "api_key"),
            ("GET", "/apy/translate?langpair=deu|eng&q=a", "key"),
            (
                "GET",
                "/MTRestService/TranslateJson?input=a&srcLangCode=de&trgLangCode=en",
                "tokenCode",
            ),
            ("POST", "/v1/stream?source=de", "api_key"),
        ],
    )
    def test_dialects_have_their_own_field(
        self, guarded_client: TestClient, method: str, path: str, field: str
    ) -> None:
        assert guarded_client.request(method, path).status_code == 403
        assert guarded_client.request(method, f"{path}&{field}=sesame").status_code == 200

    @pytest.mark.parametrize("path", ["/v1/translate", "/v1/explain", "/v1/search", "/v1/forest"])
    def test_own_paths_need_it(self, guarded_client: TestClient, path: str) -> None:
        assert guarded_client.post(path, json={"text": SENTENCE}).status_code == 403
        allowed = {"text": SENTENCE, "api_key": "open"}
        assert guarded_client.post(path, json=allowed).status_code == 200

    def test_the_page_and_the_languages_are_open(self, guarded_client: TestClient) -> None:
        for path in ("/", "/languages", "/health", "/v1/models", "/frontend/settings"):
            assert guarded_client.get(path).status_code == 200
        assert guarded_client.get("/frontend/settings").json()["keyRequired"] is True
        assert guarded_client.get("/metrics").status_code == 403


class TestHosts:
    @pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", ""])
    def test_other_names_are_refused(self, client: TestClient, host: str) -> None:
        assert client.get("/health", headers={"Host": host}).status_code == 400

    @pytest.mark.parametrize("host", ["localhost", "localhost:5000", "127.0.0.1:80", "[::1]:5000"])
    def test_own_names(self, client: TestClient, host: str) -> None:
        assert client.get("/health", headers={"Host": host}).status_code == 200

    def test_no_other_site_may_use_it(self, client: TestClient) -> None:
        answer = client.post("/translate", json=BODY, headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers

    def test_a_site_may_be_allowed(self, service: TranslationService) -> None:
        client = client_of(service, origins=["https://good.example"])
        for origin, expected in (("https://good.example",) * 2, ("https://evil.example", None)):
            answer = client.post("/translate", json=BODY, headers={"Origin": origin})
            assert answer.headers.get("access-control-allow-origin") == expected


def test_answers_have_a_strict_policy(client: TestClient) -> None:
    for path in ("/", "/health", "/nothing", "/page/main.js"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
        assert headers["x-content-type-options"] == "nosniff"


def test_files_of_the_page_are_cached_by_content(client: TestClient) -> None:
    first = client.get("/page/main.js")
    assert first.headers["content-type"].startswith("text/javascript")
    again = client.get("/page/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/page/../service.py", "/page/%2e%2e/service.py", "/page/x.js"])
def test_only_files_of_the_page_are_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


class TestLimits:
    def test_large_bodies(self, client: TestClient) -> None:
        answer = client.post("/translate", json=BODY | {"q": "a" * 1_000_001})
        assert answer.status_code == 413
        assert set(answer.json()) == {"error"}
        assert client.post("/apy/translate", content=b"a" * 1_000_001).json()["code"] == 413

    def test_a_stream_may_be_longer(self, client: TestClient) -> None:
        lines = f"{json.dumps('a' * 1000)}\n" * 1100
        answer = client.post("/v1/stream?source=de", content=lines)
        assert answer.status_code == 200
        assert answer.text.count("\n") == 1100
        assert client.post("/v1/stream", content=b" " * 16_000_001).status_code == 413

    def test_too_much_text(self, client: TestClient) -> None:
        answer = client.post("/translate", json=BODY | {"q": "a" * 2001})
        assert answer.status_code == 400
        assert answer.json()["error"] == ("2001 characters in one request; this server allows 2000")


@pytest.fixture
def tiny(models: list[ServedModel]) -> Iterator[TranslationService]:
    """One thread, nobody may wait, a tenth of a second per request."""
    limits = ServeOptions(queue=0, max_seconds=0.1, max_characters=100_000)
    service = TranslationService(models, limits, threads=1)
    yield service
    service.scheduler.close()


def test_a_full_queue_is_429(tiny: TranslationService) -> None:
    begin = threading.Event()
    job = tiny.run(lambda check: begin.wait(5))
    client = client_of(tiny)
    for answer in (
        client.post("/translate", json=BODY),
        client.get("/apy/translate", params={"langpair": "deu|eng", "q": "a"}),
        client.post("/v1/translate", json={"text": "a", "source": "de"}),
    ):
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
    begin.set()
    assert job.future.result(5) is True


def test_a_deadline_stops_the_search(tiny: TranslationService) -> None:
    client = client_of(tiny)
    long = " ".join(["Haus"] * 12_000)
    began = time.monotonic()
    assert client.post("/v1/translate", json={"text": long, "source": "de"}).status_code == 504
    late = client.post("/translate", json=BODY | {"q": long})
    while late.status_code == 429:  # the search before it is still stopping
        time.sleep(0.05)
        late = client.post("/translate", json=BODY | {"q": long})
    assert late.status_code == 500
    assert late.json() == {"error": "the request took more than 0.1 seconds"}
    while tiny.scheduler.unfinished:
        time.sleep(0.01)
    assert time.monotonic() - began < 20


def test_a_stopping_server_is_503(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions())
    client = client_of(service)
    service.scheduler.close()
    answer = client.post("/translate", json=BODY)
    assert answer.status_code == 503
    assert "retry-after" in answer.headers
    assert client.get("/health").status_code == 503


def test_bugs_do_not_reach_the_client(
    service: TranslationService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(service, "translate", broken)
    answer = client_of(service).post("/translate", json=BODY)
    assert answer.status_code == 500
    assert answer.json() == {"error": "internal error"}
    assert "a secret of the server" in caplog.text


@pytest.mark.parametrize("log_texts", [False, True])
def test_the_log_has_texts_only_on_request(
    models: list[ServedModel], caplog: pytest.LogCaptureFixture, log_texts: bool
) -> None:
    service = TranslationService(models, ServeOptions(log_texts=log_texts))
    client = client_of(service)
    with caplog.at_level(logging.INFO, ACCESS.name):
        client.post("/translate", json=BODY)
        client.get("/translate", params={"source": "de", "target": "en", "text": SENTENCE})
        client.get("/apy/translate", params={"langpair": "deu|eng", "q": SENTENCE})
        client.post("/v1/translate", json={"text": SENTENCE, "source": "de"})
        client.get("/nothing?q=Haus")
    service.scheduler.close()
    lines = [json.loads(record.getMessage()) for record in caplog.records]
    assert len(lines) == 5
    assert [line.get("dialect") for line in lines] == [
        "libretranslate",
        "opuscat",
        "apertium",
        "v1",
        None,
    ]
    assert all({"time", "client", "method", "path", "status", "ms"} <= set(line) for line in lines)
    assert lines[0]["sentences"] == 1
    assert ("Haus" in caplog.text) == log_texts


def test_metrics(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions())
    client = client_of(service)
    client.post("/translate", json=BODY)
    client.post("/translate", json=BODY | {"source": "xx"})
    text = client.get("/metrics").text
    service.scheduler.close()
    assert 'demotic_requests_total{dialect="libretranslate",status="200"} 1' in text
    assert 'demotic_requests_total{dialect="libretranslate",status="400"} 1' in text
    assert 'demotic_sentences_total{pair="de-en"} 1' in text
    assert f'demotic_characters_total{{pair="de-en"}} {len(SENTENCE)}' in text
    assert 'demotic_request_seconds_bucket{le="+Inf"} 2' in text
    assert "demotic_request_seconds_count 2" in text
    for line in text.splitlines():
        assert line.startswith("# ") or float(line.rsplit(" ", 1)[1]) >= 0
