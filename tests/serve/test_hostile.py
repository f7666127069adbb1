"""Slow, half-open, oversized, malformed and vanishing clients do not hurt the others."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xmlrpc.client
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from libretranslatepy import LibreTranslateAPI  # type: ignore[import-untyped]

from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.hostile_client import ACTS, post
from tests.serve.running import Running, connected, running
from tests.serve.test_service import SENTENCE, TRANSLATION

IDLE = 0.5  # seconds of patience of the server of these tests
MOST_MEMORY = 50_000_000  # bytes that hostile traffic may add for good
MOST_AT_ONCE = 100_000_000  # and while it lasts, with the bodies that are held
SLOW = 0.03  # seconds that 99 of 100 answers take at most meanwhile
IDLE_CORES = 0.2  # that other programs may use while latencies are compared
SIEGE = (
    float(os.environ.get("DEMOTIC_SIEGE_SECONDS", "60")),
    float(os.environ.get("DEMOTIC_SIEGE_RATE", "1000")),  # requests per second
)


@pytest.fixture(scope="module")
def server(models: list[ServedModel]) -> Iterator[Running]:
    limits = ServeOptions(idle_seconds=IDLE, connections=60, max_seconds=20, stop_seconds=5)
    service = TranslationService(models, limits, threads=2)
    with running(service) as made:
        yield made
    service.scheduler.close()


def translated(server: Running | str, text: str = SENTENCE) -> str:
    """By a running server, or by the one at an address."""
    body = json.dumps({"q": text, "source": "de", "target": "en"}).encode()
    headers = {"Content-Type": "application/json"}
    url = server if isinstance(server, str) else server.url
    request = urllib.request.Request(f"{url}/translate", body, headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        found: str = json.loads(answer.read())["translatedText"]
    return found


def received(client: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


# Real clients.


def test_libretranslatepy(server: Running) -> None:
    api = LibreTranslateAPI(f"{server.url}/")
    assert api.translate(SENTENCE, "de", "en") == TRANSLATION
    assert {"code": "de", "name": "German", "targets": ["en"]} in api.languages()
    assert api.detect(SENTENCE)[0]["language"] in ("de", "nl")


def test_xmlrpc_client(server: Running) -> None:
    with xmlrpc.client.ServerProxy(f"{server.url}/RPC2") as moses:
        assert "translate" in moses.system.listMethods()  # type: ignore[operator]
        found: Any = moses.translate({"text": "heute sehe ich das haus .", "align": True})
    assert found["text"] == "i see the house today ."


def test_omegat_sends_a_bar_in_the_address(server: Running) -> None:
    text = urllib.parse.quote_plus(SENTENCE)
    address = f"/apy/translate?q={text}&markUnknown=no&langpair=de|en_US&key=none"
    with urllib.request.urlopen(f"{server.url}{address}", timeout=20) as answer:
        found = json.loads(answer.read())
    assert found["responseStatus"] == 200
    assert found["responseData"]["translatedText"] == TRANSLATION


# Clients that do not behave.


def test_half_open_connections_are_closed(server: Running) -> None:
    with connected(server.port) as silent, connected(server.port) as partial:
        partial.sendall(b"POST /translate HTTP/1.1\r\nHost: localhost\r\n")
        assert translated(server) == TRANSLATION
        assert received(silent) == b""
        assert received(partial) == b""


def test_a_head_that_drips_is_closed(server: Running) -> None:
    with connected(server.port) as client:
        began = time.monotonic()
        try:
            for byte in b"GET /health HTTP/1.1\r\nX: " + b"a" * 1000:
                client.sendall(bytes([byte]))
                time.sleep(0.02)
        except OSError:
            pass
        assert time.monotonic() - began < 20 * IDLE


def test_a_body_that_never_comes_is_408(server: Running) -> None:
    with connected(server.port) as client:
        client.sendall(
            b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        )
        assert received(client).startswith(b"HTTP/1.1 408 ")


def test_keep_alive_survives_the_patience(server: Running) -> None:
    """A client that uses its connection is not closed, however long it has been open."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    client.connect()
    first = client.sock
    for _ in range(8):
        client.request("GET", "/health")
        assert client.getresponse().read() == b'{"status":"ok"}'
        assert client.sock is first
        time.sleep(IDLE / 4)
    client.close()


