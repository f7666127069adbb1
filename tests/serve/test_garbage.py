"""What a connection needs is freed when it ends, without a garbage collection.

Collections stop all threads; a crowd of clients would make the others wait for them.
"""

from __future__ import annotations

import gc
import json
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.running import Running, connected, running
from tests.serve.test_service import SENTENCE


def post(path: str, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n".encode() + body


def text(**more: object) -> bytes:
    return json.dumps({"q": SENTENCE, "source": "de", "target": "en", **more}).encode()


CLIENTS = {
    "nothing": b"",
    "no HTTP": b"\0" * 100,
    "an answered request": post("/translate", text()),
    "one with an unknown head": post("/translate", text()).replace(b"Host: x", b"Host: y"),
    "several at once": post("/translate", text()) * 3,
    "a refused request": post("/translate", b"["),
    "a long refused request": post("/translate", b"[" * 100_000),
    "alternatives": post("/translate", text(alternatives=2)),
    "half a body": post("/translate", b"{", 1000),
    "half a long body": post("/translate", b"{" * 50_000, 100_000),
    "a bad document": post("/v1/file?name=a.docx&source=de&target=en", b"PK\3\4" * 500),
    "half a document": post("/v1/stream?source=de", b"{" * 50_000, 100_000),
    "much work": post("/v1/translate", json.dumps({"text": "Haus " * 300}).encode()),
    "a method call": post("/RPC2", b"<methodCall></methodCall>"),
}


@pytest.fixture
def server(models: list[ServedModel]) -> Iterator[Running]:
    service = TranslationService(models, ServeOptions(), threads=1)
    with running(service) as made:
        yield made
    service.scheduler.close()


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def only_connection(server: Running) -> Any:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        connections = list(server.server.server_state.connections)
        if connections:
            return connections[0]
        time.sleep(0.001)
    raise AssertionError("no connection")


def all_freed(references: list[weakref.ref[Any]], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while any(one() for one in references) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(one() for one in references)


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("sent", CLIENTS)
def test_a_connection_that_has_ended_is_freed(server: Running, sent: str, waits: bool) -> None:
    with connected(server.port, 1.0) as client:
        connection = only_connection(server)
        found = [connection, connection.transport.transport]
        client.sendall(CLIENTS[sent])
        if waits:
            with suppress(TimeoutError, ConnectionResetError):
                client.recv(100_000)
        found.append(connection.cycle or connection)
        references = list(map(weakref.ref, found))
        del connection
        found.clear()
    assert server.idle()
    assert all_freed(references)
