"""Many bad clients in one process, at a fixed rate: `python -m tests.serve.hostile_client PORT`.

Prints what was sent and how the server answered as JSON.  A separate process, so that its work
does not slow down the server or the good client.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import cast

MOST_OPEN = 300  # connections
LINGER = 20.0  # seconds that a client holds its connection at most
RARE = 0.02
DOCUMENT = 15_000_000  # bytes


def post(
    path: str, body: bytes, length: int | None = None, kind: str = "application/json"
) -> bytes:
    size = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {size}\r\n\r\n".encode() + body


def _fields(text: str, **more: object) -> bytes:
    return json.dumps({"q": text, "text": text, "source": "de", "target": "en", **more}).encode()


LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10) for i in range(1, 10))
BOMB = b'<!DOCTYPE l [<!ENTITY l0 "ha">' + LAUGHS + b"]><methodCall>&l9;</methodCall>"
DEEP = b"<methodCall>" + b"<a>" * 20_000 + b"</a>" * 20_000 + b"</methodCall>"
DEEP_XLIFF = b'<xliff version="1.2">' + b"<g>" * 50_000
PLAIN = _fields("Das Haus ist alt.")

ACTS: dict[str, Callable[[random.Random], bytes]] = {
    "good": lambda rng: post("/translate", PLAIN),
    "pipelined": lambda rng: post("/translate", PLAIN) * 5,
    "random bytes": lambda rng: rng.randbytes(300),
    "a head that never ends": lambda rng: b"GET / HTTP/1.1\r\nX: " + b"a" * rng.randrange(60_000),
    "a huge head": lambda rng: b"GET /" + b"a" * 200_000,
    "many headers": lambda rng: b"GET /health HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
    "silence": lambda rng: b"",
    "half a body": lambda rng: post("/translate", b"{", 1000),
    "too large": lambda rng: post("/translate", b"a" * 100_000, 99_999_999),
    "too large, chunked": lambda rng: (
        b"POST /translate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + (b"10000\r\n" + b"a" * 0x10000 + b"\r\n") * 20
    ),
    "an entity bomb": lambda rng: post("/RPC2", BOMB),
    "deep XML": lambda rng: post("/RPC2", DEEP),
    "deep XLIFF": lambda rng: post("/v1/file?name=a.xlf&source=de&target=en", DEEP_XLIFF),
    "deep JSON": lambda rng: post("/translate", b"[" * 100_000),
    "NUL": lambda rng: post("/translate", _fields("a\0b\0")),
    "lone surrogates": lambda rng: post("/v1/translate", _fields("\ud800 Haus \udfff")),
    "malformed UTF-8": lambda rng: post("/translate", b'{"q": "\xff\xfe", "source": "de"}'),
    "other host": lambda rng: b"GET /v1/models HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "much work": lambda rng: post("/v1/translate", _fields("Haus " * 300, alternatives=20)),
    "a large document that stops short": lambda rng: post(
        f"/v1/{rng.choice(['stream?', 'file?name=a.srt&'])}source=de&target=en",
        b"a" * (DOCUMENT - 1000),
        DOCUMENT,
        "text/plain",
    ),
    "a bad zip": lambda rng: post("/v1/file?name=a.docx&source=de&target=en", b"PK\3\4" * 500),
}


# What takes long to answer or to send is rare, or all would wait for it alone.
WEIGHTS = dict.fromkeys(ACTS, 1.0) | dict.fromkeys(("much work", "deep XLIFF"), RARE)
WEIGHTS["a large document that stops short"] = 0.05
PATIENT = {"a large document that stops short"}  # whose clients never leave by themselves


class Crowd:
    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._rng = random.Random(seed)
        self._ready = selectors.DefaultSelector()
        self._open: dict[socket.socket, tuple[float, list[memoryview]]] = {}
        self._passing: dict[socket.socket, None] = {}  # of impatient clients, oldest first
        self.sent: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()

    def act(self, name: str) -> None:
        """Sends one request on a connection of its own, and reads later, soon or never."""
        self.sent[name] += 1
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", self._port))
        patience = LINGER
        if name not in PATIENT:
            self._passing[client] = None
            patience = self._rng.choice((0.0, 0.01, 0.1, 1.0, LINGER))
        data = memoryview(ACTS[name](self._rng))
        self._open[client] = time.monotonic() + patience, [data] if data else []
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if data else 0)
        self._ready.register(client, events)

    def serve(self, seconds: float) -> None:
        """Sends and receives for a while; ends connections whose time is over."""
        for key, events in self._ready.select(max(0.0, seconds)):
            client = cast("socket.socket", key.fileobj)
            try:
                if events & selectors.EVENT_WRITE:
                    self._send(client)
                if events & selectors.EVENT_READ:
                    self._receive(client)
            except OSError:
                self._close(client)
        now = time.monotonic()
        late = [client for client, (until, _) in self._open.items() if until < now]
        surplus = list(self._passing)[: max(0, len(self._passing) - MOST_OPEN)]
        for client in {*late, *surplus}:
            self._close(client)

    def _send(self, client: socket.socket) -> None:
        rest = self._open[client][1]
        sent = client.send(rest[0])
        rest[0] = rest[0][sent:]
        if not rest[0]:
            rest.clear()
            self._ready.modify(client, selectors.EVENT_READ)

    def _receive(self, client: socket.socket) -> None:
        data = client.recv(65536)
        if not data:
            self._close(client)
            return
        self.answers["Traceback"] += b"Traceback" in data
        if data.startswith(b"HTTP/1.1 "):
            self.answers[data[9:12].decode()] += 1

    def _close(self, client: socket.socket) -> None:
        self._passing.pop(client, None)
        if self._open.pop(client, None) is not None:
            self._ready.unregister(client)
            client.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=1000.0, help="requests per second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    crowd, names = Crowd(given.port, given.seed), list(ACTS)
    rng = random.Random(given.seed)
    weights = [WEIGHTS[name] for name in names]  # after each kind once
    begun = time.monotonic()
    number = 0
    while (elapsed := time.monotonic() - begun) < given.seconds:
        while number < elapsed * given.rate:
            crowd.act(names[number] if number < len(names) else rng.choices(names, weights)[0])
            number += 1
            if number % 20 == 0:
                crowd.serve(0.0)
        crowd.serve((number + 1) / given.rate - (time.monotonic() - begun))
    seconds = time.monotonic() - begun
    print(json.dumps({"seconds": seconds, "sent": crowd.sent, "answers": crowd.answers}))


if __name__ == "__main__":
    main()
