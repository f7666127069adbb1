"""What the page shows of one sentence: explanation, beam, forest, violations.

Each function runs on a thread of the service and returns values for JSON, with `drawings` also
fragments of HTML made by the code of the reports.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error
from demotic.explain import explain
from demotic.explain.beam import Beam, beam_of, columns_of
from demotic.explain.forest_view import drawn_forest, forest_values, likely_part
from demotic.explain.page import page_of
from demotic.lines import split_words
from demotic.report.beam_grid import beam_grid
from demotic.report.curve import curve
from demotic.report.markup import Html, bidi_text
from demotic.report.page import table
from demotic.report.violation_chart import violation_chart
from demotic.search.options import SearchOptions
from demotic.search.sentence import constraints_of
from demotic.search.text import cleaned
from demotic.serve.http import Fields, flag, number, text_field
from demotic.serve.paragraphs import sound
from demotic.serve.refusals import BadRequest, TooLarge
from demotic.train.sentence_violations import SentenceViolations, ViolationFinder

if TYPE_CHECKING:
    from demotic.search import SearchResult
    from demotic.serve.jobs import Check
    from demotic.serve.served_model import ServedModel

__all__ = ["explanation", "forest", "search", "violations"]

_LONGEST = 80  # tokens of a sentence whose whole search is recorded
_LARGEST = {"beam_size": 1000, "pop_limit": 2000}  # what a client may ask for
_SETTABLE = ("beam_size", "pop_limit", "beam_threshold", "distortion_limit", "future_cost")
_STYLE = re.compile(r' style="')


def explanation(model: ServedModel, fields: Fields, check: Check) -> dict[str, Any]:
    """What `demotic explain --json` prints."""
    sentence, line = _sentence(model, fields)
    found = explain(
        model.model,
        line,
        reference=_reference(fields),
        rivals=_between(fields, "rivals", 5, 50),
        evidence=_between(fields, "evidence", 0, 20),
        text=model.raw().of_tokens(model.model),
        options=_options(model, fields),
        progress=check,
    )
    found = replace(found, sentence=sentence)  # as it was, not as tokens
    values = found.as_dict()
    if flag(fields, "drawings"):
        values["drawings"] = {"why": _inert(page_of(found).fragment())}
    return values


def search(model: ServedModel, fields: Fields, check: Check) -> dict[str, Any]:
    """The beam; with a reference also which hypotheses agree with it, and where it was lost."""
    sentence, line = _sentence(model, fields)
    options = _options(model, fields)
    reference = model.raw().prepared_reference(_reference(fields))
    (record,) = model.model.decoder(options).search([line], record="bins", progress=check)
    beam = beam_of(record, reference)
    values = asdict(beam) | {
        "sentence": sentence,
        "translation": model.raw().restored(" ".join(beam.translation), line),
        "settings": asdict(options),
        "reference": None,
    }
    lost_at = None
    if reference:
        seen = _finder(model, options).find(line, reference, check)
        # Training knows nothing of terms: its beam would be another one.
        lost_at = None if constraints_of(line) else _lost_at(beam, seen)
        lost = beam.bins[lost_at].name if lost_at is not None else None
        values["reference"] = {"reachable": seen is not None, "lost_in_bin": lost}
    if flag(fields, "drawings"):
        values["drawings"] = _beam_drawings(record, beam, lost_at)
    return values


def _beam_drawings(record: SearchResult, beam: Beam, lost_at: int | None) -> dict[str, Any]:
    across = "source words covered" if beam.kind == "phrase" else "spans of the winner"
    return {
        "beam": _inert(beam_grid(columns_of(beam), across=across, lost_at=lost_at)),
        "bins": [
            _inert(
                table(
                    ["rank", "partial translation", "covers", "score", "future", "merged", "end"],
                    [
                        (
                            one.member.rank,
                            bidi_text(one.member.text or "(nothing)"),
                            one.member.covered,
                            f"{one.member.score:.2f}",
                            f"{one.member.future:.2f}",
                            one.merged,
                            _end(one.member.winner, one.member.reaches_goal, one.member.alive),
                        )
                        for one in bin_.hypotheses
                    ],
                )
            )
            for bin_ in beam.bins
        ],
    }


def _end(winner: bool, complete: bool, alive: bool) -> str:
    return "winner" if winner else "complete" if complete else "kept" if alive else "pruned"


def _lost_at(beam: Beam, seen: SentenceViolations | None) -> int | None:
    """The first bin without anything gold (phrases: bins are in the order of the search)."""
    if seen is None or beam.kind != "phrase":
        return None
    held = [one.holds_gold for one in seen.bins[-len(beam.bins) :]]
    return next((i for i, holds in enumerate(held) if not any(held[i:]) and not holds), None)


def forest(model: ServedModel, fields: Fields, check: Check) -> dict[str, Any]:
    """The likely part of the forest."""
    sentence, line = _sentence(model, fields)
    (record,) = model.model.decoder(_options(model, fields)).search([line], progress=check)
    part = likely_part(record, _between(fields, "edges", 60, 400))
    values = forest_values(record, part) | {
        "sentence": sentence,
        "translation": model.raw().restored(record.best.text, line),
    }
    if flag(fields, "drawings"):
        values["drawings"] = {"forest": _inert(drawn_forest(record, part))}
    return values


def violations(model: ServedModel, fields: Fields, check: Check) -> dict[str, Any]:
    """d+ and d- of every bin, and the epochs of the model's training runs.

    Terms of glossaries have no part in them, because they have none in training.
    """
    sentence, _ = _sentence(model, fields)
    line = model.raw().prepared(sentence)
    given = _reference(fields)
    if not given:
        raise BadRequest("violations need a reference; send reference")
    options = _options(model, fields)
    seen = _finder(model, options).find(line, model.raw().prepared_reference(given), check)
    epochs = training_epochs(model.model.path)
    values: dict[str, Any] = {
        "sentence": sentence,
        "reference": given,
        "reachable": seen is not None,
        "epochs": epochs,
    }
    if seen is not None:
        names = _bin_names(model, line, options, len(seen.bins), check)
        values |= {
            "correct": seen.correct,
            "chosen": seen.chosen,
            "violation": seen.violation,
            "bins": [
                {
                    "name": name,
                    "gold": _finite(one.gold),
                    "bad": _finite(one.bad),
                    "holds_gold": one.holds_gold,
                }
                for name, one in zip(names, seen.bins, strict=True)
            ],
        }
    if flag(fields, "drawings"):
        values["drawings"] = _violation_drawings(model, values, seen)
    return values


def _bin_names(
    model: ServedModel, line: str, options: SearchOptions, bins: int, check: Check
) -> list[str]:
    if model.model.kind == "phrase":  # bin 0 is the empty hypothesis
        return [str(i) for i in range(bins)]
    (record,) = model.model.decoder(options).search([line], record="bins", progress=check)
    return [record.bin_name(i) if i < len(record.bins) else "end" for i in range(bins)]


def _violation_drawings(
    model: ServedModel, values: dict[str, Any], seen: SentenceViolations | None
) -> dict[str, Any]:
    drawings: dict[str, Any] = {}
    if seen is not None:
        bins = [
            (known["name"], one.gold, one.bad, one.holds_gold)
            for known, one in zip(values["bins"], seen.bins, strict=True)
        ]
        chosen = seen.chosen
        if model.model.kind == "hiero":  # a chart has too many bins: those with a gold derivation
            kept = [i for i, one in enumerate(bins) if math.isfinite(one[1])]
            chosen = kept.index(chosen) if chosen in kept else -1
            bins = [bins[i] for i in kept]
        across = "source words covered" if model.model.kind == "phrase" else "spans with gold"
        drawings["bins"] = _inert(violation_chart(bins, chosen=chosen, across=across))
    if epochs := values["epochs"]:
        means = [epoch["violation"] for epoch in epochs]
        scores = [epoch["score"] for epoch in epochs]
        kept_epoch = model.model.info.origin.get("training_epoch", 0)
        best = next((i for i, epoch in enumerate(epochs) if epoch["number"] == kept_epoch), 0)
        drawings["epochs"] = _inert(
            curve(means, kept=best, first=1, unit="mean violation", across="epoch")
        )
        drawings["scores"] = _inert(
            curve(scores, kept=best, first=1, unit="score on the dev set", across="epoch")
        )
    return drawings


def training_epochs(home: Path) -> list[dict[str, Any]]:
    """The learning curve of the newest training run in a model directory; empty without one."""
    files = sorted(home.glob("training/**/epochs.jsonl"), key=lambda file: file.stat().st_mtime)
    if not files:
        return []
    lines = files[-1].read_text(encoding="utf-8").splitlines()
    return [values for values in map(json.loads, lines) if "number" in values]


def _sentence(model: ServedModel, fields: Fields) -> tuple[str, str]:
    """The sentence, and its tokens with the terms of the model's glossary."""
    (sentence,) = cleaned([sound(text_field(fields, "text"))])
    line = model.prepared(sentence)
    words = len(split_words(line))
    if not words:
        raise BadRequest("an empty sentence")
    if words > _LONGEST:
        raise TooLarge(f"{words} tokens; a search is shown for at most {_LONGEST}")
    return sentence, line


