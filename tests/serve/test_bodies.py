"""Large bodies of many clients at once need no more memory than is set aside for them."""

from __future__ import annotations

import encodings
import json
import socket
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.bodies import BodyMemory
from demotic.serve.options import ServeOptions
from demotic.serve.refusals import Busy
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.running import Running, connected, running
from tests.serve.test_service import SENTENCE, TRANSLATION

MEGABYTE = 1_000_000
LARGE = ["/v1/stream?source=de", "/v1/file?name=a.srt&source=de&target=en", "/translate_file"]
SMALL = b"1\n00:00:01,000 --> 00:00:02,000\nHaus\n"


@pytest.fixture
def server(models: list[ServedModel]) -> Iterator[Running]:
    limits = ServeOptions(max_document=2 * MEGABYTE, max_buffered=3 * MEGABYTE, idle_seconds=4)
    service = TranslationService(models, limits, threads=1)
    with running(service, keys=["sesame"]) as made:
        yield made
    service.scheduler.close()


def head(path: str, length: int, key: str = "sesame") -> bytes:
    kind = "multipart/form-data; boundary=X" if path == "/translate_file" else "text/plain"
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Authorization: Bearer {key}",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def begun(stack: ExitStack, server: Running, path: str, size: int) -> socket.socket:
    """A client that sends only so many bytes of its document."""
    client = stack.enter_context(connected(server.port))
    client.sendall(head(path, 2 * MEGABYTE) + b"a" * size)
    return client


def begun_together(stack: ExitStack, server: Running, path: str, size: int) -> list[socket.socket]:
    """Three clients; none sends more than usual before all of them have been let in."""
    usual = 64 * 1024
    clients = [begun(stack, server, path, usual + 1) for _ in range(3)]
    until_left(server, 3 * MEGABYTE - 3)
    for client in clients:
        client.sendall(b"a" * (size - usual - 1))
    return clients


def left(server: Running) -> int:
    memory: BodyMemory = server.server.config.app.state.bodies  # type: ignore[union-attr]
    return memory.left


