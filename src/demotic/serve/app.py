"""The application: all dialects over one service, behind the same guards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse

from demotic.serve import apertium, file_routes, libretranslate, moses, opuscat, own_api
from demotic.serve.bodies import BodyMemory
from demotic.serve.direct import Application, ShortRoute
from demotic.serve.faults import failure, fault
from demotic.serve.files import FileStore
from demotic.serve.hosts import KnownHosts
from demotic.serve.http import Json, Keys, answered, service_of
from demotic.serve.metrics import Metrics
from demotic.serve.page_files import page_routes
from demotic.serve.watch import Watch

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from demotic.serve.service import TranslationService

__all__ = ["LOCAL_HOSTS", "application"]

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def application(
    service: TranslationService,
    *,
    keys: Sequence[str] = (),
    hosts: Sequence[str] = LOCAL_HOSTS,
    origins: Sequence[str] = (),
) -> Application:
    """`hosts` are the names by which the server may be called, `origins` the sites whose pages may
    use it."""
    limits = service.limits
    largest = max(limits.max_buffered, limits.max_body, limits.max_document)
    metrics, bodies = Metrics(), BodyMemory(largest)
    middleware = [Middleware(KnownHosts, hosts)]
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(origins),
                allow_methods=["GET", "POST"],
                allow_headers=["Authorization", "Content-Type"],
            )
        )
    app = Application(
        [
            ShortRoute("/health", _health, methods=["GET"]),
            ShortRoute("/metrics", _metrics, methods=["GET"]),
            *libretranslate.ROUTES,
            *opuscat.ROUTES,
            *apertium.ROUTES,
            *moses.ROUTES,
            *own_api.ROUTES,
            *file_routes.ROUTES,
            *page_routes(),
        ],
        hosts=hosts,
        sites=bool(origins),
        watch=lambda inner: Watch(inner, metrics, bodies, log_texts=limits.log_texts),
        http_error=_http_error,
        failed=failure,
        middleware=middleware,
    )
    app.state.service, app.state.keys, app.state.metrics = service, Keys(tuple(keys)), metrics
    app.state.files, app.state.bodies = FileStore(), bodies
    return app


async def _health(request: Request) -> Response:
    if service_of(request).scheduler.is_stopping:
        return Json({"status": "stopping"}, 503)
    return Json({"status": "ok"})


@answered("metrics", libretranslate.refused)
async def _metrics(request: Request) -> Response:
    request.app.state.keys.check(request)
    service = service_of(request)
    gauges = {
        "unfinished_requests": ("Requests that run or wait.", service.scheduler.unfinished),
        "threads": ("Threads that translate.", service.scheduler.threads),
        "models": ("Models that are served.", len(service.models)),
    }
    text = request.app.state.metrics.text(gauges)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def _http_error(request: Request, error: HTTPException) -> Response:
    """Unknown paths, wrong methods, bodies that are too large."""
    scope, status = request.scope, error.status_code
    return fault(scope["method"], scope["path"], status, error.detail, error.headers)
