"""The tuners on real text, cell by cell; without `--run`, prints the tables of results so far.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_grid --run AB --seeds 3

Models, results and outputs are kept in that folder; existing results are not measured again.
Search-aware against plain tuning is group S, of which any part can be chosen:

    python -m benchmarks.tuning_grid --run S --seeds 3 --table aware \\
        --method mira,mert --aware none,potential --beam 8,30 --future-cost off --task zh-en-tatoeba

Several processes can share a group: `--part 1/2` and `--part 2/2`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from benchmarks.results import models_folder
from benchmarks.search_aware_table import search_aware_table
from benchmarks.tuning_cells import GROUPS, Cell, Subset, cells
from benchmarks.tuning_run import TuningResults
from benchmarks.tuning_tables import tables


def main() -> None:
    arguments, _ = parser().parse_known_args()
    home = models_folder()
    if home is None:
        return
    results = TuningResults(home)
    place, parts = map(int, arguments.part.split("/"))
    chosen = list(cells(arguments.run, arguments.seeds, subset_of(arguments)))
    run(results, chosen[place - 1 :: parts], arguments.threads)
    if arguments.table == "all":
        tables(results, arguments.baseline)
    elif arguments.table == "aware":
        print("\n".join(search_aware_table(results)))


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--run", default="", help=f"groups to measure, of {''.join(GROUPS)}")
    made.add_argument("--seeds", type=int, default=1)
    made.add_argument("--baseline", default="mira", help="what others are compared with")
    made.add_argument("--table", choices=("all", "aware", "none"), default="all")
    made.add_argument("--threads", type=int, default=1, help="of the search; changes no result")
    made.add_argument("--part", default="1/1", help="I/N: every Nth cell from the Ith on")
    for name, parsed in (
        ("task", str),
        ("method", str),
        ("aware", str),
        ("beam", int),
        ("future-cost", {"on": True, "off": False}.__getitem__),
        ("bin-weight", str),
    ):
        default = "shared" if name == "bin-weight" else None
        made.add_argument(f"--{name}", type=_values(parsed), default=default, help="only these")
    return made


def _values(parsed: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Values separated by commas."""
    return lambda text: tuple(map(parsed, text.split(",")))


def subset_of(arguments: argparse.Namespace) -> Subset:
    names = ("task", "method", "aware", "beam", "future_cost")
    given = {name: getattr(arguments, name) for name in names}
    # Other groups name the weights of their bins themselves.
    weights = arguments.bin_weight if arguments.run == "S" else None
    return Subset(**given, bin_weight=weights)


def run(results: TuningResults, chosen: list[Cell], threads: int) -> None:
    for cell in chosen:
        if cell.key in {record["key"] for record in results.records}:
            continue
        record = results.run(cell, threads)
        print(
            f"{cell.group} {cell.task} {cell.kind} {cell.system} beam {cell.beam}"
            f"{'' if cell.future_cost else ' without future cost'} seed {cell.seed}:"
            f" dev {record['dev']:.2f} test {record['test']:.2f} ({record['seconds']:.0f} CPU s,"
            f" {record['keep']}: round {record['kept_round']} of {record['rounds']})",
            flush=True,
        )


if __name__ == "__main__":
    main()
