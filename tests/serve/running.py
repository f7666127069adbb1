"""A server on a free port of this machine, in a thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from demotic.serve.app import application
from demotic.serve.connections import Server, listening
from demotic.serve.service import TranslationService

__all__ = ["Running", "connected", "running"]


class Running:
    """Where it listens, and how to stop it."""

    def __init__(self, port: int, server: Server, service: TranslationService) -> None:
        self.port, self.server, self.service = port, server, service

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def idle(self, seconds: float = 10.0) -> bool:
        """Waits until no job is left."""
        deadline = time.monotonic() + seconds
        while self.service.scheduler.unfinished and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.service.scheduler.unfinished


@contextmanager
def running(service: TranslationService, **settings: Any) -> Iterator[Running]:
    with listening("127.0.0.1", 0) as place:
        server = Server(application(service, **settings), service, service.limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 20
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            yield Running(place.getsockname()[1], server, service)
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def connected(port: int, seconds: float = 10.0) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), seconds) as made:
        yield made
