"""A translated text with everything that is known about it, as values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demotic.search.output import constraint_values
from demotic.search.placeholders import PLACEHOLDER
from demotic.serve.places import Place, source_places, target_places
from demotic.serve.service import TranslatedText

if TYPE_CHECKING:
    from demotic.search.text import RawText

__all__ = ["details"]

Span = tuple[int, int]


def details(found: TranslatedText) -> dict[str, Any]:
    """Tokens, links and phrases are those of the whole text; `sentences` has their spans.

    Places are in code points: of source tokens in the text, of target tokens in the translation.
    Of HTML and XLIFF only the translation is known.
    """
    values: dict[str, Any] = {
        "translation": found.text,
        "source": found.model.source,
        "target": found.model.target,
        "source_tokens": [],
        "target_tokens": [],
        "source_places": [],
        "target_places": [],
        "alignment": [],
        "phrases": [],
        "confidences": _confidences(found),
        "constraints": [],
        "terms": [],
        "alternatives": found.alternatives,
        "sentences": [],
    }
    if found.detected is not None:
        values["detected"] = vars(found.detected)
    text = found.model.raw()
    spans = found.source.spans if found.sentences else ()  # HTML is translated whole
    for one, span, place in zip(found.sentences, spans, found.places, strict=True):
        best = one.candidates[0]
        i, j = len(values["source_tokens"]), len(values["target_tokens"])
        raw = found.source.text[slice(*span)]
        values["source_tokens"] += one.source_tokens
        values["target_tokens"] += best.tokens
        values["source_places"] += _moved(
            source_places(raw, one.source_tokens, text.source_side), span[0]
        )
        values["target_places"] += _moved(
            target_places(best.text, best.tokens, text.target_side), place[0]
        )
        values["alignment"] += [(i + a, j + b) for a, b in best.links]
        values["phrases"] += [
            {
                "source": _shifted(phrase.source, i),
                "target": _shifted(phrase.target, j),
                "kind": phrase.kind,
            }
            for phrase in best.phrases
            if phrase.kind != "glue"
        ]
        values["constraints"] += [
            {**constraint_values(asked), "source": _shifted(asked.span, i)}
            for asked in one.constraints
        ]
        kept = {asked.span for asked in one.constraints if asked.origin == PLACEHOLDER}
        values["terms"] += [
            {
                "source": _shifted(phrase.source, i),
                "target": _shifted(phrase.target, j),
                "text": _shown(best.tokens[slice(*phrase.target)], text),
            }
            for phrase in best.phrases
            if phrase.kind == "given" and phrase.source not in kept
        ]
        values["sentences"].append(
            {
                "source": span,
                "target": place,
                "source_tokens": (i, len(values["source_tokens"])),
                "target_tokens": (j, len(values["target_tokens"])),
                "score": best.candidate.score,
                "alternatives": [
                    {"text": other.text, "score": other.candidate.score}
                    for other in one.candidates[1:]
                ],
            }
        )
    return values


def _confidences(found: TranslatedText) -> list[float] | None:
    """One number per target token; None if the model is not calibrated."""
    parts = [one.candidates[0].confidences for one in found.sentences]
    known = [part for part in parts if part is not None]
    return [one for part in known for one in part] if known and len(known) == len(parts) else None


def _shown(tokens: Sequence[str], text: RawText) -> str:
    side = text.target_side
    return " ".join(side.shown(tokens) if side else tokens)


def _moved(places: list[Place], by: int) -> list[Place]:
    return [None if place is None else _shifted(place, by) for place in places]


def _shifted(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by
