"""Files over HTTP: LibreTranslate's /translate_file, and /v1/file for the page and scripts."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from demotic.serve.files import DocumentTask
from demotic.serve.http import (
    Json,
    answered,
    form_of,
    note,
    read_document,
    service_of,
    status_of,
    text_field,
)
from demotic.serve.libretranslate import refused
from demotic.serve.refusals import BadRequest, Refusal, Vanished
from demotic.serve.waiting import disconnected

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["ROUTES"]

_UNSAFE = re.compile(r"[^\w. -]+")


@answered("libretranslate", refused)
async def _translate_file(request: Request) -> Response:
    """Answers with the address of the translated file."""
    keys, key = request.app.state.keys, request.query_params.get("api_key")
    keys.check(request, key, required=False)
    await read_document(request)
    async with form_of(request, max_files=1, max_fields=20) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise BadRequest("Invalid request: missing file")
        data, name = await file.read(), file.filename or ""
    keys.check(request, fields.get("api_key", key))
    source, target = text_field(fields, "source"), text_field(fields, "target")
    translated = await _translated(request, data, name, "" if source == "auto" else source, target)
    key = request.app.state.files.put(translated, _translated_name(name, target))
    return Json({"translatedFileUrl": str(request.url_for("download_file", key=key))})


@answered("libretranslate", refused)
async def _download_file(request: Request) -> Response:
    found = request.app.state.files.get(request.path_params["key"])
    if found is None:
        raise HTTPException(404, "there is no such file, or it is too old")
    return _attached(found.data, found.name)


def _v1_refused(refusal: Refusal) -> Response:
    return Json({"error": refusal.found}, status_of(refusal))


@answered("v1", _v1_refused)
async def _v1_file(request: Request) -> Response:
    """The document as body, its name and languages in the query; answers with the document."""
    query = request.query_params
    request.app.state.keys.check(request, query.get("api_key"))
    data = await read_document(request)
    name, target = text_field(query, "name"), text_field(query, "target", "")
    translated = await _translated(request, data, name, text_field(query, "source", ""), target)
    return _attached(translated, _translated_name(name, target))


async def _translated(request: Request, data: bytes, name: str, source: str, target: str) -> bytes:
    service = service_of(request)
    model = service.model(source, target)
    note(request, pair=f"{model.source}-{model.target}", characters=len(data))
    task = DocumentTask(service, model)
    done = asyncio.ensure_future(asyncio.to_thread(task.run, data, name))
    gone = asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait([done, gone], return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not done.done():
            task.stop()
    if not done.done():
        done.add_done_callback(lambda one: one.cancelled() or one.exception())
        raise Vanished("the client has closed the connection")
    return done.result()


def _translated_name(name: str, target: str) -> str:
    stem, dot, suffix = _UNSAFE.sub("_", name[-100:]).rpartition(".")
    return f"{stem}.{target}{dot}{suffix}" if target else f"{stem}{dot}{suffix}"


def _attached(data: bytes, name: str) -> Response:
    # As a download, never shown: a document may hold scripts.
    headers = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(name)}"}
    return Response(data, media_type="application/octet-stream", headers=headers)


ROUTES = [
    Route("/translate_file", _translate_file, methods=["POST"]),
    Route("/download_file/{key}", _download_file, methods=["GET"], name="download_file"),
    Route("/v1/file", _v1_file, methods=["POST"]),
]
