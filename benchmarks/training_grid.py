"""Training on real text, cell by cell; without `--run`, prints the tables of all results so far.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.training_grid --run RI

Models, results and outputs are kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.training_cells import GROUPS, UNTRAINED, TrainingCell
from benchmarks.training_run import TrainingResults
from benchmarks.tuning_tables import compared, statistics

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="", help=f"groups to measure, of {''.join(GROUPS)}")
    arguments, _ = parser.parse_known_args()
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if not named:
        print("DEMOTIC_BENCH_MODELS names no folder for models and results; nothing to do")
        return
    results = TrainingResults(Path(named))
    done = {record["key"] for record in results.records}
    for cell in (cell for group in arguments.run for cell in GROUPS[group]()):
        if cell.key not in done:
            done.add(cell.key)
            _tell(cell, results.run(cell))
    for line in tables(results):
        print(line)


def _tell(cell: TrainingCell, record: Record) -> None:
    print(
        f"{' '.join(map(str, cell.place))} {cell.method} {cell.features}: dev {record['dev']:.2f}"
        f" test {record['test']:.2f}, {record['pairs']:,} pairs, {record['features']:,} features,"
        f" invalid {record['invalid']}, dev {record['curve']} ({record['seconds']:.0f} CPU s)",
        flush=True,
    )


def tables(results: TrainingResults) -> Iterable[str]:
    """One row per cell; tests against the same model without training."""
    places: dict[tuple[Any, ...], list[tuple[TrainingCell, Record]]] = {}
    for record in results.records:
        cell = TrainingCell(**record["cell"])
        places.setdefault(cell.place, []).append((cell, record))
    for place, rows in places.items():
        yield f"\n{', '.join(map(str, place))}\n"
        yield (
            "| method | templates | epochs | features | per source word | dev | test | TER"
            " | against tuned | p shuffle | invalid, first and last epoch | dev by epoch | CPU s |"
        )
        yield "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|--:|"
        base = next((record for cell, record in rows if cell.method == UNTRAINED), None)
        yield from (_row(results, cell, record, base) for cell, record in rows)


def _row(results: TrainingResults, cell: TrainingCell, record: Record, base: Record | None) -> str:
    test = ("", "")
    if base is not None and record is not base:
        metric = results.task(cell).sets.bleu
        sides = (statistics(results, metric, [one]) for one in (record, base))
        found = compared(metric, *sides)
        test = (f"{found.difference:+.2f}", f"{found.p_randomisation:.4f}")
    invalid = [f"{100 * share:.0f} %" for share in record["invalid"]]
    row = (
        cell.method,
        "" if cell.method == UNTRAINED else cell.features,
        str(len(record["curve"]) or ""),
        f"{record['features']:,}",
        f"{record['features'] / record['words']:.1f}" if record.get("words") else "",
        *(f"{record[figure]:.2f}" for figure in ("dev", "test", "ter")),
        *test,
        ", ".join([*invalid[:1], *invalid[1:][-1:]]),
        " ".join(f"{score:.2f}" for score in record["curve"]),
        f"{record['seconds']:.0f}",
    )
    return f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
