"""Training on real text, cell by cell; without `--run`, prints the tables of all results so far.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.training_grid --run RI

Models, results and outputs are kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from benchmarks.paired import compared, spread_of, statistics
from benchmarks.results import models_folder
from benchmarks.training_cells import GROUPS, UNTRAINED, TrainingCell
from benchmarks.training_run import TrainingResults

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="", help=f"groups to measure, of {''.join(GROUPS)}")
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    results = TrainingResults(home)
    done = {record["key"] for record in results.records}
    for cell in (cell for group in arguments.run for cell in GROUPS[group]()):
        if cell.key not in done:
            done.add(cell.key)
            _tell(cell, results.run(cell))
    for line in tables(results):
        print(line)


def _tell(cell: TrainingCell, record: Record) -> None:
    print(
        f"{' '.join(map(str, cell.place))} {cell.system}: dev {record['dev']:.2f}"
        f" test {record['test']:.2f}, {record['pairs']:,} pairs, {record['features']:,} features,"
        f" invalid {record['invalid']}, dev {record['curve']} ({record['seconds']:.0f} CPU s)",
        flush=True,
    )


def tables(results: TrainingResults) -> Iterable[str]:
    """One row per system: means over orders; tests over all of them against the untrained model."""
    places: dict[tuple[Any, ...], dict[str, list[Record]]] = {}
    for record in results.records:
        cell = TrainingCell(**record["cell"])
        places.setdefault(cell.place, {}).setdefault(cell.system, []).append(record)
    for place, systems in places.items():
        yield f"\n{', '.join(map(str, place))}\n"
        yield (
            "| system | runs | features | per source word | dev | test | TER | against tuned"
            " | p shuffle | invalid, first and last epoch | CPU s |"
        )
        yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|"
        base = systems.get(UNTRAINED)
        for name, records in systems.items():
            yield _row(results, name, records, None if name == UNTRAINED else base)


def _row(
    results: TrainingResults, name: str, records: list[Record], base: list[Record] | None
) -> str:
    test = ("", "")
    if base is not None:
        metric = results.task(TrainingCell(**base[0]["cell"])).sets.bleu
        sides = (statistics(results, metric, side) for side in (records, _matched(base, records)))
        found = compared(metric, *sides)
        test = (f"{found.difference:+.2f}", f"{found.p_randomisation:.4f}")
    row = (
        name,
        str(len(records)),
        f"{fmean(record['features'] for record in records):,.0f}",
        _per_word(records),
        *(spread_of([record[figure] for record in records]) for figure in ("dev", "test", "ter")),
        *test,
        _invalid(records),
        f"{fmean(record['seconds'] for record in records):.0f}",
    )
    return f"| {' | '.join(row)} |"


def _matched(base: list[Record], records: list[Record]) -> list[Record]:
    """The tuned model that each run began with: of its own seed, or the only one."""
    by_seed = {record["cell"]["seed"]: record for record in base}
    return [by_seed.get(record["cell"]["seed"], base[0]) for record in records]


def _per_word(records: list[Record]) -> str:
    """Features per source word trained on; older records do not have the number of words."""
    if not all(record.get("words") for record in records):
        return ""
    return f"{fmean(record['features'] / record['words'] for record in records):.1f}"


def _invalid(records: list[Record]) -> str:
    """The range over orders of the share of invalid updates."""
    shares = [[100 * share for share in record["invalid"]] for record in records]
    if not all(shares):
        return ""
    ends = ([share[0] for share in shares], [share[-1] for share in shares])
    return ", ".join(f"{min(end):.0f}-{max(end):.0f} %" for end in ends)


if __name__ == "__main__":
    main()
