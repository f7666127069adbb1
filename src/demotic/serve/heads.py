"""Heads of short requests, which are parsed once.

A program repeats the heads of its requests; with POST, only the length of the body differs.
Reading a head and finding its handler takes longer than to recognise its bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from starlette.types import Scope

    from demotic.serve.direct import Handler

__all__ = ["Head", "Heads"]

# No parser sees its end elsewhere.
_PLAIN = re.compile(rb"(?:[ -~]+\r\n)+\r\n")
_LONGEST = 1024  # bytes
_MOST = 1024


class Head(NamedTuple):
    """What follows from a head alone."""

    scope: Scope
    handler: Handler
    length: int
    """Bytes of the body."""


class Heads:
    """Heads by their bytes, a bounded number."""

    def __init__(self) -> None:
        self._known: dict[bytes, Head] = {}
        self.find = self._known.get

    def __len__(self) -> int:
        return len(self._known)

    def remember(self, data: bytes, head: Head) -> None:
        """`data` is the head as it was received."""
        if len(data) > _LONGEST or not _PLAIN.fullmatch(data):
            return
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[data] = head
