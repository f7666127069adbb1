"""The tables of the tuning grid: means and deviations over seeds, significance tests, beams.

Scores of a system are means over its runs; the tests are those of Clark et al. 2011 over all runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.paired import compared, spread_of, statistics
from benchmarks.results import Results
from benchmarks.search_aware_table import search_aware_table
from benchmarks.tuning_cells import UNTUNED, Cell
from benchmarks.tuning_run import Task, TuningResults, open_task

__all__ = ["tables"]

Record = dict[str, Any]
WIDE = 200

MOSES = {
    ("zh-en-tatoeba", "phrase"): {
        "untuned": (25.60, 24.54, 53.49),
        "mert": (27.07, 25.36, 55.69),
        "mira": (27.04, 25.42, 54.08),
        "pro": (26.46, 25.03, 52.60),
    },
    ("zh-en-tatoeba", "hiero"): {"mert": (27.60, 25.57, 55.50), "mira": (27.70, 25.98, 53.60)},
    ("de-en-multi30k", "phrase"): {"mert": (40.67, 40.59, 37.10), "mira": (40.75, 40.44, 36.97)},
}
"""Dev BLEU, test BLEU, test TER; one run each, measured elsewhere; to stand beside wide beams."""


def tables(results: TuningResults, baseline: str) -> None:
    places: dict[tuple[Any, ...], dict[str, list[Record]]] = {}
    for record in results.records:
        cell = Cell(group="", **record["cell"])
        place = (cell.task, cell.kind, cell.beam, cell.pop, cell.rounds, cell.future_cost)
        places.setdefault(place, {}).setdefault(cell.system, []).append(record)
    for place, systems in places.items():
        task, kind, beam, pop, rounds, future_cost = place
        without = "" if future_cost else ", without future cost"
        print(f"\n{task}, {kind}, beam {beam}, pop limit {pop}, {rounds} rounds{without}\n")
        opened = open_task(task, kind, results.models)
        for line in _table(results, opened, systems, baseline):
            print(line)
        moses = MOSES.get((task, kind), {}) if beam == WIDE else {}
        for name, (dev, test, ter) in moses.items():
            print(f"| Moses {name} | 1 | {dev:.2f} | {test:.2f} | {ter:.2f} | | | | | | |")
    for line in (*beams(places), *spreads(results.records), *search_aware_table(results)):
        print(line)


def _table(
    results: Results, task: Task, systems: dict[str, list[Record]], baseline: str
) -> Iterable[str]:
    yield (
        f"| system | runs | dev BLEU | test BLEU | TER | words | against {baseline} | p bootstrap"
        " | p shuffle | CPU s | rounds |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    base = statistics(results, task.bleu, systems[baseline]) if baseline in systems else None
    for name, records in systems.items():
        test = ("", "", "")
        if base is not None and name != baseline:
            found = compared(task.bleu, statistics(results, task.bleu, records), base)
            test = (
                f"{found.difference:+.2f}",
                f"{found.p_bootstrap:.3f}",
                f"{found.p_randomisation:.4f}",
            )
        scores = (spread_of([record[figure] for record in records]) for figure in _FIGURES)
        rest = (f"{fmean(record[figure] for record in records):.0f}" for figure in _COSTS)
        words = f"{fmean(record['words'] for record in records):.0f}"
        row = (name + _start_kept(records), str(len(records)), *scores, words, *test, *rest)
        yield f"| {' | '.join(row)} |"


def _start_kept(records: list[Record]) -> str:
    """Runs that never beat their initial weights, which were measured instead."""
    tuned = [record for record in records if record["cell"]["method"] != UNTUNED]
    kept = sum(record["start_kept"] for record in tuned)
    return f" ({kept} of {len(records)} untuned)" if kept else ""


_FIGURES = ("dev", "test", "ter")
_COSTS = ("seconds", "rounds")


def beams(places: dict[tuple[Any, ...], dict[str, list[Record]]]) -> Iterable[str]:
    """BLEU by beam in tuning and test, plain and search-aware (Liu & Huang 2014, figure 5)."""
    found: dict[str, dict[int, list[Record]]] = {}
    for (task, kind, beam, pop, _, future_cost), systems in places.items():
        if (task, kind, pop, future_cost) == ("zh-en-tatoeba", "phrase", 2 * beam, True):
            for name, records in systems.items():
                found.setdefault(name, {}).setdefault(beam, []).extend(records)
    swept = {name: row for name, row in found.items() if len(row) > 1}
    columns = sorted({beam for row in swept.values() for beam in row})
    for figure in ("test", "dev"):
        yield f"\n{figure} BLEU by beam, with the number of runs\n"
        yield f"| | {' | '.join(map(str, columns))} |"
        yield f"|---|{'--:|' * len(columns)}"
        for name, row in swept.items():
            cells = (_mean_of(row.get(beam, []), figure) for beam in columns)
            yield f"| {name} | {' | '.join(cells)} |"


def _mean_of(records: list[Record], figure: str) -> str:
    if not records:
        return ""
    return f"{fmean(record[figure] for record in records):.2f} ({len(records)})"


def spreads(records: list[Record]) -> Iterable[str]:
    """score(hope) - score(worst) of lists, mean and deviation (Eidelman et al. 2013, section 6)."""
    yield "\nspread of scores in lists: all rounds; the round that gave the weights\n"
    yield "| task | kind | beam | system | seed | all | kept |"
    yield "|---|---|--:|---|--:|--:|--:|"
    for record in records:
        cell, found = Cell(group="", **record["cell"]), np.array(record["spreads"])
        if not len(found) or cell.seed != 1 or cell.beam != WIDE:
            continue
        kept = record["kept_round"] - 1
        mean = found[:, 0].mean()
        deviation = np.sqrt((found**2).sum(axis=1).mean() - mean**2)
        last = f"{found[kept, 0]:.1f} ± {found[kept, 1]:.1f}" if kept >= 0 else ""
        row = (cell.task, cell.kind, str(cell.beam), cell.system, str(cell.seed))
        yield f"| {' | '.join(row)} | {mean:.1f} ± {deviation:.1f} | {last} |"