def until_left(server: Running, size: int, seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while left(server) != size and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left(server) == size


@pytest.mark.parametrize("path", LARGE)
def test_unfinished_documents_are_bounded_together(server: Running, path: str) -> None:
    with ExitStack() as stack:
        first = begun_together(stack, server, path, MEGABYTE + 64 * 1024)
        until_left(server, 0)
        another = begun(stack, server, path, 0).recv(10_000)
        assert another.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nretry-after: " in another
        # Short requests need no place.
        with connected(server.port) as client:
            body = json.dumps({"q": SENTENCE, "source": "de", "target": "en"}).encode()
            client.sendall(head("/translate", len(body)) + body)
            assert TRANSLATION.encode() in client.recv(10_000)
        assert all(client.recv(10_000).startswith(b"HTTP/1.1 408 ") for client in first)
    until_left(server, 3 * MEGABYTE)


def test_documents_without_a_length_are_bounded_too(server: Running) -> None:
    with ExitStack() as stack:
        begun(stack, server, LARGE[0], 3 * MEGABYTE // 2 + 64 * 1024)
        until_left(server, 3 * MEGABYTE // 2)
        client = stack.enter_context(connected(server.port))
        chunked = head(LARGE[0], 0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        client.sendall(chunked + (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 28)
        assert client.recv(10_000).startswith(b"HTTP/1.1 429 ")


def test_a_refused_client_may_send_the_rest(server: Running) -> None:
    """Many clients read an answer only when they have sent everything."""
    with ExitStack() as stack:
        begun_together(stack, server, LARGE[0], MEGABYTE)
        until_left(server, 3 * 64 * 1024)
        client = stack.enter_context(connected(server.port))
        client.sendall(head(LARGE[0], 2 * MEGABYTE) + b" " * 2 * MEGABYTE)
        client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers = b""
        while not answers.endswith(b'{"status":"ok"}'):
            answers += client.recv(10_000)
        assert answers.startswith(b"HTTP/1.1 429 ")


@pytest.mark.parametrize("path", LARGE)
def test_memory_is_given_back_with_the_answer(server: Running, path: str) -> None:
    body = SMALL + b"\n" * MEGABYTE
    if path == "/translate_file":
        part = b'--X\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
        fields = ((b"source", b"de"), (b"target", b"en"))
        parts = b"".join(part % (name, b"", value) for name, value in fields)
        body = parts + part % (b"file", b'; filename="a.srt"', body) + b"--X--\r\n"
    with connected(server.port) as client:
        client.sendall(head(path, len(body)) + body)
        status = client.recv(10_000).split(b" ")[1]
        assert status == (b"400" if "stream" in path else b"200")
    until_left(server, 3 * MEGABYTE)


def test_a_document_has_a_place_however_little_is_set_aside(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(max_buffered=1000))
    client = TestClient(application(service), base_url="http://localhost")
    answer = client.post("/v1/stream", content=b" " * 16 * MEGABYTE)
    service.scheduler.close()
    assert (answer.status_code, answer.content) == (200, b"")


def test_bytes_are_counted_once() -> None:
    memory, scope = BodyMemory(100), {"type": "http"}
    usual = 64 * 1024
    for size in (10, usual, usual + 10, usual + 60):
        memory.hold(scope, size)
    assert memory.left == 40
    with pytest.raises(Busy):
        memory.hold({"type": "http"}, usual + 41)
    with pytest.raises(Busy):
        memory.expect(usual + 41)
    memory.expect(usual + 40)
    for _ in range(2):
        memory.release(scope)
        assert memory.left == 100


@pytest.mark.parametrize("path", LARGE)
@pytest.mark.parametrize("key", ["wrong", ""])
def test_a_wrong_key_is_refused_before_the_document(server: Running, path: str, key: str) -> None:
    with connected(server.port) as client:
        client.sendall(head(path, MEGABYTE, key))
        assert client.recv(10_000).startswith(b"HTTP/1.1 403 ")
        separator = "&" if "?" in path else "?"
        query = head(f"{path}{separator}api_key={key}", MEGABYTE, key)
    with connected(server.port) as client:
        client.sendall(query.replace(b"Authorization: Bearer", b"X-Other:"))
        assert client.recv(10_000).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("path", ["/translate", "/translate_file"])
@pytest.mark.parametrize("charset", ["nonsense_1", "rot13_1", "utf-7"])
def test_encodings_are_not_looked_up(client: TestClient, path: str, charset: str) -> None:
    """Python keeps the name of every encoding that it does not find."""
    kind = {"content-type": f"multipart/form-data; charset={charset}; boundary=X"}
    answer = client.post(path, content=b"--X--\r\n", headers=kind)
    assert answer.status_code == 400
    assert f"unknown encoding {charset}" in answer.json()["error"]
    assert charset not in encodings._cache


def test_lines_of_a_stream_need_memory_in_their_turn(server: Running) -> None:
    body = b'"a"\n' * 20_000
    with connected(server.port) as client:
        tracemalloc.start()
        client.sendall(head("/v1/stream?source=de", len(body)) + body)
        found = client.recv(100)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert found.startswith(b"HTTP/1.1 200 ")
    assert peak < 15 * len(body)  # a request object for each line would be 56 times as much
    assert server.idle()


def test_a_line_of_a_stream_is_no_longer_than_a_request(server: Running) -> None:
    body = b'"a"\n' + b'"%b"' % (b"a" * MEGABYTE)
    with connected(server.port) as client:
        client.sendall(head("/v1/stream?source=de", len(body)) + body)
        answer = client.recv(10_000)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"line 2 has more than 1000000 bytes" in answer


def test_no_connection_holds_more_than_usual_unread(server: Running) -> None:
    with connected(server.port) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.recv(1000)
        (connection,) = server.server.server_state.connections
        assert connection.transport.max_size == 64 * 1024  # type: ignore[union-attr]
