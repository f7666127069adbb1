"""Posteriors of words are those of the definition, summed over all derivations."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.confidence.posteriors import source_places, word_posteriors
from demotic.search import Candidate, SearchResult, Step
from demotic.search.decoder import COPIED, GLUE
from demotic.search.nbest import Segment
from tests.search.kinds import Kind, by_kind, enumerable, exhaustive, seeds
from tests.search.tiny_parts import sentences

SCALES = (0.0, 0.3, 1.0)

Part = tuple[set[int], set[int]]  # positions in source and target


def own_parts(result: SearchResult, steps: tuple[Step, ...]) -> list[Part]:
    """The source words that each rule itself covers, and its own target words."""
    segments = result.decoder.segments(steps)
    parts = [(set(range(*one.source)), set(range(*one.target))) for one in segments]
    if result.decoder.model.kind == "hiero":  # in pre-order: what is inside comes later
        for i, (source, target) in enumerate(parts):
            for inner in segments[i + 1 :]:
                if segments[i].source[0] <= inner.source[0] < segments[i].source[1]:
                    source -= set(range(*inner.source))
                    target -= set(range(*inner.target))
    pairs = zip(steps, parts, strict=True)
    return [part for step, part in pairs if step.rule != GLUE]


def viterbi(result: SearchResult) -> Candidate:
    return result.candidates(result.forest.viterbi(result.edge_scores))[0]


def by_definition(result: SearchResult, best: Candidate, scale: float) -> list[float]:
    every = result.kbest(int(result.forest.number_of_derivations))
    weights = [math.exp(scale * (one.score - best.score)) for one in every]
    rules = [own_parts(result, one.steps) for one in every]
    decoder = result.decoder
    places = source_places(decoder.links(best.steps), decoder.segments(best.steps), len(best.words))
    found = []
    for word, linked in zip(best.words, places, strict=True):
        shares = []
        for s in linked:
            agreeing = 0.0
            for one, weight, parts in zip(every, weights, rules, strict=True):
                (target,) = (target for source, target in parts if s in source)
                agreeing += weight * (word in [one.words[i] for i in target])
            shares.append(agreeing / sum(weights))
        found.append(max(shares))
    return found


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds, data=st.data())
def test_posteriors(kind: Kind, folder: Path, seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    model = kind.tiny(rng, folder)
    options = exhaustive(data.draw(kind.spaces))
    for _, result in enumerable(model, options, sentences(rng, kind.longest, 3)):
        if not result.forest.number_of_derivations:
            continue
        found = word_posteriors(result, SCALES)
        best = viterbi(result)
        assert found.words == best.words
        assert found.copied.sum() == sum(
            step.rule == COPIED and not options.drop_unknown for step in best.steps
        )
        for row, scale in zip(found.posteriors, SCALES, strict=True):
            np.testing.assert_allclose(row, by_definition(result, best, scale), atol=1e-9)
        last = result.kbest(10)[-1]
        (other,) = word_posteriors(result, [0.3], last).posteriors
        np.testing.assert_allclose(other, by_definition(result, last, 0.3), atol=1e-9)


def test_places_of_words_without_links() -> None:
    segments = [Segment((0, 4), (0, 3)), Segment((1, 3), (1, 2))]
    assert source_places([(0, 0)], segments, 3) == [[0], [1, 2], [0, 1, 2, 3]]
