"""The dialect of OPUS-CAT, FakeMT and Wordfast's custom machine translation: text in the URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.serve.direct import ShortRoute
from demotic.serve.http import (
    Json,
    answered,
    note,
    read_fields,
    service_of,
    status_of,
    text_field,
)
from demotic.serve.service import TranslationRequest
from demotic.serve.waiting import finished

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from demotic.serve.refusals import Refusal

__all__ = ["ROUTES", "translate_get"]


def _refused(refusal: Refusal) -> Response:
    return Json({"error": refusal.found}, status_of(refusal))


_answered = answered("opuscat", _refused)


@_answered
async def _translate_json(request: Request) -> Response:
    fields = await read_fields(request)
    request.app.state.keys.check(request, fields.get("tokenCode"))
    return await _translation(
        request,
        text_field(fields, "input"),
        text_field(fields, "srcLangCode"),
        text_field(fields, "trgLangCode"),
    )


@_answered
async def translate_get(request: Request) -> Response:
    """GET /translate?source=&target=&text="""
    fields = await read_fields(request)
    request.app.state.keys.check(request, fields.get("api_key"))
    names = ("text", "source", "target")
    return await _translation(request, *(text_field(fields, name) for name in names))


async def _translation(request: Request, text: str, source: str, target: str) -> Response:
    wanted = TranslationRequest(texts=[text], source=source, target=target)
    (found,) = await finished(request, service_of(request).translate(wanted))
    note(
        request,
        pair=f"{found.model.source}-{found.model.target}",
        sentences=len(found.sentences),
        characters=len(text),
        texts=[text],
    )
    return Json({"translation": found.text})


ROUTES = [
    ShortRoute(f"/MTRestService/{name}", _translate_json, methods=["GET", "POST"])
    for name in ("TranslateJson", "TranslatePost")
]
