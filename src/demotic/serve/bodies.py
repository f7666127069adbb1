"""Memory for the bodies of requests, bounded over all of them.

The limit of one document times the number of connections would be gigabytes.  What a body takes
beyond the size of usual requests is counted, as it arrives and until the request has been answered;
a request that finds no memory left is refused and can be repeated.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from demotic.serve.refusals import Busy

if TYPE_CHECKING:
    from starlette.types import Scope

__all__ = ["BodyMemory"]

_USUAL = 64 * 1024  # bytes that every request may have; uvicorn buffers as many by itself
_HELD = "demotic.held"  # in the scope of a request: the bytes that are counted for it
_AGAIN = 10  # seconds


class BodyMemory:
    """At most `size` bytes of large bodies. Thread-safe."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """Bytes."""
        return self._left

    def expect(self, size: int) -> None:
        """Raises Busy if a body of this size would not fit now.

        Nothing is counted for it: a client could announce much and send nothing.
        """
        if size - _USUAL > self._left:
            raise Busy(_AGAIN)

    def hold(self, scope: Scope, size: int) -> None:
        """Counts a body, of which so many bytes have been received. Raises Busy."""
        if size <= _USUAL:
            return
        with self._lock:
            more = size - _USUAL - scope.get(_HELD, 0)
            if more > self._left:
                raise Busy(_AGAIN)
            self._left -= more
            scope[_HELD] = size - _USUAL

    def release(self, scope: Scope) -> None:
        """The request has been answered."""
        if _HELD in scope:
            with self._lock:
                self._left += scope.pop(_HELD)
