"""The application of Starlette with shorter ways to its handlers.

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
from starlette.routing import Route

from demotic.serve.http import NOTE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from demotic.serve.watch import Watch

__all__ = ["Application", "Handler", "ShortRoute"]

Handler = Callable[[Request], Awaitable[Response]]
ErrorHandler = Callable[[Request, HTTPException], Awaitable[Response]]


class ShortRoute(Route):
    """A route whose handler waits for nothing but its body and a job, and does not stream."""


class Application(Starlette):
    """`hosts` are the names by which requests take a short way, with * among them any.

    If there are `sites`, requests of their pages need headers of middleware and go the long way.
    """

    def __init__(
        self,
        routes: Sequence[Route],
        *,
        hosts: Sequence[str],
        sites: bool,
        watch: Callable[[ASGIApp], Watch],
        http_error: ErrorHandler,
        failed: Callable[[Scope], Response],
        **settings: Any,
    ) -> None:
        """`watch` makes the outermost layer on every way, which logs what has failed."""

        async def answer_failed(request: Request, _error: Exception) -> Response:
            return failed(request.scope)

        handlers: dict[Any, Any] = {HTTPException: http_error, Exception: answer_failed}
        super().__init__(routes=routes, exception_handlers=handlers, **settings)
        self.watch = watch(self._answer)
        self._hosts = frozenset(host.encode() for host in hosts)
        self._sites = sites
        self._http_error = http_error
        self._routes = {
            (method, route.path): route
            for route in reversed(routes)  # the first one wins
            for method in (route.methods or set()) - {"HEAD"}
            if not route.param_convertors
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self.watch(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route(scope) if scope["type"] == "http" else None
        if route is None:
            await super().__call__(scope, receive, send)
            return
        response = await self.response(route.endpoint, Request(scope, receive))
        await response(scope, receive, send)

    def short_handler(self, scope: Scope) -> Handler | None:
        """Of a request that an Exchange can answer, for which its scope is completed."""
        route = self._route(scope)
        if not isinstance(route, ShortRoute):
            return None
        scope["app"], scope[NOTE] = self, {}
        handler: Handler = route.endpoint
        return handler

    async def response(self, handler: Handler, request: Request) -> Response:
        try:
            return await handler(request)
        except HTTPException as error:
            return await self._http_error(request, error)

    def _route(self, scope: Scope) -> Route | None:
        headers = scope["headers"]
        host = next((value for name, value in headers if name == b"host"), b"")
        if host.partition(b":")[0] not in self._hosts and b"*" not in self._hosts:
            return None
        if self._sites and any(name == b"origin" for name, _ in headers):
            return None
        return self._routes.get((scope["method"], scope["path"]))
