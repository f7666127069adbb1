"""The server process: connections that do nothing are closed, and a stop lets requests finish.

uvicorn closes connections that are idle between requests.  What it lacks is here: limits on
requests that never become complete, on answers that are never read, and on the length of heads.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from demotic.errors import IoError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from demotic.serve.options import ServeOptions
    from demotic.serve.service import TranslationService

__all__ = ["Server", "guarded", "listening"]

_LONGEST_HEAD = 64 * 1024  # bytes: clients of some dialects send the text in the URL
_MOST_HEADERS = 200
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_KEEP_ALIVE = 5  # seconds between two requests of a connection


class Joined:
    """A transport that sends the head of an answer together with its body, in one packet."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._head = b""

    def write(self, data: bytes) -> None:
        # Only an answer of known length is certain to go on without a pause.
        if not self._head and data.startswith(b"HTTP/1.1 ") and b"\ncontent-length: " in data:
            self._head = data
        else:
            self._transport.write(self._head + data)
            self._head = b""

    def flush(self) -> None:
        if self._head:
            self._transport.write(self._head)
            self._head = b""

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Guarded(HttpToolsProtocol):
    """uvicorn's protocol with limits on connections and on the patience with each."""

    limits: ClassVar[ServeOptions]
    waiting: ClassVar[dict[Guarded, None]]  # without a complete request, longest first

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._joined = Joined(transport)
        super().connection_made(cast("asyncio.Transport", self._joined))
        # The last packet of an answer must not wait for the client's delayed acknowledgement of
        # the one before, 40 ms.
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._since, self._unread, self._head = self.loop.time(), 0, 0
        if len(self.connections) > self.limits.connections and not self._displace():
            transport.abort()
            return
        self.waiting[self] = None
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.pop(self, None)
        super().connection_lost(exc)

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
        super().data_received(data)
        if self._head:  # still incomplete
            self._head += len(data)
            if self._head > _LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        self._head = 1
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > _MOST_HEADERS:
            raise ValueError("the request has too many headers")  # answered with 400

    def on_headers_complete(self) -> None:
        self._head = 0
        length = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        if length > _LONGEST_HEAD:
            raise ValueError("the head of the request is too long")  # answered with 400
        self._since = self.loop.time()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._joined.flush()
        if not self.pipeline:
            self.waiting[self] = None
        self._since = self.loop.time()
        super().on_response_complete()

    def _look_later(self) -> None:
        self.loop.call_later(self.limits.idle_seconds / 2, self._look)

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
        if stuck or (late and answered):
            self.transport.abort()
        elif late and self.cycle.more_body and not self.cycle.response_started:
            self._refuse_slow_body()
        else:
            self._look_later()

    def _refuse_slow_body(self) -> None:
        text = b'{"error":"the request was not complete in time"}'
        head = b"HTTP/1.1 408 Request Timeout\r\ncontent-type: application/json\r\n"
        self.transport.write(head + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(text))
        self.transport.write(text)
        self.cycle.disconnected = True  # the handler gets no more of it, and sends nothing
        self.cycle.message_event.set()
        self.transport.close()


def guarded(options: ServeOptions) -> type[Guarded]:
    """The protocol with the limits of a server."""
    return type("Guarded", (Guarded,), {"limits": options, "waiting": {}})


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

    def __init__(self, app: Starlette, service: TranslationService, options: ServeOptions) -> None:
        self._service = service
        settings: dict[str, Any] = {
            "http": guarded(options),
            "ws": "none",
            "lifespan": "off",
            "log_config": None,
            "access_log": False,
            "server_header": False,
            "loop": "asyncio:SelectorEventLoop",  # watches sockets of other threads, on Windows too
            "timeout_keep_alive": _KEEP_ALIVE,
            "timeout_graceful_shutdown": max(1, round(options.stop_seconds)),
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
        with self._service.scheduler.collected_on(asyncio.get_running_loop()):
            await super().serve(sockets)

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
