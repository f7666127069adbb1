"""Only requests by a known host name are answered.

Otherwise a web site could reach the server through a visitor's browser, by a name of its own that
leads to this machine (DNS rebinding).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.serve.faults import fault

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["KnownHosts"]

_HOST = re.compile(rb"(\[[0-9a-f:.]+\]|[^][:/@\s]+)(:[0-9]*)?", re.IGNORECASE)


class KnownHosts:
    """ASGI middleware. `hosts` are names, `*.example.org` for all below one, or `*` for any."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._names = frozenset(host.lower() for host in hosts)
        self._endings = tuple(host[1:].lower() for host in hosts if host.startswith("*."))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._knows(scope):
            await self._app(scope, receive, send)
            return
        response = fault(scope["method"], scope["path"], 400, "this host name is not allowed")
        await response(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        if "*" in self._names:
            return True
        given = next((value for name, value in scope["headers"] if name == b"host"), b"")
        found = _HOST.fullmatch(given)
        if found is None:
            return False
        name = found[1].decode("latin-1").lower()
        return name in self._names or bool(self._endings and name.endswith(self._endings))
