"""What all dialects share: reading requests, keys, statuses of refusals."""

from __future__ import annotations

import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from demotic.serve import refusals
from demotic.serve.refusals import BadRequest, Busy, NotAllowed, Refusal, Stopping, Vanished

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

    from demotic.serve.bodies import BodyMemory
    from demotic.serve.service import TranslationService

__all__ = [
    "NOTE",
    "Fields",
    "Json",
    "JsonText",
    "Keys",
    "answered",
    "check_encoding",
    "flag",
    "form_of",
    "json_body",
    "note",
    "number",
    "read_body",
    "read_document",
    "read_fields",
    "refusal_headers",
    "service_of",
    "status_of",
    "text_field",
]

Fields = Mapping[str, Any]
Handler = Callable[["Request"], Awaitable[Response]]

NOTE = "demotic.note"  # what the access log says about a request
# Python looks for others among its modules, and remembers every name that is none.
_ENCODINGS = {"utf-8", "utf8", "utf-16", "us-ascii", "iso-8859-1", "latin1", "windows-1252"}
_MAX_FIELDS = 2000  # of a form
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STATUS: dict[type[Refusal], int] = {
    refusals.BadRequest: 400,
    refusals.TooLarge: 400,
    refusals.LargeDocument: 413,
    refusals.UnknownLanguage: 400,
    refusals.UnknownPair: 400,
    refusals.NotSupported: 400,
    refusals.NotAllowed: 403,
    refusals.Busy: 429,
    refusals.Vanished: 499,
    refusals.Stopping: 503,
    refusals.Late: 504,
}


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


class JsonText:
    """A value as JSON in which other scripts than Latin are readable."""

    def __init__(self, value: Any) -> None:
        self.data = _ENCODER.encode(value).encode("utf-8", "replace")


class Json(JSONResponse):
    """Of a value, or of what is JSON already."""

    def render(self, content: Any) -> bytes:
        return content.data if isinstance(content, JsonText) else JsonText(content).data

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        if headers:
            super().init_headers(headers)
        else:  # the same in less time
            length = b"%d" % len(self.body)
            self.raw_headers = [
                (b"content-length", length),
                (b"content-type", b"application/json"),
            ]


class Keys:
    """The keys of clients; none: everyone is allowed."""

    def __init__(self, keys: tuple[str, ...] = ()) -> None:
        self._keys = tuple(key.encode() for key in keys)

    @property
    def required(self) -> bool:
        return bool(self._keys)

    def check(self, request: Request, given: object = None, *, required: bool = True) -> None:
        """`given` is the key in the dialect's own field. Raises NotAllowed.

        If it is not `required` yet, because the body may have it, only a wrong key is refused.
        """
        if not self._keys:
            return
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        offered = [token] if scheme.lower() == "bearer" else []
        offered += [given] if isinstance(given, str) else []
        if not offered and not required:
            return
        # Every key is compared, so that the time does not depend on which one is right.
        same = [
            hmac.compare_digest(one.encode("utf-8", "replace"), key)
            for one in offered
            for key in self._keys
        ]
        if not any(same):
            found = "the key is not valid" if offered else "a key is required"
            raise NotAllowed(f"{found}; ask the operator of this server for one")


def service_of(request: Request) -> TranslationService:
    service: TranslationService = request.app.state.service
    return service


def note(request: Request, **facts: Any) -> None:
    """Adds to the line of the access log."""
    request.scope.setdefault(NOTE, {}).update(facts)


def status_of(refusal: Refusal) -> int:
    return _STATUS[type(refusal)]


def refusal_headers(refusal: Refusal) -> dict[str, str]:
    if isinstance(refusal, Busy):
        return {"Retry-After": str(refusal.seconds)}
    return {"Retry-After": "5"} if isinstance(refusal, Stopping) else {}


