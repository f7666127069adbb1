"""The outermost layer of the server: access log, metrics, security headers, and no tracebacks."""

from __future__ import annotations

import json
import logging
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from demotic.serve.faults import failure
from demotic.serve.http import NOTE

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from demotic.serve.bodies import BodyMemory
    from demotic.serve.metrics import Metrics

__all__ = ["ACCESS", "HEADERS", "Watch"]

ACCESS = logging.getLogger("demotic.serve.access")
_ERRORS = logging.getLogger("demotic.serve")
_SECRET = re.compile("(?<=/download_file/).+", re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


def _shown(path: str) -> str:
    """For the log, without the key by which a client finds its document."""
    return _SECRET.sub("...", path[:200])


class Watch:
    """ASGI middleware."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, bodies: BodyMemory, *, log_texts: bool = False
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._bodies = bodies
        self._log_texts = log_texts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        scope[NOTE] = {}
        try:
            await self._app(scope, receive, watched)
        except Exception:
            response = self.failed(scope)
            if not status:
                await response(scope, receive, watched)
        finally:
            self._bodies.release(scope)
            self.record(scope, status, time.monotonic() - started)

    def failed(self, scope: Scope) -> Response:
        """The answer to a request whose handler has raised an exception."""
        # The log has the traceback; the client must not.
        _ERRORS.exception("internal error while answering %s", _shown(scope["path"]))
        return failure(scope)

    def record(self, scope: Scope, status: int, seconds: float) -> None:
        facts: dict[str, Any] = scope[NOTE]
        texts = facts.pop("texts", None)
        pair, sentences = facts.get("pair", ""), facts.get("sentences", 0)
        dialect = facts.get("dialect", "other")
        self._metrics.count(dialect, status, seconds, pair, sentences, facts.get("characters", 0))
        if not ACCESS.isEnabledFor(logging.INFO):
            return
        client = scope.get("client")
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "client": client[0] if client else "",
            "method": scope["method"],
            "path": _shown(scope["path"]),  # without the query, which may hold text
            "status": status,
            "ms": round(1000 * seconds, 1),
            **facts,
        }
        if self._log_texts and texts is not None:
            line["texts"] = texts
        ACCESS.info(json.dumps(line, ensure_ascii=False))
