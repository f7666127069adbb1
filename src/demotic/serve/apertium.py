"""The dialect of Apertium APy, below /apy."""

from __future__ import annotations

from http import HTTPStatus
from itertools import product
from typing import TYPE_CHECKING, Any

from demotic.serve.direct import ShortRoute
from demotic.serve.http import (
    Json,
    answered,
    flag,
    note,
    read_fields,
    service_of,
    status_of,
    text_field,
)
from demotic.serve.places import target_places
from demotic.serve.refusals import BadRequest, Refusal, UnknownLanguage, UnknownPair
from demotic.serve.service import TranslatedText, TranslationRequest
from demotic.serve.waiting import finished
from demotic.text.languages import three_letter_code

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from demotic.serve.served_model import TranslatedSentence
    from demotic.text.side import Side

__all__ = ["ROUTES", "error_body", "refused"]


def error_body(status: int, explanation: str) -> dict[str, Any]:
    """What APy's old and new clients read of an error."""
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Error"
    return {
        "status": "error",
        "code": status,
        "message": phrase,
        "explanation": explanation,
        "responseData": {"translatedText": None},
        "responseDetails": explanation,
        "responseStatus": status,
    }


def refused(refusal: Refusal) -> Response:
    unknown = isinstance(refusal, UnknownLanguage | UnknownPair)
    explanation = "That pair is not installed" if unknown else refusal.found
    return Json(error_body(status_of(refusal), explanation), status_of(refusal))


_answered = answered("apertium", refused)


def _ok(data: Any) -> Response:
    return Json({"responseData": data, "responseDetails": None, "responseStatus": 200})


@_answered
async def _translate(request: Request) -> Response:
    fields = await read_fields(request)
    request.app.state.keys.check(request, fields.get("key"))
    pair = text_field(fields, "langpair").split("|")
    if len(pair) != 2 or not all(pair):
        raise BadRequest("langpair is not SOURCE|TARGET, such as eng|spa")
    marks = flag(fields, "markUnknown", True)
    wanted = TranslationRequest(
        texts=[text_field(fields, "q")], source=pair[0], target=pair[1], details=marks
    )

    def make(texts: list[TranslatedText]) -> tuple[TranslatedText, str]:
        (found,) = texts
        return found, _marked(found) if marks else found.text

    found, text = await finished(request, service_of(request).translate(wanted, make))
    note(
        request,
        pair=f"{found.model.source}-{found.model.target}",
        sentences=len(found.sentences),
        characters=len(found.source.text),
        texts=[found.source.text],
    )
    return _ok({"translatedText": text})


def _marked(found: TranslatedText) -> str:
    """The translation with * before words that the model does not know."""
    side = found.model.raw().target_side
    texts = [_with_stars(sentence, side) for sentence in found.sentences]
    return found.source.joined(texts, found.model.target)[0]


def _with_stars(sentence: TranslatedSentence, side: Side | None) -> str:
    (best, *_) = sentence.candidates
    places = target_places(best.text, best.tokens, side)
    begins = {
        places[i][0]  # type: ignore[index]
        for i in best.copied
        if places[i] is not None and any(map(str.isalpha, best.tokens[i]))
    }
    return "".join("*" * (i in begins) + char for i, char in enumerate(best.text))


@_answered
async def _list_pairs(request: Request) -> Response:
    # Clients such as Weblate use a pair only if it is listed with the codes that they have for its
    # languages, and they have three letters for some and two for others.
    return _ok(
        [
            {"sourceLanguage": source, "targetLanguage": target}
            for one in service_of(request).models.values()
            for source, target in product(_codes(one.source), _codes(one.target))
        ]
    )


def _codes(language: str) -> list[str]:
    return list(dict.fromkeys((three_letter_code(language), language.replace("-", "_"))))


ROUTES = [
    ShortRoute("/apy/translate", _translate, methods=["GET", "POST"]),
    ShortRoute("/apy/listPairs", _list_pairs, methods=["GET"]),
]
