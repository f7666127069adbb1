"""The files of the page, read once when the server starts."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from demotic.report.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

__all__ = ["page_routes"]

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


def page_routes() -> list[Route]:
    """GET / is the page; its scripts and styles are below /page."""
    found = {
        file.name: file.read_bytes()
        for file in files("demotic.serve").joinpath("page").iterdir()
        if file.name.endswith(tuple(_TYPES))
    }
    found["drawings.css"] = STYLE.encode()  # the style of all reports
    routes = [Route(f"/page/{name}", _file(name, data)) for name, data in found.items()]
    return [
        Route("/", _file("index.html", found["index.html"])),
        Route("/v1/openapi.json", _file("openapi.json", found["openapi.json"])),
        *routes,
    ]


def _file(name: str, data: bytes) -> Callable[[Request], Awaitable[Response]]:
    mark = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    headers = {"ETag": mark, "Cache-Control": "no-cache"}
    kind = _TYPES[name[name.rindex(".") :]]

    async def get(request: Request) -> Response:
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)

    return get
