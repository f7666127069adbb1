"""The tuners on real text, cell by cell; without `--run`, prints the tables of results so far.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_grid --run AB --seeds 3

Models, results and outputs are kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchmarks.tuning_cells import GROUPS, cells
from benchmarks.tuning_run import TuningResults
from benchmarks.tuning_tables import tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="", help=f"groups to measure, of {''.join(GROUPS)}")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--baseline", default="mira", help="what others are compared with")
    arguments, _ = parser.parse_known_args()
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if not named:
        print("DEMOTIC_BENCH_MODELS names no folder for models and results; nothing to do")
        return
    results = TuningResults(Path(named))
    run(results, arguments.run, arguments.seeds)
    tables(results, arguments.baseline)


def run(results: TuningResults, groups: str, seeds: int) -> None:
    done = {record["key"] for record in results.records}
    for cell in cells(groups, seeds):
        if cell.key in done:
            continue
        record = results.run(cell)
        done.add(cell.key)
        print(
            f"{cell.group} {cell.task} {cell.kind} {cell.system} beam {cell.beam} seed {cell.seed}:"
            f" dev {record['dev']:.2f} test {record['test']:.2f} ({record['seconds']:.0f} CPU s,"
            f" {record['rounds']} rounds)",
            flush=True,
        )


if __name__ == "__main__":
    main()
