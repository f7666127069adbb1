"""The page of `demotic force`: how many pairs are reachable, and why the others are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from demotic.force.examples import Example
from demotic.force.run import Reachability
from demotic.force.tables import (
    CAUSES,
    LENGTH_HEADER,
    Row,
    by_cause,
    by_derivations,
    by_length,
    by_length_and_limit,
    limit_name,
    shares,
    totals,
)
from demotic.report import Html, Page
from demotic.report.bars import bars, columns
from demotic.report.markup import element, marked

__all__ = ["page_of"]

_COLUMNS = 25  # maximum number of columns in a chart


def page_of(
    found: Reachability,
    model: str,
    sweep: Sequence[Row] = (),
    examples: Mapping[str, Sequence[Example]] | None = None,
    *,
    kind: str = "phrase",
) -> Page:
    """`sweep`: counts by distortion limit; `examples`: pairs by outcome."""
    sums = totals(found)
    page = Page(
        f"Forced decoding: {sums['reachable_share']:.1f} % of {len(found):,} pairs are reachable",
        subtitle=f"A pair is reachable if the model {model} can produce its reference with some "
        "derivation. Training uses only reachable pairs.",
    )
    page.note(f"Settings: {_space(found, kind)}.")
    _totals(page, sums)
    _causes(page, found)
    _examples(page, examples or {})
    _lengths(page, by_length(found))
    _derivations(page, by_derivations(found))
    if sweep:
        _sweep(page, sweep)
    return page


def _totals(page: Page, sums: Row) -> None:
    header = ["", "pairs", "% of pairs", "% of source words"]
    rows: list[list[object]] = [["reachable", *shares(sums, "reachable")]]
    if sums["with_prefixes"] != sums["reachable"]:
        rows.append(["or with a reachable prefix", *shares(sums, "with_prefixes")])
    if sums["undecided"]:
        rows.append(["undecided: the search hit its limit", sums["undecided"], "", ""])
    page.table(header, [*rows, ["all", sums["pairs"], 100.0, 100.0]])


def _causes(page: Page, found: Reachability) -> None:
    causes = [row for row in by_cause(found) if row["pairs"]]
    if not causes:
        return
    page.heading("Why pairs are not reachable", "Number of pairs by cause.")
    page.add(bars([(row["meaning"], row["pairs"]) for row in causes]))


def _examples(page: Page, groups: Mapping[str, Sequence[Example]]) -> None:
    if not groups:
        return
    page.heading(
        "Examples",
        "Source and reference of some pairs. Words that make a pair unreachable have a wavy line; "
        "blue words are the longest reachable prefix.",
    )
    with page.inside("div", "columns"):
        for name, pairs in groups.items():
            with page.inside("section"):
                title = CAUSES.get(name, "").capitalize()
                page.add(element("h3", title or "Reachable"))
                for one in pairs:
                    page.add(_example(one, reachable=name == "reachable"))


def _example(one: Example, *, reachable: bool) -> Html:
    sides = (one.source, one.at_fault.source), (one.reference, one.at_fault.target)
    lines = []
    for (words, faults), end in zip(sides, one.prefix, strict=True):
        prefix = {} if reachable else dict.fromkeys(range(end), "words")
        lines.append(element("div", marked(words, {**prefix, **dict.fromkeys(faults, "cause")})))
    if reachable:
        number = (
            "1 derivation" if one.derivations == 1 else f"{_count(one.derivations)} derivations"
        )
        lines.append(element("div", number, class_="note"))
    return element("div", *lines, class_="pair")


def _count(derivations: float) -> str:
    if derivations >= 1e6:
        return f"about {derivations:.1e}".replace("e+0", " × 10^").replace("e+", " × 10^")
    return f"{derivations:,.0f}"


def _lengths(page: Page, rows: Sequence[Row]) -> None:
    page.heading("By length", "Share of reachable pairs by number of source words.")
    drawing = columns(
        [(_range(some), _mean_share(some)) for some in _joined(rows)],
        across="source words",
        unit="% of pairs reachable",
    )
    page.figure(drawing)
    with page.fold("In numbers"):
        shown = [["" if value is None else value for value in row.values()] for row in rows]
        page.table(LENGTH_HEADER, shown)


def _derivations(page: Page, counts: Sequence[Row]) -> None:
    if not counts:
        return
    page.heading(
        "Derivations of reachable pairs",
        "Number of pairs by their number of derivations.",
    )
    sums = [(some[0]["derivations"], sum(row["pairs"] for row in some)) for some in _joined(counts)]
    page.figure(columns(sums, across="derivations, from", unit="pairs"))


def _joined(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Adjacent rows merged, so that there are not too many columns."""
    size = max(1, -(-len(rows) // _COLUMNS))
    return [rows[i : i + size] for i in range(0, len(rows), size)]


def _range(rows: Sequence[Row]) -> str:
    return f"{rows[0]['words'].partition('-')[0]}-{rows[-1]['words'].rpartition('-')[2]}"


def _mean_share(rows: Sequence[Row]) -> float:
    pairs = sum(row["pairs"] for row in rows)
    share: float = sum(row["pairs"] * row["reachable_share"] for row in rows) / pairs
    return round(share, 2)


def _sweep(page: Page, sweep: Sequence[Row]) -> None:
    page.heading(
        "By distortion limit", "Share of reachable pairs by the allowed jump length in words."
    )
    shares = [(limit_name(row["distortion_limit"]), row["reachable_share"]) for row in sweep]
    page.figure(columns(shares, across="distortion limit", unit="% of pairs reachable"))
    with page.fold("By length and limit: % of pairs reachable"):
        page.table(*by_length_and_limit(sweep, "reachable_share"), cards=False)
    with page.fold("By length and limit: log10 of derivations, geometric mean"):
        page.table(*by_length_and_limit(sweep, "log10_derivations"), cards=False)


def _space(found: Reachability, kind: str) -> str:
    limit = found.options.distortion_limit
    space = "any jump" if limit < 0 else f"jumps of at most {limit} words"
    space += f", {'with' if found.options.gap_test else 'without'} the gap test"
    if kind == "hiero":
        span = found.options.span_limit
        space = f"rules span at most {span} source words" if span else "rules span any length"
    copies = "1 reference" if found.copies == 1 else f"{found.copies} references"
    return f"{space}; all rules; {copies} per sentence"
