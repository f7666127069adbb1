"""Errors outside of the handlers of a dialect, in the form that its clients read.

Unknown paths and methods, bodies that are too large, other host names, malformed requests and
internal errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from demotic.serve import apertium, moses
from demotic.serve.http import Json

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

__all__ = ["failure", "fault"]


def fault(
    method: str, path: str, status: int, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request with this method and path, as far as they are known."""
    response: Response
    if f"{path}/".startswith("/apy/"):
        response = Json(apertium.error_body(status, text), status)
    elif path == "/RPC2" or (method, path) == ("POST", "/"):
        response = moses.fault(text, status)
    else:
        response = Json({"error": text}, status)
    response.headers.update(headers or {})
    return response


def failure(scope: Scope) -> Response:
    """The answer to a request whose handler has raised an exception."""
    return fault(scope["method"], scope["path"], 500, "internal error")
