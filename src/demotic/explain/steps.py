"""The steps of a derivation as text, each with its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic.explain.explanation import Contribution, Span, StepKind, StepView
from demotic.search.decoder import COPIED, GIVEN, GLUE

if TYPE_CHECKING:
    from demotic.search import Candidate, Decoder, SearchResult

__all__ = ["contributions", "step_views"]


def contributions(decoder: Decoder, features: NDArray[np.float64]) -> tuple[Contribution, ...]:
    """The non-zero contributions, largest first."""
    weights = decoder.weights
    columns = zip(weights.index, features.tolist(), weights.array.tolist(), strict=True)
    all_ = [Contribution(name, value, weight, value * weight) for name, value, weight in columns]
    return tuple(sorted((c for c in all_ if c.value), key=lambda c: -abs(c.points)))


def step_views(
    result: SearchResult, best: Candidate, edges: NDArray[np.int32]
) -> tuple[StepView, ...]:
    """The steps of the best candidate, whose edges are in pre-order; the sentence end is last."""
    goal, *inner = edges.tolist()
    decoder = result.decoder
    phrases = decoder.model.kind == "phrase"
    if phrases:  # edges are last to first
        inner.reverse()
    below = [()] * len(inner) if phrases else _children(result, inner)
    segments = decoder.segments(best.steps)
    views = [
        _view(result, edge, step.rule, segment, [segments[child][0] for child in children])
        for edge, step, segment, children in zip(inner, best.steps, segments, below, strict=True)
    ]
    views = [replace(view, filled_by=children) for view, children in zip(views, below, strict=True)]
    ends = (len(result.source),) * 2, (len(best.words),) * 2
    points = _points(result, goal)
    return (*views, StepView("end", (), (), *ends, None, None, points))


def _view(
    result: SearchResult, edge: int, rule: int, segment: tuple[Span, Span], gaps: list[Span]
) -> StepView:
    kinds: dict[int, StepKind] = {COPIED: "copied", GLUE: "glue"}
    known = rule >= 0
    source, source_gaps = _source(result, segment[0], gaps)
    target, target_gaps = _target(result, edge)
    return StepView(
        "given" if rule <= GIVEN else kinds.get(rule, "rule"),
        source,
        target,
        *segment,
        rule if known else None,
        result.decoder.model.rules.store.occurrences(rule) if known else None,
        _points(result, edge),
        source_gaps,
        target_gaps,
    )


def _points(result: SearchResult, edge: int) -> tuple[Contribution, ...]:
    features = np.zeros(len(result.decoder.weights))
    for id_, value in result.forest.edge_features[edge].items():
        features[id_] = value
    return contributions(result.decoder, features)


def _source(
    result: SearchResult, span: Span, gaps: Sequence[Span]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The source words, with gaps as numbers, and the positions of the gaps."""
    words: list[str] = []
    places: list[int] = []
    begin, end = span
    for number, gap in enumerate(gaps, 1):
        words += result.source[begin : gap[0]]
        places.append(len(words))
        words.append(f"[{number}]")
        begin = gap[1]
    return (*words, *result.source[begin:end]), tuple(places)


def _target(result: SearchResult, edge: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The same for the target; the first position is that of gap 1."""
    symbols = result.forest.edge_target[edge].tolist()
    if result.decoder.model.kind == "phrase":
        return result.spelled([symbol for symbol in symbols if symbol >= 0]), ()
    words = tuple(result.spelled([s])[0] if s >= 0 else f"[{-s}]" for s in symbols)
    places = sorted((i for i, s in enumerate(symbols) if s < 0), key=lambda i: -symbols[i])
    return words, tuple(places)


def _children(result: SearchResult, edges: Sequence[int]) -> list[tuple[int, ...]]:
    """For every edge, the indices of its tails in the pre-order, in the order of the gaps."""
    offsets = result.forest.tail_offsets
    found: list[tuple[int, ...]] = [()] * len(edges)
    waiting: list[int] = []  # nodes whose parent is still to come, the first tail on top
    for place in reversed(range(len(edges))):
        count = int(offsets[edges[place] + 1] - offsets[edges[place]])
        found[place] = tuple(waiting.pop() for _ in range(count))
        waiting.append(place)
    return found
