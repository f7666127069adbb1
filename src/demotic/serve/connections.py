"""The server process: connections that do nothing are closed, and a stop lets requests finish.

uvicorn closes connections that are idle between requests.  What it lacks is closed here: requests
that never become complete, and answers that are never read.
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
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from demotic.errors import IoError

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from demotic.serve.options import ServeOptions
    from demotic.serve.service import TranslationService

__all__ = ["Server", "guarded", "listening"]

_REQUEST_LINE = 64 * 1024  # bytes of the head: clients of some dialects send the text in the URL
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_KEEP_ALIVE = 5  # seconds between two requests of a connection


def guarded(options: ServeOptions) -> type[H11Protocol]:
    """uvicorn's protocol with limits on connections and on the patience with each."""

    class Guarded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            # Head and body of an answer are written separately: without this, the body waits for
            # the client's delayed acknowledgement of the head, 40 ms.
            connection = transport.get_extra_info("socket")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._since, self._unread = self.loop.time(), 0
            if len(self.connections) > options.connections:
                transport.abort()
                return
            self._look_later()

        def on_response_complete(self) -> None:
            self._since = self.loop.time()
            super().on_response_complete()

        def _look_later(self) -> None:
            self.loop.call_later(options.idle_seconds / 2, self._look)

        def _look(self) -> None:
            """Aborts a connection whose client neither sends nor reads what it should."""
            if self not in self.connections:
                return
            unread = self.transport.get_write_buffer_size()
            stuck = unread and unread == self._unread
            self._unread = unread
            # A request that is being answered has a deadline of its own.
            waits = self.cycle is None or self.cycle.response_complete
            if stuck or (waits and self.loop.time() - self._since > options.idle_seconds):
                self.transport.abort()
            else:
                self._look_later()

    return Guarded


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
            "h11_max_incomplete_event_size": _REQUEST_LINE,
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
