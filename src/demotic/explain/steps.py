"""The steps of a derivation, spelled out with what each of them scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic.explain.explanation import Contribution, Span, StepKind, StepView
from demotic.search.decoder import COPIED, GLUE

if TYPE_CHECKING:
    from demotic.search import Candidate, Decoder, SearchResult

__all__ = ["contributions", "step_views"]


def contributions(decoder: Decoder, features: NDArray[np.float64]) -> tuple[Contribution, ...]:
    """What counts, the largest first."""
    weights = decoder.weights
    columns = zip(weights.index, features.tolist(), weights.array.tolist(), strict=True)
    all_ = [Contribution(name, value, weight, value * weight) for name, value, weight in columns]
    return tuple(sorted((c for c in all_ if c.value), key=lambda c: -abs(c.points)))


def step_views(
    result: SearchResult, best: Candidate, edges: NDArray[np.int32]
) -> tuple[StepView, ...]:
    """The steps of the best candidate, whose edges are given in pre-order; the end comes last."""
    goal, *inner = edges.tolist()
    decoder = result.decoder
    phrases = decoder.model.kind == "phrase"
    if phrases:  # the last comes first
        inner.reverse()
    gaps = {} if phrases else _gaps(result, edges)
    segments = decoder.segments(best.steps)
    views = [
        _view(result, edge, step.rule, segment, gaps.get(edge, []))
        for edge, step, segment in zip(inner, best.steps, segments, strict=True)
    ]
    ends = (len(result.source),) * 2, (len(best.words),) * 2
    points = _points(result, goal)
    return (*views, StepView("end", (), (), *ends, None, None, points))


def _view(
    result: SearchResult, edge: int, rule: int, segment: tuple[Span, Span], gaps: list[Span]
) -> StepView:
    kinds: dict[int, StepKind] = {COPIED: "copied", GLUE: "glue"}
    known = rule >= 0
    return StepView(
        kinds.get(rule, "rule"),
        _source(result, segment[0], gaps),
        _target(result, edge),
        *segment,
        rule if known else None,
        result.decoder.model.rules.store.occurrences(rule) if known else None,
        _points(result, edge),
    )


def _points(result: SearchResult, edge: int) -> tuple[Contribution, ...]:
    features = np.zeros(len(result.decoder.weights))
    for id_, value in result.forest.edge_features[edge].items():
        features[id_] = value
    return contributions(result.decoder, features)


def _source(result: SearchResult, span: Span, gaps: Sequence[Span]) -> tuple[str, ...]:
    """Its words; a gap is written as its number."""
    words: list[str] = []
    begin, end = span
    for number, gap in enumerate(gaps, 1):
        words += [*result.source[begin : gap[0]], f"[{number}]"]
        begin = gap[1]
    return (*words, *result.source[begin:end])


def _target(result: SearchResult, edge: int) -> tuple[str, ...]:
    symbols = result.forest.edge_target[edge].tolist()
    if result.decoder.model.kind == "phrase":
        return result.spelled([symbol for symbol in symbols if symbol >= 0])
    return tuple(result.spelled([s])[0] if s >= 0 else f"[{-s}]" for s in symbols)


def _gaps(result: SearchResult, edges: NDArray[np.int32]) -> dict[int, list[Span]]:
    """The spans of the tails of every edge, in the order of the source."""
    forest = result.forest
    spans = zip(forest.edge_begin[edges].tolist(), forest.edge_end[edges].tolist(), strict=True)
    counts = (forest.tail_offsets[edges + 1] - forest.tail_offsets[edges]).tolist()
    found: dict[int, list[Span]] = {}
    waiting: list[Span] = []  # of edges whose head has not been met, the first tail on top
    backwards: Iterator[tuple[int, int, Span]] = reversed(
        [*zip(edges.tolist(), counts, spans, strict=True)]
    )
    for edge, count, span in backwards:
        found[edge] = [waiting.pop() for _ in range(count)]
        waiting.append(span)
    return found
