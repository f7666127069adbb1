"""How much of a text forced decoding reaches: figures and curves by sentence length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic.errors import Error
from demotic.experiments.settings import ForceStep
from demotic.force.options import ForceOptions
from demotic.force.run import Reachability, force
from demotic.force.tables import by_length, totals
from demotic.learn.dev_set import DevSet
from demotic.metrics.references import References

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.decoder import Progress

__all__ = ["forced", "reachable_part"]


def forced(
    model: Model,
    pairs: tuple[list[str], list[list[str]]],
    step: ForceStep,
    threads: int,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Figures and curves of `step`; `pairs` are sentences, each with its references."""
    sources, references = pairs
    if step.pairs and step.pairs < len(sources):
        chosen = np.linspace(0, len(sources) - 1, step.pairs).round().astype(int).tolist()
        sources, references = [sources[i] for i in chosen], [references[i] for i in chosen]
    copies = min(map(len, references))
    references = [row[:copies] for row in references]
    options = _options(step, model.kind)
    found = force(model, sources, references, options, threads=threads, progress=progress)
    return {"figures": _figures(found), "curves": _curves(found)}


def _options(step: ForceStep, kind: str) -> ForceOptions:
    known = {one.name: getattr(step, one.name) for one in fields(ForceOptions)}
    if kind == "hiero":
        known["prefixes"] = "none"
    return ForceOptions(**known)


def _figures(found: Reachability) -> dict[str, float]:
    sums = totals(found)
    logs = np.log10(np.minimum(found.derivations[found.reachable], 1e300))
    figures: dict[str, float] = {
        "reachable": sums["reachable_share"],
        "reachable_words": sums["reachable_words_share"],
        "with_prefixes": sums["with_prefixes_share"],
        "with_prefixes_words": sums["with_prefixes_words_share"],
        "undecided": sums["undecided"],
        "pairs": sums["pairs"],
    }
    return figures | ({"derivations": float(logs.mean())} if len(logs) else {})


def _curves(found: Reachability) -> dict[str, list[list[float]]]:
    """By the middle of each range of lengths."""
    rows = [(_middle(row["words"]), row) for row in by_length(found)]
    return {
        "reachable": [[x, row["reachable_share"]] for x, row in rows],
        "derivations": [
            [x, row["log10_derivations"]] for x, row in rows if row["log10_derivations"] is not None
        ],
    }


def _middle(words: str) -> float:
    first, last = words.split("-")
    return (int(first) + int(last)) / 2


def reachable_part(model: Model, dev: DevSet, search: Mapping[str, Any], threads: int) -> DevSet:
    """The sentences of which some reference is reachable, with all their references."""
    first, texts = dev.references.first, dev.references.texts
    rows = [texts[first[i] : first[i + 1]] for i in range(len(dev))]
    limits = {name: search[name] for name in ("distortion_limit", "span_limit") if name in search}
    kept = []
    for i, row in enumerate(rows):
        found = force(
            model, [dev.source[i]], [row], ForceOptions(**limits, find_cause=False), threads=threads
        )
        if found.reachable.any():
            kept.append(i)
    if not kept:
        raise Error("no sentence of the dev set is reachable", expected="some to tune on")
    references = References.from_sentences([rows[i] for i in kept])
    return DevSet([dev.source[i] for i in kept], references, dev.held_out)
