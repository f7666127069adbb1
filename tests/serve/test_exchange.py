"""Requests that need no task of the event loop are answered like all others."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from demotic.serve.connections import Guarded
from demotic.serve.exchange import Exchange
from demotic.serve.heads import Head, Heads
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.hostile_client import post
from tests.serve.running import Running, connected, running
from tests.serve.test_service import SENTENCE, TRANSLATION

BODY = {"q": SENTENCE, "source": "de", "target": "en"}
FORM = "application/x-www-form-urlencoded"
PARTS = b'--X\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\nHaus\r\n--X--\r\n'
REQUESTS: list[tuple[str, str, bytes | None, str]] = [
    ("POST", "/translate", json.dumps(BODY).encode(), ""),
    ("POST", "/translate", json.dumps(BODY | {"q": [SENTENCE, "", "Haus"]}).encode(), ""),
    ("POST", "/translate", json.dumps(BODY | {"alternatives": 2}).encode(), ""),
    ("POST", "/translate", json.dumps(BODY | {"format": "html", "q": "<b>Haus</b>"}).encode(), ""),
    ("POST", "/translate", json.dumps(BODY | {"source": "xx"}).encode(), ""),
    ("POST", "/translate", json.dumps(BODY | {"source": "auto"}).encode(), ""),
    ("POST", "/translate", b"\xef\xbb\xbf" + json.dumps(BODY).encode(), ""),
    ("POST", "/translate", b"\xff{", ""),
    ("POST", "/translate", b"[" * 30_000, ""),
    ("POST", "/translate", b"q=Haus&source=de&target=en", FORM),
    ("POST", "/translate?target=en", b"q=Haus&source=de", FORM),
    ("POST", "/translate", PARTS % (b"q", b""), "multipart/form-data; boundary=X"),
    ("POST", "/translate", PARTS % (b"q", b'; filename="a"'), "multipart/form-data; boundary=X"),
    ("GET", "/translate?text=das%20Haus&source=de&target=en", None, ""),
    ("GET", "/apy/translate?langpair=de%7Cen&q=Haus%20Xyz", None, ""),
    ("POST", "/apy/translate", b"langpair=de|en&q=Haus", FORM),
    ("GET", "/apy/translate?langpair=de&q=Haus", None, ""),
    ("POST", "/MTRestService/TranslatePost", b"input=Haus&srcLangCode=de&trgLangCode=en", FORM),
    ("POST", "/v1/translate", json.dumps({"text": SENTENCE, "source": "de"}).encode(), ""),
    ("POST", "/v1/translate", json.dumps({"text": 1}).encode(), ""),
    ("POST", "/detect", json.dumps({"q": SENTENCE}).encode(), ""),
    ("POST", "/suggest", b"{}", ""),
    ("POST", "/RPC2", b"<x/>", "text/xml"),
    ("GET", "/health", None, ""),
]


@pytest.fixture(scope="module")
def server(service: TranslationService) -> Iterator[Running]:
    with running(service) as made:
        yield made


def answer(
    port: int, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, list[tuple[str, str]], bytes]:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    client.request(method, path, body, headers or {})
    found = client.getresponse()
    content = found.read()
    client.close()
    kept = [(name, value) for name, value in found.getheaders() if name != "date"]
    return found.status, kept, content


@pytest.mark.parametrize(("method", "path", "body", "kind"), REQUESTS)
def test_answers_are_equal(
    server: Running,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
    body: bytes | None,
    kind: str,
) -> None:
    begun: list[Exchange] = []
    make = Exchange.__init__

    def counted(self: Exchange, *given: Any, **more: Any) -> None:
        begun.append(self)
        make(self, *given, **more)

    monkeypatch.setattr(Exchange, "__init__", counted)
    headers = {"Content-Type": kind} if kind else {}
    short = answer(server.port, method, path, body, headers)
    again = answer(server.port, method, path, body, headers)  # its head is known
    assert len(begun) == 2
    # What has to be upgraded, or has no known length, is left to uvicorn.
    chunks = {"Transfer-Encoding": "chunked"} if body is not None else {}
    other = {"Connection": "upgrade", "Upgrade": "h2c"} if body is None else chunks
    sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body is not None else None
    long = answer(server.port, method, path, sent, headers | other)
    assert len(begun) == 2
    assert short == again == long


def test_a_body_in_pieces(server: Running) -> None:
    request = post("/translate", json.dumps(BODY).encode())
    with connected(server.port) as client:
        for begin in range(0, len(request), 20):
            client.sendall(request[begin : begin + 20])
            time.sleep(0.002)
        assert (
            json.loads(client.recv(10_000).split(b"\r\n\r\n")[1])["translatedText"] == TRANSLATION
        )


def test_pipelined_requests_are_answered_in_order(server: Running) -> None:
    words = ["Haus", "alt", "ist", "das"]
    bodies = [json.dumps(BODY | {"q": word}).encode() for word in words]
    expected = [answer(server.port, "POST", "/translate", body)[2] for body in bodies]
    with connected(server.port) as client:
        client.sendall(b"".join(post("/translate", body) for body in bodies))
        client.settimeout(10)
        received = b""
        while received.count(b"translatedText") < len(words):
            received += client.recv(10_000)
    parts = [part.split(b"HTTP/1.1 ")[0] for part in received.split(b"\r\n\r\n")[1:]]
    assert parts == expected


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[Head]:
    """The heads that were not parsed."""
    found: list[Head] = []
    repeat = Guarded._repeat

    def noted(self: Guarded, head: Head, body: bytes) -> None:
        found.append(head)
        repeat(self, head, body)

    monkeypatch.setattr(Guarded, "_repeat", noted)
    return found


def received(client: socket.socket, answers: int) -> list[bytes]:
    """The bodies of as many answers, each one object."""
    data = b""
    while data.count(b"}") < answers:
        more = client.recv(10_000)
        assert more, data
        data += more
    return [part.split(b"\r\n\r\n")[1] for part in data.split(b"HTTP/1.1")[1:]]


def test_a_head_is_parsed_once(server: Running, repeated: list[Head]) -> None:
    own = {"note": "of a length that no other request has"}
    bodies = [json.dumps(BODY | own | {"q": word}).encode() for word in ("Haus", "Buch")]
    requests = [post("/translate", body) for body in bodies]
    for _ in range(2):
        with connected(server.port) as client:
            found = []
            for request in [*requests, *requests]:
                client.sendall(request)
                found += received(client, 1)
        assert found[0] == found[2] != found[1] == found[3]
    assert len(repeated) == 7
    assert len({id(one) for one in repeated}) == 1


def test_known_heads_in_pieces_and_in_a_row(server: Running, repeated: list[Head]) -> None:
    request = post("/translate", json.dumps(BODY).encode())
    with connected(server.port) as client:
        client.sendall(request)
        (expected,) = received(client, 1)
        repeated.clear()
        for pieces in ([request * 3], [request[:-5], request[-5:]], [request[:40], request[40:]]):
            for piece in pieces:
                client.sendall(piece)
                time.sleep(0.02)
            count = 3 if len(pieces) == 1 else 1
            assert received(client, count) == [expected] * count
        assert repeated == []
        client.sendall(request)
        assert received(client, 1) == [expected]
    assert len(repeated) == 1


def test_a_known_head_within_a_body_is_a_part_of_the_body(
    server: Running, repeated: list[Head]
) -> None:
    request = post("/translate", json.dumps(BODY).encode())
    with connected(server.port) as client:
        client.sendall(request)
        received(client, 1)
        repeated.clear()
        hidden = b'{"a": "' + request + b'"}'
        outer = post("/translate", hidden)
        begin = len(outer) - len(hidden) + 7
        for piece in (outer[:begin], outer[begin : begin + len(request)], outer[-2:]):
            client.sendall(piece)
            time.sleep(0.02)
        client.settimeout(0.5)
        answer = client.recv(10_000)
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert answer.count(b"HTTP/1.1") == 1
        with pytest.raises(TimeoutError):
            client.recv(10_000)
    assert repeated == []


def test_heads_that_are_parsed_each_time(server: Running, repeated: list[Head]) -> None:
    for path, headers in (
        ("/translate?target=en", {}),
        ("/translate", {"Connection": "close"}),
        ("/translate", {"X-Long": "x" * 1100}),
        ("/translate", {"X-Tab": "a\tb"}),
    ):
        for _ in range(2):
            assert answer(server.port, "POST", path, json.dumps(BODY), headers)[0] == 200
    assert repeated == []


def test_few_heads_are_remembered() -> None:
    heads = Heads()
    head = Head({}, lambda request: None, 0)  # type: ignore[arg-type, return-value]
    for i in range(5000):
        heads.remember(b"GET /%d HTTP/1.1\r\n\r\n" % i, head)
    assert 0 < len(heads) <= 1024
    assert heads.find(b"GET /4999 HTTP/1.1\r\n\r\n") is head
    for doubtful in (b"GET / HTTP/1.1\nA: b\r\n\r\n", b"\r\n\r\n", b"GET /", b""):
        heads.remember(doubtful, head)
        assert heads.find(doubtful) is None


def test_a_connection_is_closed_if_the_client_wants_so(server: Running) -> None:
    status, headers, content = answer(
        server.port, "POST", "/translate", json.dumps(BODY), {"Connection": "close"}
    )
    assert (status, json.loads(content)) == (200, {"translatedText": TRANSLATION})
    assert ("connection", "close") in headers


def test_a_bug_is_an_internal_error(
    server: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(server.service, "translate", broken)
    status, _, content = answer(server.port, "POST", "/translate", json.dumps(BODY))
    assert (status, json.loads(content)) == (500, {"error": "internal error"})
    assert "a secret of the server" in caplog.text


def test_the_deadline_holds_for_work_that_does_not_stop(
    models: list[ServedModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    service = TranslationService(models, ServeOptions(max_seconds=0.2), threads=1)
    monkeypatch.setattr(service, "detect", lambda text: time.sleep(3))
    with running(service) as server:
        began = time.monotonic()
        status, _, content = answer(server.port, "POST", "/detect", json.dumps({"q": "a"}))
        assert time.monotonic() - began < 2.5
        assert (status, content) == (500, b'{"error":"the request took more than 0.2 seconds"}')
    service.scheduler.close()


def test_a_client_that_has_gone_is_counted(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(), threads=1)
    with running(service) as server:
        text = " ".join(["Haus Kind Buch"] * 1100)
        body = json.dumps({"text": text, "source": "de", "alternatives": 20}).encode()
        with connected(server.port) as client:
            client.sendall(post("/v1/translate", body))
            deadline = time.monotonic() + 10
            while not service.scheduler.unfinished and time.monotonic() < deadline:
                time.sleep(0.001)
        assert server.idle()
        metrics = answer(server.port, "GET", "/metrics")[2]
        assert b'dialect="v1",status="499"} 1' in metrics
    service.scheduler.close()
