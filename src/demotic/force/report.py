"""The page that `demotic force` writes: what is reached, and why the rest is not."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.force.run import Reachability
from demotic.force.tables import (
    Row,
    by_cause,
    by_derivations,
    by_length,
    by_length_and_limit,
    limit_name,
    totals,
)
from demotic.report import Page
from demotic.report.drawing import bars

__all__ = ["page_of"]


def page_of(found: Reachability, model: str, sweep: Sequence[Row] = ()) -> Page:
    """`sweep`: figures by distortion limit."""
    sums = totals(found)
    page = Page("Forced search", subtitle=f"{model}: {_space(found)}")
    page.table(
        ["", "pairs", "% of pairs", "% of source words"],
        [
            ["reached", sums["reached"], sums["reached_share"], sums["reached_words_share"]],
            [
                "with beginnings",
                sums["with_beginnings"],
                sums["with_beginnings_share"],
                sums["with_beginnings_words_share"],
            ],
            ["undecided", sums["undecided"], "", ""],
            ["all", sums["pairs"], 100.0, 100.0],
        ],
    )
    _lengths(page, by_length(found))
    page.heading("Why pairs are not reached")
    causes = by_cause(found)
    page.figure(bars([(row["cause"], row["pairs"]) for row in causes]), "pairs")
    page.table(["cause", "pairs"], [[row["meaning"], row["pairs"]] for row in causes])
    counts = by_derivations(found)
    if counts:
        page.heading("Derivations of the pairs that are reached")
        page.figure(bars([(row["derivations"], row["pairs"]) for row in counts]), "pairs")
    if sweep:
        page.heading("By distortion limit")
        shares = [(limit_name(row["distortion_limit"]), row["reached_share"]) for row in sweep]
        page.figure(bars(shares), "% of pairs reached")
        page.text("% of pairs reached, by length")
        page.table(*by_length_and_limit(sweep, "reached_share"))
        page.text("log10 of derivations (geometric mean of the reached), by length")
        page.table(*by_length_and_limit(sweep, "log10_derivations"))
    return page


def _lengths(page: Page, rows: Sequence[Row]) -> None:
    page.heading("By length of the source")
    page.figure(bars([(row["words"], row["reached_share"]) for row in rows]), "% of pairs reached")
    page.table(
        ["words", "pairs", "% reached", "% with beginnings", "undecided", "log10 of derivations"],
        [["" if value is None else value for value in row.values()] for row in rows],
    )


def _space(found: Reachability) -> str:
    limit = found.options.distortion_limit
    jumps = "any jump" if limit < 0 else f"jumps of at most {limit} words"
    test = "with" if found.options.gap_test else "without"
    return f"{jumps}, {test} the gap test, all rules; {found.copies} reference(s) a sentence"
