"""One sentence translated by several models: derivations and word links side by side."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.explain.explanation import Explanation
from demotic.explain.page import drawn_phrases
from demotic.explain.tree import drawn_trees
from demotic.report import Html, Page
from demotic.report.link_grid import link_grid
from demotic.report.markup import bidi_text, element

__all__ = ["add_comparison"]


def add_comparison(page: Page, systems: Sequence[tuple[str, Explanation]]) -> None:
    """A column per system, named; drawings are wide, so that they scroll by themselves."""
    with page.inside("div", "columns"):
        for name, of in systems:
            with page.inside("section"):
                page.add(element("h3", name))
                page.add(element("p", bidi_text(of.translation)))
                with page.inside("div", "pieces"):
                    for drawing in _derivation(of):
                        page.figure(drawing)
                if of.source and of.words:
                    page.figure(link_grid(of.source, of.words, of.links), "Word links.")


def _derivation(of: Explanation) -> list[Html]:
    if of.kind == "hiero":
        return drawn_trees(of)
    return drawn_phrases([step for step in of.steps if step.kind != "end"])
