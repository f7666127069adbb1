"""The dialect of the Moses server: XML-RPC.  Text is tokenised, as clients of Moses send it."""

from __future__ import annotations

import re
import xmlrpc.client
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from starlette.responses import Response

from demotic.errors import FormatError
from demotic.search.nbest import FeatureGroups
from demotic.search.text import cleaned
from demotic.serve.direct import ShortRoute
from demotic.serve.http import (
    Fields,
    answered,
    check_encoding,
    flag,
    note,
    number,
    read_body,
    service_of,
)
from demotic.serve.moses_graph import search_graph, translation_options
from demotic.serve.paragraphs import sound
from demotic.serve.refusals import BadRequest, Busy, NotSupported, Refusal, Stopping
from demotic.serve.waiting import finished

if TYPE_CHECKING:
    from starlette.requests import Request

    from demotic.constraints.xml_input import XmlInput
    from demotic.search import Decoder
    from demotic.serve.jobs import Check
    from demotic.serve.served_model import SentenceCandidate, ServedModel

__all__ = ["ROUTES", "fault"]

_DEEPEST = 50  # nested XML elements
_FAULT = 1
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What the parsers raise, of which some build values: a number may be no number, or too large.
_NO_CALL = (
    expat.ExpatError,
    xmlrpc.client.Error,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
)
_INVALID_XML, _NO_METHOD = -503, -506  # as xmlrpc-c has them


def fault(text: str, status: int = 200, code: int = _FAULT) -> Response:
    return _xml(xmlrpc.client.Fault(code, text), status)


def _xml(value: Any, status: int = 200) -> Response:
    content = value if isinstance(value, xmlrpc.client.Fault) else (value,)
    text = xmlrpc.client.dumps(content, methodresponse=True, allow_none=True)
    # xmlrpc.client escapes markup only, and clients refuse these characters.
    return Response(_NO_XML.sub("\ufffd", text).encode(), status, media_type="text/xml")


def _refused(refusal: Refusal) -> Response:
    # Clients read faults only from answers with status 200.
    status = 429 if isinstance(refusal, Busy) else 503 if isinstance(refusal, Stopping) else 200
    return fault(refusal.found, status)


@answered("moses", _refused)
async def _call(request: Request) -> Response:
    request.app.state.keys.check(request, request.query_params.get("api_key"))
    body = await read_body(request)
    try:
        _check_xml(body)
        arguments, method = xmlrpc.client.loads(body)
    except _NO_CALL as error:
        return fault(f"not a call of XML-RPC: {error}"[:200], code=_INVALID_XML)
    known = _METHODS.get(method or "")
    if known is None:
        return fault(f"Method '{str(method)[:50]}' not defined", code=_NO_METHOD)
    return await known(request, arguments)


def _check_xml(body: bytes) -> None:
    """Refuses document types, entities and deep nesting, before anything is built from them."""
    parser = expat.ParserCreate()
    depth = 0

    def begin(_name: str, _attributes: Any) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ValueError("too many nested elements")

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: Any) -> None:
        raise ValueError("document types and entities are not allowed")

    def declared(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None:
            check_encoding(encoding)

    parser.XmlDeclHandler = declared
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.Parse(body, True)


async def _translate(request: Request, arguments: tuple[Any, ...]) -> Response:
    wanted = _struct(arguments)
    text = wanted.get("text")
    if not isinstance(text, str):
        raise BadRequest("Missing source text")
    service = service_of(request)
    if len(text) > service.limits.max_characters:
        raise BadRequest(f"a text has at most {service.limits.max_characters} characters")
    asked = request.query_params
    model = service.model(asked.get("source", ""), asked.get("target", ""))
    nbest = min(max(0, number(wanted, "nbest", 0)), 1000)
    (line,) = cleaned([sound(text)])
    note(request, pair=f"{model.source}-{model.target}", sentences=1, characters=len(text))
    note(request, texts=[text])
    xml_input = service.limits.xml_input
    job = service.run(lambda check: _xml(_found(model, line, wanted, nbest, xml_input, check)))
    return await finished(request, job)


def _struct(arguments: tuple[Any, ...]) -> Fields:
    if len(arguments) != 1 or not isinstance(arguments[0], dict):
        raise BadRequest("expected one struct as argument")
    return arguments[0]


def _found(
    model: ServedModel, line: str, wanted: Fields, nbest: int, xml_input: XmlInput, check: Check
) -> dict[str, Any]:
    distinct = flag(wanted, "nbest-distinct")
    try:
        (found,) = model.translate([line], check, details=True, tokenized=True, xml_input=xml_input)
    except FormatError as error:  # of XML words
        raise BadRequest(str(error)) from None
    best = found.candidates[0]
    answer: dict[str, Any] = {"text": best.text, **_alignments(best, wanted)}
    if nbest or flag(wanted, "sg") or flag(wanted, "topt"):
        prepared = model.prepared(line, tokenized=True, xml_input=xml_input)
        decoder = model.decoder_for(xml_input)
        (record,) = decoder.search([prepared], progress=check)
        if nbest:
            listed = record.kbest(nbest, distinct=distinct)
            candidates = [model.candidate(one, decoder, tokenized=True) for one in listed]
            answer["nbest"] = [_entry(decoder, one, wanted) for one in candidates]
        if flag(wanted, "topt"):
            answer["topt"] = translation_options(record)
        if flag(wanted, "sg"):
            answer["sg"] = search_graph(record)
    return answer


def _entry(decoder: Decoder, one: SentenceCandidate, wanted: Fields) -> dict[str, Any]:
    entry = {"hyp": one.text, "totalScore": one.candidate.score, **_alignments(one, wanted)}
    if flag(wanted, "add-score-breakdown"):
        groups = FeatureGroups(decoder.weights.index).of(one.candidate.features)
        entry["fvals"] = " ".join(
            f"{name}= {' '.join(f'{value:g}' for value in values)}"
            for name, values in groups.items()
        )
    return entry


def _alignments(one: SentenceCandidate, wanted: Fields) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    if flag(wanted, "align"):
        answer["align"] = [
            {
                "src-start": phrase.source[0],
                "src-end": phrase.source[1] - 1,
                "tgt-start": phrase.target[0],
                "tgt-end": phrase.target[1] - 1,
            }
            for phrase in one.phrases
            if phrase.kind != "glue"
        ]
    if flag(wanted, "word-align"):
        answer["word-align"] = [{"source-word": i, "target-word": j} for i, j in one.links]
    return answer


async def _updater(request: Request, arguments: tuple[Any, ...]) -> Response:
    raise NotSupported("this server does not learn from new sentence pairs")


async def _list_methods(request: Request, arguments: tuple[Any, ...]) -> Response:
    return _xml(sorted(_METHODS))


_METHODS: dict[str, Callable[[Request, tuple[Any, ...]], Awaitable[Response]]] = {
    "translate": _translate,
    "updater": _updater,
    "system.listMethods": _list_methods,
}

ROUTES = [ShortRoute(path, _call, methods=["POST"]) for path in ("/RPC2", "/")]
