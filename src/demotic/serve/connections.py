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
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from demotic.errors import IoError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from demotic.serve.options import ServeOptions
    from demotic.serve.service import TranslationService

__all__ = ["Server", "guarded", "listening"]

_LONGEST_HEAD = 64 * 1024  # bytes: clients of some dialects send the text in the URL
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_KEEP_ALIVE = 5  # seconds between two requests of a connection


class Guarded(HttpToolsProtocol):
    """uvicorn's protocol with limits on connections and on the patience with each."""

    limits: ClassVar[ServeOptions]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Head and body of an answer are written separately: without this, the body waits for
        # the client's delayed acknowledgement of the head, 40 ms.
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._since, self._unread, self._head = self.loop.time(), 0, 0
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        self._look_later()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head:  # still incomplete
            self._head += len(data)
            if self._head > _LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        self._head = 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = 0
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > _LONGEST_HEAD:
            raise ValueError("the head of the request is too long")  # answered with 400
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    def _look_later(self) -> None:
        self.loop.call_later(self.limits.idle_seconds / 2, self._look)

    def _look(self) -> None:
        """Aborts a connection whose client neither sends nor reads what it should."""
        if self not in self.connections:
            return
        unread = self.transport.get_write_buffer_size()
        stuck = unread and unread == self._unread
        self._unread = unread
        # A request that is being answered has a deadline of its own.
        waits = self.cycle is None or self.cycle.response_complete
        if stuck or (waits and self.loop.time() - self._since > self.limits.idle_seconds):
            self.transport.abort()
        else:
            self._look_later()


def guarded(options: ServeOptions) -> type[Guarded]:
    """The protocol with the limits of a server."""
    return type("Guarded", (Guarded,), {"limits": options})


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
            "loop": "asyncio",
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
