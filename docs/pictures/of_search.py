"""Pictures of derivations and of the search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from example import Example

from demotic.explain import explain
from demotic.explain.beam import beam_of, columns_of
from demotic.explain.forest_view import drawn_forest, likely_part
from demotic.explain.tree import derivation, drawn_trees
from demotic.report.beam_grid import beam_grid
from demotic.report.link_grid import link_grid
from demotic.report.markup import Html
from demotic.report.search_drawing import bins_chart, phrase_order

__all__ = ["alignment", "beam", "bins", "forest", "phrases", "tree"]

_COVERED = "source words covered"


def phrases(of: Example) -> Html:
    """Source phrases above, their translations below."""
    steps = [step for step in explain(of.model, of.sentence).steps if step.kind != "end"]
    order = sorted(range(len(steps)), key=lambda i: steps[i].source_span)
    return phrase_order([one.source for one in steps], [one.target for one in steps], order)


def tree(of: Example) -> Html:
    """The largest piece of the derivation by a Hiero model."""
    found = explain(of.model, of.sentence)
    root = derivation(found)
    assert root is not None
    pieces = root.children if root.is_spine else (root,)
    sizes = [np.ptp(piece.step.source_span) for piece in pieces]
    return drawn_trees(found)[int(np.argmax(sizes))]


def alignment(of: Example) -> Html:
    """Links between the words of a sentence and its translation."""
    found = explain(of.model, of.sentence)
    return link_grid(found.source, found.words, found.links)


def bins(of: Example) -> Html:
    """Every hypothesis of the search, by bin."""
    views = explain(of.model, of.sentence).bins
    return bins_chart([(one.name, one.dots) for one in views], across=_COVERED)


def beam(of: Example) -> Html:
    """A small beam, by bin and rank."""
    found = beam_of(of.search(beam_size=8, pop_limit=12), of.reference_tokens, rows=10)
    return beam_grid(columns_of(found), across=f"{_COVERED}; below each bin: kept/entered")


def forest(of: Example) -> Html:
    """The likely part of the forest of a short sentence."""
    of = replace(of, sentence="她喜欢我买的鱼。", reference="She likes the fish that I bought.")
    (found,) = of.decoder().search([of.tokens])
    return drawn_forest(found, likely_part(found, 24))