def test_answers_are_sent_at_once(server: Running) -> None:
    with connected(server.port) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(10_000).endswith(b'{"status":"ok"}')  # head and body in one packet
        connections: set[Any] = server.server.server_state.connections
        (made,) = [one for one in connections if one.cycle]
        accepted = made.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_connections_are_bounded(server: Running) -> None:
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        time.sleep(0.1)
        assert len(server.server.server_state.connections) <= 61
    finally:
        for client in clients:
            client.close()
    time.sleep(0.2)
    assert translated(server) == TRANSLATION


def test_a_long_head(server: Running) -> None:
    good = f"/translate?source=de&target=en&text={'Haus%20' * 2500}"
    with urllib.request.urlopen(f"{server.url}{good}", timeout=20) as answer:
        assert answer.status == 200
    for bad in (f"GET /{'a' * 70_000} HTTP/1.1\r\n\r\n", f"GET / HTTP/1.1\r\nX: {'a' * 70_000}"):
        with connected(server.port) as client:
            try:
                client.sendall(bad.encode())
            except ConnectionError:
                continue
            answered = received(client)
            assert answered.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431")) or answered == b""


def test_a_longer_head_may_be_allowed(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(max_head=100_000), threads=1)
    with running(service) as server:
        for length, allowed in ((90_000, True), (110_000, False)):
            with connected(server.port) as client:
                client.sendall(f"GET /health HTTP/1.1\r\nX: {'a' * length}\r\n".encode())
                client.sendall(b"Host: localhost\r\nConnection: close\r\n\r\n")
                assert received(client).startswith(b"HTTP/1.1 200") == allowed
    service.scheduler.close()


@pytest.mark.parametrize("length", [b"Content-Length: 99999999", b"Transfer-Encoding: chunked"])
def test_a_body_over_the_limit_is_not_read(server: Running, length: bytes) -> None:
    with connected(server.port) as client:
        client.sendall(b"POST /translate HTTP/1.1\r\nHost: localhost\r\n" + length + b"\r\n\r\n")
        chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
        try:
            for _ in range(100):
                client.sendall(chunk if b"chunked" in length else chunk[7:])
        except OSError:
            return
        assert received(client).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "request_",
    [
        b"\x00" * 100,
        b"\x16\x03\x01\x02\x00" + b"a" * 300,
        b"GET /health\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /translate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        "GET /\u00e4?q=\u00e4 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    ],
)
def test_malformed_requests(server: Running, request_: bytes) -> None:
    with connected(server.port) as client:
        client.sendall(request_)
        client.shutdown(socket.SHUT_WR)
        answer = received(client)
    assert b"Traceback" not in answer
    assert translated(server) == TRANSLATION


@pytest.mark.parametrize(
    "text", ["\0", "a\0b", "\ud800", "\udfff x", "\ufeff", "\u2028", "\u202e", "e\u0301" * 500]
)
def test_odd_text(server: Running, text: str) -> None:
    body = json.dumps({"q": text, "source": "de", "target": "en"}).encode()
    for path in ("/translate", "/v1/translate"):
        fields = body if path == "/translate" else body.replace(b'"q"', b'"text"')
        request = urllib.request.Request(f"{server.url}{path}", fields)
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert json.loads(answer.read().decode("utf-8"))


def vanish(server: Running, body: bytes) -> None:
    """Asks for a translation and closes the connection at once."""
    with connected(server.port) as client:
        head = f"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}"
        client.sendall(f"{head}\r\n\r\n".encode() + body)


def test_a_closed_connection_stops_its_search(server: Running) -> None:
    text = " ".join(["Haus Kind Buch"] * 1100)
    body = json.dumps({"text": text, "source": "de", "alternatives": 20}).encode()
    began = time.process_time()
    for _ in range(10):
        vanish(server, body)
    assert translated(server) == TRANSLATION
    assert server.idle()
    assert time.process_time() - began < 15


def test_an_answer_that_is_not_read_is_given_up(models: list[ServedModel]) -> None:
    limits = ServeOptions(idle_seconds=IDLE, stop_seconds=1)
    service = TranslationService(models, limits, threads=2)
    lines = b"".join(json.dumps("Haus " * 300).encode() + b"\n" for _ in range(220))
    with running(service) as server, connected(server.port) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        head = (
            f"POST /v1/stream?source=de HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(lines)}"
        )
        client.sendall(f"{head}\r\n\r\n".encode() + lines)
        deadline = time.monotonic() + 150
        while not server.server.server_state.connections and time.monotonic() < deadline:
            time.sleep(0.01)
        while server.server.server_state.connections and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not server.server.server_state.connections
        assert server.idle()
    service.scheduler.close()