def _reference(fields: Fields) -> str:
    (text,) = cleaned([sound(text_field(fields, "reference", ""))])
    return text.strip()


def _options(model: ServedModel, fields: Fields) -> SearchOptions:
    given = fields.get("options") or {}
    if not isinstance(given, dict):
        raise BadRequest("options is not an object")
    for name, value in given.items():
        if name not in _SETTABLE:
            raise BadRequest(f"no option {name[:40]}; there are {', '.join(_SETTABLE)}")
        if isinstance(value, int) and value > _LARGEST.get(name, value):
            raise BadRequest(f"{name} is at most {_LARGEST[name]}")
    try:
        return SearchOptions.for_model(model.model, {**model.asked, **given})
    except Error as error:
        raise BadRequest(str(error)) from None


def _finder(model: ServedModel, options: SearchOptions) -> ViolationFinder:
    return ViolationFinder(model.model, options)


def _between(fields: Fields, name: str, default: int, most: int) -> int:
    value = number(fields, name, default)
    if not 0 <= value <= most:
        raise BadRequest(f"{name} is {value}; expected 0 to {most}")
    return value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _inert(fragment: Html) -> str:
    """Without style attributes, which the page's security policy forbids; its script sets them."""
    return _STYLE.sub(' data-style="', fragment)