def answered(dialect: str, refused: Callable[[Refusal], Response]) -> Callable[[Handler], Handler]:
    """Makes a handler answer refusals in the form of its dialect."""

    def decorate(handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            note(request, dialect=dialect)
            try:
                return await handler(request)
            except Refusal as refusal:
                note(request, refused=type(refusal).__name__)
                response = refused(refusal)
                response.headers.update(refusal_headers(refusal))
                # Frames refer to the future that has raised it, and would be freed late.
                refusal.__traceback__ = refusal.__context__ = None
                return response

        return answer

    return decorate


async def read_body(request: Request, limit: int | None = None) -> bytes:
    """Raises HTTPException 413 for too much, Busy if others have too much at the same time.

    `connections.py` answers clients that are too slow.
    """
    if hasattr(request, "_body"):  # an Exchange has received it
        return request._body
    limit = limit or service_of(request).limits.max_body
    headers = request.scope["headers"]
    length = int(next((value for name, value in headers if name == b"content-length"), 0))
    if length > limit:
        raise _too_large(limit)
    memory: BodyMemory = request.app.state.bodies
    memory.expect(length)
    body, more = bytearray(), True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Vanished("the client has closed the connection")
        body += message.get("body", b"")
        if len(body) > limit:
            raise _too_large(limit)
        memory.hold(request.scope, len(body))
        more = message.get("more_body", False)
    request._body = bytes(body)  # where Starlette's reader of forms finds it
    return request._body


async def read_document(request: Request) -> bytes:
    """The body of a request that may be long. Raises Stopping as well."""
    service = service_of(request)
    if service.scheduler.is_stopping:
        raise Stopping("the server is shutting down")
    return await read_body(request, service.limits.max_document)


def _too_large(limit: int) -> HTTPException:
    close = {"Connection": "close"}  # the rest of the body is not read
    return HTTPException(413, f"a request has at most {limit} bytes", close)


async def json_body(request: Request) -> dict[str, Any]:
    """A JSON object, whatever its declared type."""
    return _json_object(await read_body(request))


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        values = _DECODER.decode(body.decode().removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise BadRequest("the body is not valid JSON") from None
    if not isinstance(values, dict):
        raise BadRequest("the body is not a JSON object")
    return values


async def read_fields(request: Request) -> dict[str, Any]:
    """The fields of a JSON object, of a form (repeated ones as a list), and of the query."""
    asked = request.scope["query_string"]
    query = _listed(request.query_params.multi_items()) if asked else {}
    if request.method in ("GET", "HEAD"):
        return query
    body = await read_body(request)
    # Programs such as curl call any body a form unless told otherwise.
    if body.lstrip().startswith(b"{"):
        return query | _json_object(body)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return query | _urlencoded(body)
    if kind == "multipart/form-data":
        return query | await _form(request)
    return query | (_json_object(body) if body.strip() else {})


def _urlencoded(body: bytes) -> dict[str, Any]:
    """Also with characters that should have been encoded, as curl -d sends them."""
    text = body.decode("utf-8", "replace")
    try:
        items = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise BadRequest(f"the form cannot be read: {error}") from None
    return _listed(items)


async def _form(request: Request) -> dict[str, Any]:
    size = service_of(request).limits.max_body
    async with form_of(request, max_files=1, max_fields=_MAX_FIELDS, max_part_size=size) as form:
        items = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
        files = any(isinstance(value, UploadFile) for value in form.values())
    if files:
        raise BadRequest("a file in a form for text")
    return _listed(items)


def _listed(items: list[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in items:
        if name in found:
            known = found[name]
            found[name] = [*known, value] if isinstance(known, list) else [known, value]
        else:
            found[name] = value
    return found


@asynccontextmanager
async def form_of(request: Request, **limits: int) -> AsyncIterator[FormData]:
    """A form with or without files, whose body has been read. Raises BadRequest."""
    _, options = parse_options_header(request.headers.get("content-type", ""))
    try:
        check_encoding(options.get(b"charset", b"utf-8").decode("latin-1"))
        async with request.form(**limits) as form:
            yield form
    except (HTTPException, ValueError) as error:
        reason = error.detail if isinstance(error, HTTPException) else error
        raise BadRequest(f"the form cannot be read: {reason}") from None


def check_encoding(name: str) -> None:
    """Raises ValueError for one that clients have no reason to use."""
    if name.lower() not in _ENCODINGS:
        raise ValueError(f"unknown encoding {name[:20]}")


def text_field(fields: Fields, name: str, default: str | None = None) -> str:
    """Raises BadRequest unless it is a string."""
    value = fields.get(name, default)
    if value is None:
        raise BadRequest(f"missing {name}")
    if not isinstance(value, str):
        raise BadRequest(f"{name} is not a string")
    return value


def number(fields: Fields, name: str, default: int) -> int:
    """A whole number, also as a string."""
    value = fields.get(name, default)
    try:
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise ValueError
        return int(value)
    except ValueError:
        raise BadRequest(f"{name} is not a whole number") from None


def flag(fields: Fields, name: str, default: bool = False) -> bool:
    """A boolean, also as a number or a word."""
    value = fields.get(name, default)
    if isinstance(value, str):
        return value.strip().lower() in ("true", "1", "yes", "on")
    return bool(value)