def test_a_gentle_stop_finishes_running_requests(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(), threads=1)
    found: list[str] = []
    with running(service) as server:
        begin = threading.Event()
        first = service.run(lambda check: begin.wait(10))
        thread = threading.Thread(target=lambda: found.append(translated(server)))
        thread.start()
        while service.scheduler.unfinished < 2:
            time.sleep(0.01)
        server.server.stop_gently()
        time.sleep(0.3)
        for _ in range(3):  # over new connections
            assert refused(server, "/translate?source=de&target=en&text=Haus") == 503
            assert refused(server, "/health") == 503
            assert refused(server, "/v1/stream", b'"Haus"') == 503
            time.sleep(0.1)
        assert not found
        begin.set()
        thread.join(10)
        assert first.future.result(5) is True
        assert found == [TRANSLATION]
        assert stops_listening(server)
    service.scheduler.close()


def refused(server: Running, path: str, body: bytes | None = None) -> int:
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(f"{server.url}{path}", body, timeout=20)
    with error.value as answer:
        if path != "/health":
            assert answer.headers["Retry-After"]
        return answer.code


def stops_listening(server: Running, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    with suppress(ConnectionError):
        while time.monotonic() < deadline:
            with connected(server.port):
                time.sleep(0.05)
    return time.monotonic() < deadline


def test_a_gentle_stop_ends_in_time(models: list[ServedModel]) -> None:
    """Also if requests do not, and if clients never complete theirs."""
    service = TranslationService(models, ServeOptions(stop_seconds=1.0), threads=1)
    begin = threading.Event()
    with running(service) as server, connected(server.port) as slow, connected(server.port) as half:
        service.detect = lambda text: begin.wait(10)  # type: ignore[method-assign, assignment, return-value]
        slow.sendall(post("/detect", b'{"q": "a"}'))
        half.sendall(post("/translate", b"{", 1000))
        while not service.scheduler.unfinished:
            time.sleep(0.01)
        began = time.monotonic()
        server.server.stop_gently()
        assert stops_listening(server)
        assert 0.9 < time.monotonic() - began < 5
        assert received(slow) == b""
        begin.set()
    service.scheduler.close()


def test_an_idle_server_stops_at_once(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(), threads=1)
    with running(service) as server, connected(server.port) as half:
        half.sendall(post("/translate", b"{", 1000))
        assert translated(server) == TRANSLATION
        server.server.stop_gently()
        assert stops_listening(server, 2.0)
        half.sendall(b" " * 999)
        assert received(half).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 503 "))
    service.scheduler.close()


def test_a_gentle_stop_finishes_running_streams(models: list[ServedModel]) -> None:
    service = TranslationService(models, ServeOptions(), threads=1)
    lines = b"".join(json.dumps(SENTENCE).encode() + b"\n" for _ in range(60))
    with running(service) as server:
        request = urllib.request.Request(f"{server.url}/v1/stream?source=de", lines)
        with urllib.request.urlopen(request, timeout=20) as answer:
            first = answer.readline()
            server.server.stop_gently()
            found = [json.loads(line) for line in (first, *answer)]
    assert [one.get("translation") for one in found] == [TRANSLATION] * 60
    service.scheduler.close()


# Many of them at once.


@dataclass
class Siege:
    """What a crowd of bad clients sent in a while, and what became of the others."""

    sent: dict[str, int]  # by kind
    seconds: float
    answers: dict[str, int]
    refused: int  # times that a good client was told to come again
    idle: list[float]  # seconds until each correct answer before the crowd came
    crowded: list[float]  # the same meanwhile
    highest: int  # bytes of memory more than before, at any time
    grown: int  # the same afterwards
    cores: float  # that others kept busy before the crowd came

    def __str__(self) -> str:
        rows = [
            f"{sum(self.sent.values())} requests of {len(self.sent)} kinds in {self.seconds:.1f} s",
            f"answers: {dict(sorted(self.answers.items()))}",
            f"memory: at most {self.highest / 1e6:+.1f} MB, afterwards {self.grown / 1e6:+.1f} MB",
            f"good client: {len(self.crowded)} correct answers, {self.refused} refusals",
        ]
        for name, found in (("idle", self.idle), ("in the crowd", self.crowded)):
            middle, high = (1000 * quantile(found, part) for part in (0.5, 0.99))
            worst = 1000 * max(found)
            rows.append(
                f"{name}: median {middle:.1f} ms, p99 {high:.1f} ms, slowest {worst:.1f} ms"
            )
        rows.append(f"other programs: {self.cores:.2f} cores")
        return "\n".join(rows)


def quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


@contextmanager
def served(home: Path) -> Iterator[tuple[int, int]]:
    """`demotic serve` in a process of its own: its port and process id."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--threads", "2", "--idle-seconds", "2", "--quiet"]
    command = [sys.executable, "-m", "demotic", "serve", str(home), "--port", str(port), *options]
    with subprocess.Popen(command) as process:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and process.poll() is None:
                with suppress(OSError), connected(port):
                    break
                time.sleep(0.05)
            yield port, process.pid
            assert process.poll() is None, "the server has died"
        finally:
            process.terminate()
        assert process.wait(60) == 0


def resident(process: int) -> int:
    """Resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def highest_of(process: int) -> Iterator[list[int]]:
    """Resident memory, looked at ten times per second."""
    found, ended = [resident(process)], threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            found.append(resident(process))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


class GoodClient:
    """Keeps its connection, sends one request at a time, and tries again when it is refused."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.refused = 0
        self.seconds: list[float] = []  # until each correct answer, with all attempts

    def close(self) -> None:
        self._connection.close()

    def ask(self) -> None:
        body = json.dumps({"q": SENTENCE, "source": "de", "target": "en"})
        began = time.monotonic()
        while (text := self._answer(body)) is None and time.monotonic() < began + 30:
            self.refused += 1
            time.sleep(0.02)
        assert text == TRANSLATION
        self.seconds.append(time.monotonic() - began)

    def _answer(self, body: str) -> str | None:
        try:
            self._connection.request("POST", "/translate", body)
            answer = self._connection.getresponse()
            found = json.loads(answer.read())
        except (OSError, http.client.HTTPException):  # displaced, or not let in
            self._connection.close()
            return None
        return None if answer.status == 429 else found["translatedText"]


def besieged(home: Path, *, seconds: float, rate: float) -> Siege:
    with served(home) as (port, process):
        _crowd(port, 3.0, rate).communicate()  # caches and pools of threads have their size now
        idle, crowded = GoodClient(port), GoodClient(port)
        busy, ours, began = cpu_time(), os.times(), time.monotonic()
        for _ in range(200):
            idle.ask()
            time.sleep(0.005)
        idle.close()
        own = sum(os.times()[:2]) - sum(ours[:2]) + 200 * min(idle.seconds)
        cores = max(0.0, cpu_time() - busy - own) / (time.monotonic() - began)
        before = resident(process)
        with highest_of(process) as high:
            crowd = _crowd(port, seconds, rate)
            while crowd.poll() is None:
                crowded.ask()
                time.sleep(0.02)
            crowded.close()
            found = json.loads(crowd.communicate()[0])
            assert translated(f"http://127.0.0.1:{port}") == TRANSLATION
        grown = resident(process) - before
    return Siege(
        found["sent"],
        found["seconds"],
        found["answers"],
        crowded.refused,
        idle.seconds,
        crowded.seconds,
        max(high) - before,
        grown,
        cores,
    )


def cpu_time() -> float:
    """Seconds that all programs of this machine have used together."""
    user, nice, system = Path("/proc/stat").read_text("ascii").split()[1:4]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def _crowd(port: int, seconds: float, rate: float) -> subprocess.Popen[str]:
    module = [sys.executable, "-m", "tests.serve.hostile_client", str(port)]
    options = ["--seconds", str(seconds), "--rate", str(rate)]
    root = Path(__file__).parents[2]
    return subprocess.Popen([*module, *options], stdout=subprocess.PIPE, text=True, cwd=root)


def test_hostile_traffic(phrase_home: Path) -> None:
    found = besieged(phrase_home, seconds=4.0, rate=100.0)
    assert sum(found.sent.values()) > 50
    assert set(found.sent) == set(ACTS)
    assert len(found.crowded) > 2
    assert found.answers["Traceback"] == 0
    assert found.grown < MOST_MEMORY
    assert found.highest < MOST_AT_ONCE


@pytest.mark.long
def test_a_minute_of_hostile_traffic(phrase_home: Path) -> None:
    seconds, rate = SIEGE
    found = besieged(phrase_home, seconds=seconds, rate=rate)
    print(found, sep="\n")
    assert found.answers["Traceback"] == 0
    assert "500" not in found.answers
    assert found.grown < MOST_MEMORY
    assert found.highest < MOST_AT_ONCE
    if found.cores > IDLE_CORES:
        pytest.skip(f"other programs use {found.cores:.2f} cores; rates and times say nothing")
    assert sum(found.sent.values()) > 0.97 * seconds * rate
    assert len(found.crowded) > 10 * seconds
    assert quantile(found.crowded, 0.99) < SLOW
