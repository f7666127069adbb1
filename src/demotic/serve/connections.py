"""The server process: connections that do nothing are closed, and a stop lets requests finish.

What uvicorn lacks is here: limits on requests that never become complete, on answers that are never
read, and on the length of heads, and a shorter way for short requests (`exchange.py`).
"""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import uvicorn
from httptools import parse_url
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from demotic.errors import IoError
from demotic.serve.exchange import Exchange
from demotic.serve.faults import fault
from demotic.serve.heads import Head, Heads
from demotic.serve.http import NOTE
from demotic.serve.mailbox import Mailbox
from demotic.serve.watch import HEADERS

if TYPE_CHECKING:
    from starlette.types import Scope

    from demotic.serve.direct import Application
    from demotic.serve.options import ServeOptions
    from demotic.serve.service import TranslationService

__all__ = ["Server", "guarded", "listening"]

_MOST_HEADERS = 200
_READ = 64 * 1024  # bytes received at once
_SHORT_BODY = 32 * 1024  # bytes; uvicorn pauses connections from 64 KiB on
_LAST_SECONDS = 0.2  # for connections to end, however little time the stop has
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Joined:
    """A transport that sends the head of an answer together with its body, in one packet."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self._head = b""

    def write(self, data: bytes) -> None:
        # Only an answer of known length is certain to go on without a pause.
        if not self._head and data.startswith(b"HTTP/1.1 ") and b"\ncontent-length: " in data:
            self._head = data
        else:
            self.transport.write(self._head + data)
            self._head = b""

    def flush(self) -> None:
        if self._head:
            self.transport.write(self._head)
            self._head = b""

    def close(self) -> None:
        self.flush()
        self.transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class Guarded(HttpToolsProtocol):
    """uvicorn's protocol with limits on connections and on the patience with each."""

    limits: ClassVar[ServeOptions]
    application: ClassVar[Application]
    mailbox: ClassVar[Mailbox]  # of the loop
    heads: ClassVar[Heads]
    waiting: ClassVar[dict[Guarded, None]]  # without a complete request, longest first

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._joined = Joined(transport)
        super().connection_made(cast("asyncio.Transport", self._joined))
        # asyncio would read 256 KiB at once, which each connection could leave unread.
        cast("Any", transport).max_size = _READ
        # The last packet of an answer must not wait for the client's delayed acknowledgement of
        # the one before, 40 ms.
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._since, self._unread, self._head = self.loop.time(), 0, 0
        self._between = True  # the parser has no part of a message
        self._bytes = b""  # the next head, if it begins what was received
        self._timer: asyncio.TimerHandle | None = None
        if len(self.connections) > self.limits.connections and not self._displace():
            transport.abort()
            return
        self.waiting[self] = None
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.pop(self, None)
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """Ends what refers to itself, which would be collected later, while all requests wait."""
        if self._timer is not None:
            self._timer.cancel()
        self.cycle = cast("Any", None)
        self.pipeline.clear()
        transport = self._joined.transport
        own = [name for name, one in vars(transport).items() if _is_method_of(transport, one)]
        for name in own:
            setattr(transport, name, _do_nothing)

    def _displace(self) -> bool:
        """Makes room by ending the connection that has waited longest for its client.

        So clients that only hold connections cannot lock out others.
        """
        longest = next(iter(self.waiting), None)
        if longest is None:
            return False
        del self.waiting[longest]
        longest.transport.abort()
        return True

    def data_received(self, data: bytes) -> None:
        if self._between:
            size = data.find(b"\r\n\r\n") + 4
            self._bytes = data[:size]
            known = self.heads.find(self._bytes)
            if known and known.length == len(data) - size and self._is_idle():
                self._repeat(known, data[size:])
                return
        super().data_received(data)
        if self._head:  # still incomplete
            self._head += len(data)
            if self._head > self.limits.max_head and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def _is_idle(self) -> bool:
        """Whether the next request is the only one, and uvicorn has nothing to do with it."""
        return (
            (self.cycle is None or self.cycle.response_complete)
            and self.timeout_keep_alive_task is None
            and not self.flow.write_paused
        )

    def _repeat(self, head: Head, body: bytes) -> None:
        """Answers a request whose head is known without parsing it."""
        self._since = self.loop.time()
        self.waiting.pop(self, None)
        exchange = self._made(head, keep_alive=True)
        self.cycle = cast("Any", exchange)
        exchange.receive(body)

    def _made(self, head: Head, *, keep_alive: bool) -> Exchange:
        own = {"client": self.client, "server": self.server, "state": self.app_state.copy()}
        scope = {**head.scope, **own, NOTE: {}}
        return Exchange(self, self._joined.transport, scope, head.handler, keep_alive=keep_alive)

    def on_message_begin(self) -> None:
        self._head, self._between = 1, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > _MOST_HEADERS:  # at once: thousands of them take long
            raise ValueError("the request has too many headers")  # answered with 400

    def on_headers_complete(self) -> None:
        self._head = 0
        length = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        if length > self.limits.max_head:
            raise ValueError("the head of the request is too long")  # answered with 400
        self._since = self.loop.time()
        received, self._bytes = self._bytes, b""
        exchange = self._exchange(received)
        if exchange is None:
            super().on_headers_complete()
        else:
            self.cycle = cast("Any", exchange)

    def _exchange(self, received: bytes) -> Exchange | None:
        """For a short request to which nothing applies that only uvicorn can do."""
        length = self._short_length()
        is_pipelined = self.cycle is not None and not self.cycle.response_complete
        if (
            is_pipelined
            or self.expect_100_continue
            or self.flow.write_paused
            or self.parser.should_upgrade()
            or self.parser.get_http_version() != "1.1"
            or length is None
        ):
            return None
        url = parse_url(self.url)
        path, scope = url.path, cast("Scope", self.scope)
        scope["method"] = self.parser.get_method().decode("ascii")
        scope["path"], scope["raw_path"] = path.decode("ascii"), path
        scope["query_string"] = url.query or b""
        handler = self.application.short_handler(scope)
        if handler is None:
            return None
        head, keep_alive = Head(scope, handler, length), self.parser.should_keep_alive()
        if keep_alive and not url.query:  # which often is the text
            self.heads.remember(received, head)
        return self._made(head, keep_alive=keep_alive)

    def _short_length(self) -> int | None:
        """Of the body, if any; None if it is unknown or not small."""
        length = 0
        for name, value in self.headers:
            if name == b"transfer-encoding":
                return None
            if name == b"content-length":
                length = int(value)
        return length if length <= min(_SHORT_BODY, self.limits.max_body) else None

    def on_message_complete(self) -> None:
        self._between = True
        self.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._joined.flush()
        self._since = self.loop.time()
        if self.pipeline:
            super().on_response_complete()
            return
        # Without uvicorn's timer for each request: `_look` closes idle connections, too.
        self.waiting[self] = None
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            self.flow.resume_reading()

    def _look_later(self) -> None:
        self._timer = self.loop.call_later(self.limits.idle_seconds / 2, self._look)

    def _look(self) -> None:
        """Ends a connection whose client neither sends nor reads what it should."""
        if self not in self.connections:
            return
        unread = self.transport.get_write_buffer_size()
        stuck = unread and unread == self._unread
        self._unread = unread
        late = self.loop.time() - self._since > self.limits.idle_seconds
        # A complete request that is being answered has a deadline of its own.
        answered = self.cycle is None or self.cycle.response_complete
        if late and answered and not (self._head or unread):  # idle between two requests
            self.transport.close()
        elif stuck or (late and answered):
            self.transport.abort()
        elif late and self.cycle.more_body and not self.cycle.response_started:
            self._refuse_slow_body()
        else:
            self._look_later()

    def _refuse_slow_body(self) -> None:
        self._refuse(408, "the request was not complete in time")
        self.cycle.disconnected = True  # the handler gets no more of it, and sends nothing
        self.cycle.message_event.set()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, msg)

    def _refuse(self, status: int, text: str) -> None:
        """Answers what no handler can, and closes the connection."""
        scope: Any = self.scope or {}  # of the latest request, as far as it is known
        path = getattr(self, "url", b"").partition(b"?")[0].decode("latin-1")
        response = fault(scope.get("method", ""), path, status, text, {"connection": "close"})
        headers = [*self.server_state.default_headers, *response.raw_headers, *HEADERS]
        lines = [b"%b: %b\r\n" % header for header in headers]
        self.transport.write(b"".join([STATUS_LINE[status], *lines, b"\r\n", bytes(response.body)]))
        self.transport.close()


