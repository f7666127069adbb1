"""The report of `demotic make` as one page."""

from __future__ import annotations

from demotic.pipeline.result import Made
from demotic.report import Page

__all__ = ["report_page"]


def report_page(made: Made) -> Page:
    best = made.best.scores["bleu"]
    page = Page(f"{made.source_language} to {made.target_language}: {best.value:.1f} BLEU")
    page.table(
        ["stage", "dev BLEU", "test BLEU"],
        [[one.name, one.dev, one.scores["bleu"].value] for one in made.stages],
    )
    return page
