"""Errors that no handler of a dialect answers have the form that its clients read."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any
from xmlrpc.client import Fault, loads

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from demotic.serve.watch import ACCESS
from tests.serve.running import Running, connected, running
from tests.serve.test_hostile import received
from tests.serve.test_service import SENTENCE

CALL = (
    b"<methodCall><methodName>translate</methodName><params><param><value><struct><member>"
    b"<name>text</name><value>haus</value></member></struct></value></param></params></methodCall>"
)
REQUESTS = [  # one of each dialect that translates
    ("/apy/translate", b"langpair=de|en&q=Haus", "application/x-www-form-urlencoded"),
    ("/RPC2", CALL, "text/xml"),
    ("/", CALL, "text/xml"),
    ("/translate", json.dumps({"q": "Haus", "source": "de", "target": "en"}).encode(), ""),
    ("/v1/translate", json.dumps({"text": "Haus", "source": "de"}).encode(), ""),
]


def check(path: str, status: int, content: bytes, text: str) -> None:
    """That the body of an answer is an error of the dialect, with a text like this."""
    if path in ("/RPC2", "/"):
        with pytest.raises(Fault, match=text):
            loads(content)
        return
    found = json.loads(content)
    if path.startswith("/apy"):
        assert (found["status"], found["code"], found["responseStatus"]) == (
            "error",
            status,
            status,
        )
        assert text in found["explanation"] == found["responseDetails"]
    else:
        assert set(found) == {"error"}
        assert text in found["error"]


@pytest.mark.parametrize(("path", "body", "kind"), REQUESTS)
def test_internal_errors(
    service: TranslationService,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    path: str,
    body: bytes,
    kind: str,
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(service, "translate", broken)
    monkeypatch.setattr(service, "run", broken)
    headers = {"Content-Type": kind} if kind else {}
    for origins in ((), ("https://good.example",)):  # the short way, and that of middleware
        client = TestClient(application(service, origins=origins), base_url="http://localhost")
        headers |= {"Origin": "https://good.example"}
        answer = client.post(path, content=body, headers=headers)
        assert answer.status_code == 500
        check(path, 500, answer.content, "internal error")
    assert "a secret of the server" in caplog.text


@pytest.mark.parametrize(("path", "body", "kind"), REQUESTS)
def test_other_hosts(client: TestClient, path: str, body: bytes, kind: str) -> None:
    answer = client.post(path, content=body, headers={"Host": "evil.example"})
    assert answer.status_code == 400
    check(path, 400, answer.content, "host name")


@pytest.mark.parametrize(("path", "body", "kind"), REQUESTS)
def test_bodies_that_are_too_large(client: TestClient, path: str, body: bytes, kind: str) -> None:
    answer = client.post(path, content=b" " * 1_000_001, headers={"Content-Type": kind})
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"
    check(path, 413, answer.content, "at most 1000000 bytes")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/apy/listPairs", {"GET", "HEAD"}), ("/languages", {"GET", "HEAD"}), ("/RPC2", {"POST"})],
)
def test_other_methods(client: TestClient, path: str, allowed: set[str]) -> None:
    answer = client.put(path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == allowed
    check(path, 405, answer.content, "Method Not Allowed")


def test_unknown_paths(client: TestClient) -> None:
    for path in ("/apy/nothing", "/apy", "/nothing"):
        answer = client.get(path)
        assert answer.status_code == 404
        check(path, 404, answer.content, "Not Found")
    assert client.get("/apyx").json() == {"error": "Not Found"}


@pytest.fixture
def server(models: list[ServedModel]) -> Iterator[Running]:
    service = TranslationService(models, ServeOptions(idle_seconds=0.3), threads=1)
    with running(service) as made:
        yield made
    service.scheduler.close()


@pytest.mark.parametrize(("path", "body", "kind"), REQUESTS)
def test_malformed_and_slow_requests(server: Running, path: str, body: bytes, kind: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n"
    for rest, status, text in (
        ("Content-Length: x\r\n\r\n", 400, "Invalid HTTP request"),
        ("a: b\r\n" * 300 + "\r\n", 400, "Invalid HTTP request"),
        ("Content-Length: 100\r\n\r\n{", 408, "not complete in time"),
    ):
        with connected(server.port) as client:
            client.sendall((head + rest).encode())
            answer = received(client)
        lines, _, content = answer.partition(b"\r\n\r\n")
        assert lines.startswith(b"HTTP/1.1 %d " % status)
        assert b"\r\nconnection: close" in lines
        assert b"\r\nx-content-type-options: nosniff" in lines
        assert f"\r\ncontent-length: {len(content)}\r\n".encode() in lines
        # The method of a request is known when its head is complete.
        check("/v1" if path == "/" and status == 400 else path, status, content, text)


def test_bytes_that_are_no_request(server: Running) -> None:
    with connected(server.port) as client:
        client.sendall(b"\x16\x03\x01\x02\x00" + b"a" * 300)
        content = received(client).partition(b"\r\n\r\n")[2]
    check("/v1", 400, content, "Invalid HTTP request")


def test_the_log_has_no_keys_of_documents(
    models: list[ServedModel], caplog: pytest.LogCaptureFixture
) -> None:
    service = TranslationService(models, ServeOptions(), threads=1)
    client = TestClient(application(service), base_url="http://localhost")
    subtitles = f"1\n00:00:01,000 --> 00:00:02,000\n{SENTENCE}\n".encode()
    with caplog.at_level(logging.INFO, ACCESS.name):
        fields = {"source": "de", "target": "en"}
        answer = client.post("/translate_file", data=fields, files={"file": ("a.srt", subtitles)})
        url = answer.json()["translatedFileUrl"]
        assert client.get(url).status_code == 200
        client.post(url)
        client.get(url, headers={"Host": "evil.example"})
    service.scheduler.close()
    lines = [json.loads(record.getMessage()) for record in caplog.records]
    assert [line["path"] for line in lines] == ["/translate_file", *["/download_file/..."] * 3]
    assert url.rpartition("/")[2] not in caplog.text