def _is_method_of(owner: object, value: object) -> bool:
    return getattr(value, "__self__", None) is owner


def _do_nothing(*_arguments: object) -> None:
    pass


def guarded(options: ServeOptions, app: Application) -> type[Guarded]:
    """The protocol with the limits and handlers of a server."""
    own = {"limits": options, "application": app, "heads": Heads(), "waiting": {}}
    return type("Guarded", (Guarded,), own)


def listening(host: str, port: int) -> socket.socket:
    """A socket that accepts connections. Raises IoError if the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise IoError(
            "the address cannot be used", path=f"{host} port {port}", errno=error.errno or 0
        ) from None


class Server(uvicorn.Server):
    """Refuses new work when it is asked to stop, and ends when the running work has ended."""

    def __init__(
        self, app: Application, service: TranslationService, options: ServeOptions
    ) -> None:
        self._service, self._stop_seconds = service, options.stop_seconds
        self._stop_by = math.inf  # monotonic time
        self._accepted: list[Any] = []  # cycles of the requests that may end before the server does
        self._protocol = guarded(options, app)
        settings: dict[str, Any] = {
            "http": self._protocol,
            "ws": "none",
            "lifespan": "off",
            "log_config": None,
            "access_log": False,
            "server_header": False,
            "loop": "asyncio:SelectorEventLoop",  # watches sockets of other threads, on Windows too
            "proxy_headers": False,
        }
        super().__init__(uvicorn.Config(app, **settings))
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.stop_gently()
        super().handle_exit(sig, frame)

    def stop_gently(self) -> None:
        """Running requests end, new ones are refused, then the server ends."""
        self._service.scheduler.refuse_jobs()
        self.should_exit = True

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        self._protocol.mailbox = Mailbox(loop)
        with self._service.scheduler.collected_on(loop):
            await super().serve(sockets)

    async def on_tick(self, counter: int) -> bool:
        for exchange in self._exchanges():
            exchange.check_deadline()
        return await super().on_tick(counter) and self._has_ended()

    def _has_ended(self) -> bool:
        """Whether the requests that were complete before the stop have been answered.

        Until then new ones are, too: that the server is stopping. Nobody would answer them if the
        server no longer listened.
        """
        if self._stop_by == math.inf:
            self._stop_by = time.monotonic() + self._stop_seconds
            self._accepted = [cycle for cycle in self._cycles() if not cycle.more_body]
        if self.force_exit or time.monotonic() >= self._stop_by:
            return True
        running = [cycle for cycle in self._accepted if not cycle.response_complete]
        return not self._service.scheduler.unfinished and all(one.disconnected for one in running)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        left: Any = max(_LAST_SECONDS, self._stop_by - time.monotonic())
        self.config.timeout_graceful_shutdown = left
        await super().shutdown(sockets)
        for one in list(self.server_state.connections):  # there was no time left for them
            cast("Guarded", one).transport.abort()
        await asyncio.sleep(0)  # until their requests know

    def _cycles(self) -> list[Any]:
        """The latest request of each connection and its answer."""
        cycles = [cast("Guarded", one).cycle for one in self.server_state.connections]
        return [cycle for cycle in cycles if cycle is not None]

    def _exchanges(self) -> list[Exchange]:
        return [cycle for cycle in self._cycles() if isinstance(cycle, Exchange)]

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn's, but a signal that has stopped the server gently is not raised again."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {one: signal.signal(one, self.handle_exit) for one in _SIGNALS}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
