"""Search-aware against plain tuning at the same beam, with means over the seeds.

The difference and its test (approximate randomisation) are over all runs of both systems; plain
runs whose seeds the search-aware system does not have are left out, and the reverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from benchmarks.paired import compared, spread_of, statistics
from benchmarks.tuning_cells import Cell
from benchmarks.tuning_run import TuningResults, open_task

__all__ = ["search_aware_table"]

Record = dict[str, Any]
Place = tuple[str, str, int, int, int, bool, str]

_HEADER = (
    "| task | future cost | beam | system | runs | dev BLEU | test BLEU | against plain | p shuffle"
    " | kept | words | CPU s |"
)


def search_aware_table(results: TuningResults) -> Iterator[str]:
    """One row per system with any search-aware run beside it."""
    places = _places(results.records)
    yield "\nsearch-aware and plain tuning, dev BLEU on the tuning set\n"
    yield _HEADER
    yield "|---|---|--:|---|--:|--:|--:|--:|--:|---|--:|--:|"
    for place in sorted(places):
        systems = places[place]
        plain = [name for name, records in systems.items() if _aware(records[0]) == "none"]
        if not plain or len(systems) == 1:
            continue
        for name, records in systems.items():
            yield _row(results, place, name, records, systems[plain[0]])


def _aware(record: Record) -> str:
    aware: str = record["cell"]["aware"]
    return aware


def _places(records: Sequence[Record]) -> dict[Place, dict[str, list[Record]]]:
    """Runs by what plain and search-aware systems have in common, then by system."""
    places: dict[Place, dict[str, list[Record]]] = {}
    for record in records:
        cell = Cell(group="", **record["cell"])
        method = cell.system.partition(f" {cell.aware}")[0]
        place = (cell.task, cell.kind, cell.beam, cell.pop, cell.rounds, cell.future_cost, method)
        keep = f" keep={cell.keep}" if cell.keep else ""
        places.setdefault(place, {}).setdefault(cell.system + keep, []).append(record)
    return places


def _row(
    results: TuningResults, place: Place, name: str, records: list[Record], plain: list[Record]
) -> str:
    task, kind, beam, _, _, future_cost, _ = place
    row = (
        task,
        "on" if future_cost else "off",
        str(beam),
        name,
        str(len(records)),
        *(spread_of([record[figure] for record in records]) for figure in ("dev", "test")),
        *_against(results, open_task(task, kind, results.models).bleu, records, plain),
        _kept(records),
        *(f"{fmean(record[figure] for record in records):.0f}" for figure in ("words", "seconds")),
    )
    return f"| {' | '.join(row)} |"


def _against(
    results: TuningResults, bleu: Any, records: list[Record], plain: list[Record]
) -> tuple[str, str]:
    """The difference to plain tuning and its p; empty for the plain system itself."""
    seeds = {record["cell"]["seed"] for record in records}
    seeds &= {record["cell"]["seed"] for record in plain}
    if not seeds or records is plain:
        return "", ""
    rows = [
        statistics(results, bleu, [one for one in side if one["cell"]["seed"] in seeds])
        for side in (records, plain)
    ]
    found = compared(bleu, rows[0], rows[1])
    return f"{found.difference:+.2f}", f"{found.p_randomisation:.4f}"


def _kept(records: list[Record]) -> str:
    """What was kept and the round of every seed; 0 is the initial weights."""
    rounds = ", ".join(f"{record['kept_round']}/{record['rounds']}" for record in records)
    return f"{records[0]['keep']}: {rounds}"
