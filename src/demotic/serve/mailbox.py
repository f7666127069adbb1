"""Callbacks from other threads to the event loop, which is woken once for several of them.

asyncio wakes its loop for each callback, by a write that gives up the interpreter.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

__all__ = ["Mailbox"]


class Mailbox:
    """Made on the thread of the loop; thread-safe."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._thread = threading.get_ident()
        self._posted: deque[Callable[[], None]] = deque()
        self._woken = False
        self._lock = threading.Lock()

    def post(self, callback: Callable[[], None]) -> None:
        """Runs it on the loop: soon, unless that is closed, or at once if this is its thread."""
        if threading.get_ident() == self._thread:
            callback()
            return
        self._posted.append(callback)
        with self._lock:
            woken, self._woken = self._woken, True
        if not woken:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            self._woken = False
        while self._posted:
            self._posted.popleft()()
