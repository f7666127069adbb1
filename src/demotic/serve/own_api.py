"""Demotic's own API, below /v1: what no other dialect can express."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, get_args

from starlette.responses import StreamingResponse
from starlette.routing import Route

from demotic.constraints.markup import Format
from demotic.constraints.xml_input import XmlInput
from demotic.serve import views
from demotic.serve.details import details
from demotic.serve.direct import ShortRoute
from demotic.serve.http import (
    Fields,
    Json,
    JsonText,
    answered,
    flag,
    json_body,
    note,
    number,
    read_document,
    service_of,
    status_of,
    text_field,
)
from demotic.serve.refusals import BadRequest, Busy, Late, Refusal
from demotic.serve.service import TranslatedText, TranslationRequest
from demotic.serve.waiting import finished

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from demotic.serve.jobs import Check, Job
    from demotic.serve.served_model import ServedModel

__all__ = ["ROUTES"]

_LINE = re.compile(rb"\S[^\n]*")  # one that is not blank
_AHEAD = 4  # texts of a stream in the queue per thread
_PAUSE = 0.05  # seconds before a stream asks a full queue again


def _refused(refusal: Refusal) -> Response:
    return Json({"error": refusal.found}, status_of(refusal))


_answered = answered("v1", _refused)


@_answered
async def _translate(request: Request) -> Response:
    fields = await json_body(request)
    request.app.state.keys.check(request, fields.get("api_key"))
    wanted = _request(fields, text_field(fields, "text"))
    found, answer = await finished(request, service_of(request).translate(wanted, _detailed))
    _note(request, found)
    return Json(answer)


def _detailed(texts: list[TranslatedText]) -> tuple[TranslatedText, JsonText]:
    (found,) = texts
    return found, JsonText(details(found))


def _request(fields: Fields, text: str) -> TranslationRequest:
    wanted = fields.get("format", "text")
    if wanted not in get_args(Format):
        raise BadRequest(f"format is not one of {', '.join(get_args(Format))}")
    xml_input = fields.get("xml_input", "pass-through")
    if xml_input not in get_args(XmlInput):
        raise BadRequest(f"xml_input is not one of {', '.join(get_args(XmlInput))}")
    return TranslationRequest(
        texts=[text],
        source=text_field(fields, "source", ""),
        target=text_field(fields, "target", ""),
        alternatives=number(fields, "alternatives", 0),
        details=wanted == "text",
        confidence=wanted == "text",
        format=wanted,
        xml_input=xml_input,
    )


def _note(request: Request, found: TranslatedText) -> None:
    note(
        request,
        pair=f"{found.model.source}-{found.model.target}",
        sentences=len(found.sentences),
        characters=len(found.source.text),
        texts=[found.source.text],
    )


@_answered
async def _stream(request: Request) -> Response:
    """JSON lines in, JSON lines out, in order: one text per line, a string or an object."""
    request.app.state.keys.check(request, request.query_params.get("api_key"))
    body, limits = await read_document(request), service_of(request).limits

    def read() -> Iterator[TranslationRequest]:
        return _requests(request.query_params, body, limits.max_body)

    # Twice, so that a faulty line is found before the first answer, and requests need memory only
    # in their turn; for the first time on another thread, because other clients must not wait.
    note(request, sentences=await asyncio.to_thread(_counted, read(), limits.max_seconds))
    return StreamingResponse(_streamed(request, read()), media_type="application/x-ndjson")


def _requests(defaults: Fields, body: bytes, longest: int) -> Iterator[TranslationRequest]:
    """Of the lines that are not blank. Raises BadRequest for the first faulty one."""
    for i, line in enumerate(_LINE.finditer(body), 1):
        if line.end() - line.start() > longest:
            raise BadRequest(f"line {i} has more than {longest} bytes")
        yield _of_line(defaults, i, line[0])


def _counted(requests: Iterator[TranslationRequest], seconds: float) -> int:
    """Raises Late if there are too many of them to look at."""
    until, count = time.monotonic() + seconds, 0
    for _ in requests:
        count += 1
        if time.monotonic() > until:
            raise Late(f"the request took more than {seconds:g} seconds")
    return count


def _of_line(defaults: Fields, line: int, data: bytes) -> TranslationRequest:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise BadRequest(f"line {line} is not valid JSON") from None
    fields = {"text": value} if isinstance(value, str) else value
    if not isinstance(fields, dict):
        raise BadRequest(f"line {line} is neither a string nor an object")
    fields = {**defaults, **fields}
    try:
        return _request(fields, text_field(fields, "text"))
    except BadRequest as error:
        raise BadRequest(f"line {line}: {error.found}") from None


async def _streamed(request: Request, wanted: Iterator[TranslationRequest]) -> AsyncIterator[bytes]:
    ahead = _AHEAD * service_of(request).scheduler.threads
    jobs: deque[Job[JsonText] | Refusal] = deque()
    try:
        while True:
            for one in islice(wanted, ahead - len(jobs)):
                jobs.append(await _submitted(request, one))
            if not jobs:
                break
            yield await _line(jobs[0])
            jobs.popleft()
    finally:
        for job in jobs:  # the client has gone
            if not isinstance(job, Refusal):
                job.stop()


async def _submitted(request: Request, wanted: TranslationRequest) -> Job[JsonText] | Refusal:
    """A stream waits while the queue is full: its client has a place already."""
    while True:
        try:
            return service_of(request).translate(
                wanted, lambda found: _detailed(found)[1], accepted=True
            )
        except Busy:
            await asyncio.sleep(_PAUSE)
        except Refusal as refusal:
            return refusal


async def _line(job: Job[JsonText] | Refusal) -> bytes:
    try:
        if isinstance(job, Refusal):
            raise job
        answer = await asyncio.wrap_future(job.future)
    except Refusal as refusal:
        answer = JsonText({"error": refusal.found})
    return answer.data + b"\n"


@_answered
async def _models(request: Request) -> Response:
    return Json([one.description for one in service_of(request).models.values()])


def _view(work: Callable[[ServedModel, Fields, Check], dict[str, Any]]) -> Any:
    """A handler that runs `work` with the model of the pair, in the queue."""

    @_answered
    async def handler(request: Request) -> Response:
        fields = await json_body(request)
        request.app.state.keys.check(request, fields.get("api_key"))
        service = service_of(request)
        text = text_field(fields, "text")
        if len(text) > service.limits.max_characters:
            raise BadRequest(f"a text has at most {service.limits.max_characters} characters")
        model = service.model(text_field(fields, "source", ""), text_field(fields, "target", ""))
        note(request, pair=f"{model.source}-{model.target}", sentences=1, characters=len(text))
        note(request, texts=[text], drawings=flag(fields, "drawings"))
        job = service.run(lambda check: JsonText(work(model, fields, check)))
        return Json(await finished(request, job))

    return handler


ROUTES = [
    ShortRoute("/v1/translate", _translate, methods=["POST"]),
    Route("/v1/stream", _stream, methods=["POST"]),
    ShortRoute("/v1/models", _models, methods=["GET"]),
    ShortRoute("/v1/explain", _view(views.explanation), methods=["POST"]),
    ShortRoute("/v1/search", _view(views.search), methods=["POST"]),
    ShortRoute("/v1/forest", _view(views.forest), methods=["POST"]),
    ShortRoute("/v1/violations", _view(views.violations), methods=["POST"]),
]
