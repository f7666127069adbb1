"""The dialect of LibreTranslate, at the root of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic.serve.direct import ShortRoute
from demotic.serve.files import suffixes
from demotic.serve.http import (
    Fields,
    Json,
    answered,
    note,
    number,
    read_fields,
    service_of,
    status_of,
    text_field,
)
from demotic.serve.opuscat import translate_get
from demotic.serve.refusals import BadRequest, Late, NotAllowed, Refusal
from demotic.serve.service import Detected, TranslatedText, TranslationRequest
from demotic.serve.waiting import finished
from demotic.text.language_names import language_name

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["ROUTES", "refused"]


def refused(refusal: Refusal) -> Response:
    # Clients of this dialect know 400, 403, 429 and 500.
    status = 500 if isinstance(refusal, Late) else status_of(refusal)
    return Json({"error": refusal.found}, status)


_answered = answered("libretranslate", refused)


@_answered
async def _translate(request: Request) -> Response:
    fields = await read_fields(request)
    request.app.state.keys.check(request, fields.get("api_key"))
    texts, is_list = _texts(fields)
    job = service_of(request).translate(
        TranslationRequest(
            texts=texts,
            source=text_field(fields, "source"),
            target=text_field(fields, "target"),
            alternatives=number(fields, "alternatives", 0),
            format=_format(fields),
        )
    )
    found = await finished(request, job)
    _note(request, found)
    return Json(_answer(fields, found, is_list))


def _texts(fields: Fields) -> tuple[list[str], bool]:
    given = fields.get("q")
    if given is None:
        raise BadRequest("Invalid request: missing q parameter")
    texts = given if isinstance(given, list) else [given]
    if not all(isinstance(text, str) for text in texts):
        raise BadRequest("Invalid request: q is neither a string nor a list of strings")
    return texts, isinstance(given, list)


def _format(fields: Fields) -> Any:
    wanted = fields.get("format") or "text"
    if wanted not in ("text", "html"):
        raise BadRequest(f"{str(wanted)[:20]} format is not supported")
    return wanted


def _answer(fields: Fields, found: list[TranslatedText], is_list: bool) -> dict[str, Any]:
    values: dict[str, list[Any]] = {"translatedText": [one.text for one in found]}
    if number(fields, "alternatives", 0):
        values["alternatives"] = [one.alternatives for one in found]
    if fields.get("source") == "auto":
        values["detectedLanguage"] = [_detected(one.detected) for one in found if one.detected]
    return {name: value if is_list else value[0] for name, value in values.items()}


def _detected(one: Detected) -> dict[str, Any]:
    return {"confidence": one.confidence, "language": one.language}


def _note(request: Request, found: list[TranslatedText]) -> None:
    note(
        request,
        pair="-".join([found[0].model.source, found[0].model.target]) if found else "",
        sentences=sum(len(one.sentences) for one in found),
        characters=sum(len(one.source.text) for one in found),
        texts=[one.source.text for one in found],
    )


@_answered
async def _languages(request: Request) -> Response:
    service = service_of(request)
    return Json(
        [
            {"code": code, "name": language_name(code), "targets": service.targets(code)}
            for code in service.sources
        ]
    )


@_answered
async def _detect(request: Request) -> Response:
    fields = await read_fields(request)
    request.app.state.keys.check(request, fields.get("api_key"))
    text = text_field(fields, "q")
    service = service_of(request)
    found = await finished(request, service.run(lambda check: service.detect(text)))
    return Json([_detected(one) for one in found])


@_answered
async def _suggest(request: Request) -> Response:
    raise NotAllowed("this server does not learn from suggestions")


@_answered
async def _settings(request: Request) -> Response:
    service = service_of(request)
    first = service.default
    return Json(
        {
            "charLimit": service.limits.max_characters,
            "frontendTimeout": 500,
            "apiKeys": request.app.state.keys.required,
            "keyRequired": request.app.state.keys.required,
            "suggestions": False,
            "filesTranslation": True,
            "supportedFilesFormat": suffixes(),
            "language": {
                "source": {"code": first.source, "name": language_name(first.source)},
                "target": {"code": first.target, "name": language_name(first.target)},
            },
        }
    )


ROUTES = [
    ShortRoute("/translate", _translate, methods=["POST"]),
    ShortRoute("/translate", translate_get, methods=["GET"]),
    ShortRoute("/languages", _languages, methods=["GET"]),
    ShortRoute("/detect", _detect, methods=["POST"]),
    ShortRoute("/suggest", _suggest, methods=["POST"]),
    ShortRoute("/frontend/settings", _settings, methods=["GET"]),
]
