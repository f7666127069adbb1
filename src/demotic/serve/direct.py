"""The application of Starlette with a shorter way to its handlers.

A request by a known host name to a known path is answered after one look-up.  Middleware, which
wraps every message once more, and regular expressions for all routes would take longer than all
else about a short text except for its translation.  Other requests go that way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from demotic.serve.http import Json

if TYPE_CHECKING:
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Application"]

Handler = Callable[[Request], Awaitable[Response]]
ErrorHandler = Callable[[Request, HTTPException], Awaitable[Response]]


class Application(Starlette):
    """`hosts` are the names by which requests take the short way."""

    def __init__(
        self,
        routes: Sequence[Route],
        *,
        hosts: Sequence[str],
        watch: Callable[[ASGIApp], ASGIApp],
        http_error: ErrorHandler,
        **settings: Any,
    ) -> None:
        """`watch` makes the outermost layer on either way."""
        handlers: dict[Any, Any] = {HTTPException: http_error, Exception: _failed}
        super().__init__(routes=routes, exception_handlers=handlers, **settings)
        self._watched = watch(self._answer)
        self._hosts = frozenset(host.encode() for host in hosts)
        self._http_error = http_error
        self._handlers: dict[tuple[str, str], Handler] = {
            (method, route.path): route.endpoint
            for route in reversed(routes)  # the first one wins
            for method in (route.methods or set()) - {"HEAD"}
            if not route.param_convertors
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self._watched(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self._handler(scope)
        if handler is None:
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await handler(request)
        except HTTPException as error:
            response = await self._http_error(request, error)
        await response(scope, receive, send)

    def _handler(self, scope: Scope) -> Handler | None:
        if scope["type"] != "http":
            return None
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if host.partition(b":")[0] not in self._hosts:
            return None
        return self._handlers.get((scope["method"], scope["path"]))


async def _failed(_request: Request, _error: Exception) -> Response:
    return Json({"error": "internal error"}, 500)  # the outermost layer logs it
