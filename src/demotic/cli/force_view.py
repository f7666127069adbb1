"""The output of `demotic force`: tables of reachable pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.force.tables import (
    LENGTH_HEADER,
    Row,
    by_cause,
    by_derivations,
    by_length,
    by_length_and_limit,
    shares,
    totals,
)

if TYPE_CHECKING:
    from demotic.cli.screen import Screen
    from demotic.force import Reachability

__all__ = ["ending", "show"]


def ending(found: Reachability, out: Path, time: str) -> str:
    """The outcome in a paragraph, and where to look."""
    sums = totals(found)
    return (
        f"Wrote {out}: the derivations of {sums['reachable']:,} of {sums['pairs']:,} pairs "
        f"({sums['reachable_share']:.1f} %) in gold.bin, all results in reachability.json, "
        f"in {time}.\nnext: open {out / 'report.html'} in a browser"
    )


def show(screen: Screen, found: Reachability, sweep: Sequence[Row]) -> None:
    sums = totals(found)
    rows = [
        _row("reachable", *shares(sums, "reachable")),
        _row("with prefixes", *shares(sums, "with_prefixes")),
        ["undecided", f"{sums['undecided']:,}", "", ""],
        _row("all", sums["pairs"], 100.0, 100.0),
    ]
    screen.table("Reachable", ["", "pairs", "% of pairs", "% of source words"], rows)
    _lengths(screen, by_length(found))
    causes = [[row["meaning"], f"{row['pairs']:,}"] for row in by_cause(found)]
    screen.table("Why others are not", ["cause", "pairs"], causes)
    counts = [[row["derivations"], f"{row['pairs']:,}"] for row in by_derivations(found)]
    if counts:
        screen.table("Derivations of reachable pairs", ["from", "pairs"], counts)
    if sweep:
        header = ["limit", "reachable", "%", "% of words", "undecided", "edges"]
        rows = [[str(value) for value in list(row.values())[:-1]] for row in sweep]
        screen.table("By distortion limit", header, rows)
        for title, name in (
            ("% reachable by length and limit", "reachable_share"),
            ("log10 of derivations by length and limit", "log10_derivations"),
        ):
            screen.table(title, *by_length_and_limit(sweep, name))


def _row(name: str, pairs: int, share: float, words: float) -> list[str]:
    return [name, f"{pairs:,}", f"{share:.1f}", f"{words:.1f}"]


def _lengths(screen: Screen, rows: Sequence[Row]) -> None:
    shown = [["-" if value is None else str(value) for value in row.values()] for row in rows]
    screen.table("By length of the source", LENGTH_HEADER, shown)
