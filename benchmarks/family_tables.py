"""The tables of `feature_families`: means over seeds, paired tests over all runs, spreads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.family_tasks import TASKS
from benchmarks.paired import compared, spread_of, statistics
from benchmarks.results import Results
from demotic.metrics import Bleu, BleuOptions, References, Ter
from demotic.metrics.metric import Metric
from demotic.metrics.significance import PairedTest

__all__ = ["tables"]

Record = dict[str, Any]
BASELINES = {"c08": ("mert c08-baseline",), "e13": ("mira e13-sparse", "mira e13-basic")}
"""What other systems of a group are tested against; with the same features, if there is one."""
_FINE = "mira c08-syntax-fine"
QUESTIONS = {
    "c08": (
        (_FINE, "mert c08-syntax-coarse"),
        ("mira c08-distortion-fine", "mert c08-distortion-coarse"),
        ("mira c08-all", "mert c08-syntax-coarse"),
        ("mira c08-all", "mira c08-baseline"),
        (_FINE, "mira c08-baseline"),
        (_FINE, "mira c08-syntax-coarse"),
        (_FINE, f"{_FINE} (random trees)"),
        (_FINE, f"{_FINE} (right trees)"),
    ),
    "e13": (
        ("mira e13-sparse", "mira e13-basic"),
        ("rm e13-sparse", "rm e13-basic"),
        ("pro interpolation=1.0 e13-sparse", "pro interpolation=1.0 e13-basic"),
        ("rampion e13-sparse", "rampion e13-basic"),
        ("rm e13-sparse", "pro interpolation=1.0 e13-sparse"),
        ("rm e13-sparse", "rampion e13-sparse"),
    ),
}
"""Pairs of systems that are compared as well."""


def tables(results: Results, home: Path) -> None:
    places: dict[tuple[str, str], dict[str, list[Record]]] = {}
    for record in results.records:
        cell = record["cell"]
        place = places.setdefault((cell["group"], cell["task"]), {})
        place.setdefault(system_of(cell), []).append(record)
    for (group, task), systems in places.items():
        side = TASKS[task](home).sets["test"]
        references = References.from_streams(side.references)
        metrics: list[Metric] = [
            Bleu(references, BleuOptions(tokenize="none")),
            Ter(references),
        ]
        print(f"\n{group}, {task}, {len(side.source):,} test sentences\n")
        print("\n".join(_table(results, metrics, systems, BASELINES[group])))
        print()
        print("\n".join(_answers(results, metrics, systems, QUESTIONS[group])))
    print("\nspread of scores in lists: all rounds; the round that gave the weights\n")
    print("\n".join(_spreads(places)))


def system_of(cell: dict[str, Any]) -> str:
    """The common settings of runs with different seeds."""
    options = [f"{name}={value}" for name, value in cell["learner"].items()]
    control = [f"({cell['trees']} trees)"] if cell["trees"] not in ("none", "true") else []
    return " ".join([cell["method"], *options, cell["sparse"] or cell["dense"], *control])


def _table(
    results: Results,
    metrics: list[Metric],
    systems: dict[str, list[Record]],
    baselines: tuple[str, ...],
) -> Iterator[str]:
    yield (
        "| system | runs | tuning BLEU | dev BLEU | test BLEU | p | test TER | p | (TER-BLEU)/2 |"
        " active of seen | CPU s |"
    )
    yield f"|---|{'--:|' * 10}"
    for name, records in systems.items():
        base = next((one for one in baselines if one.split()[1] == name.split()[-1]), baselines[0])
        tests = [_p_value(results, one, name, base, systems) for one in metrics]
        bleu, ter = (_scores(records, figure) for figure in ("test", "ter"))
        both = fmean((one["ter"] - one["test"]) / 2 for one in records)
        active = " of ".join(f"{fmean(one[what] for one in records):,.0f}" for what in _COUNTS)
        yield (
            f"| {name} | {len(records)} | {_scores(records, 'tuning')} |"
            f" {_scores(records, 'dev')} | {bleu} | {tests[0]} | {ter} | {tests[1]} |"
            f" {both:.2f} | {active if records[0]['seen'] else ''} |"
            f" {fmean(one['seconds'] for one in records):.0f} |"
        )


_COUNTS = ("active", "seen")


def _scores(records: list[Record], figure: str) -> str:
    values = [one[figure] for one in records if one[figure] is not None]
    return spread_of(values) if values else ""


def _p_value(
    results: Results, metric: Metric, name: str, base: str, systems: dict[str, list[Record]]
) -> str:
    if name == base or base not in systems:
        return ""
    return f"{_tested(results, metric, systems[name], systems[base]).p_randomisation:.3f}"


def _tested(
    results: Results, metric: Metric, system: list[Record], base: list[Record]
) -> PairedTest:
    """By approximate randomisation over all runs; one run, of a method that draws no random
    numbers, stands for as many as the other system has."""
    if min(len(system), len(base)) == 1:
        system, base = system * len(base), base * len(system)
    count = min(len(system), len(base))
    sides = [statistics(results, metric, one[:count]) for one in (system, base)]
    return compared(metric, *sides)


def _answers(
    results: Results,
    metrics: list[Metric],
    systems: dict[str, list[Record]],
    questions: tuple[tuple[str, str], ...],
) -> Iterator[str]:
    yield "| system | against | BLEU | p | TER | p |"
    yield f"|---|---|{'--:|' * 4}"
    for name, base in questions:
        if name in systems and base in systems:
            tests = [_tested(results, one, systems[name], systems[base]) for one in metrics]
            figures = [f"{one.difference:+.2f} | {one.p_randomisation:.3f}" for one in tests]
            yield f"| {name} | {base} | {' | '.join(figures)} |"


def _spreads(places: dict[tuple[str, str], dict[str, list[Record]]]) -> Iterator[str]:
    """score(hope) - score(worst) of lists (Eidelman et al. 2013, section 6), seed by seed."""
    yield "| task | system | seed | all | kept |"
    yield "|---|---|--:|--:|--:|"
    for (group, task), systems in places.items():
        for name, records in systems.items() if group == "e13" else ():
            for record in records:
                if not record["spreads"]:
                    continue
                found = np.array(record["spreads"])
                mean = found[:, 0].mean()
                deviation = np.sqrt((found**2).sum(axis=1).mean() - mean**2)
                kept = record["kept"] - 1
                last = f"{found[kept, 0]:.1f} ± {found[kept, 1]:.1f}" if kept >= 0 else "(start)"
                row = (task, name, str(record["cell"]["seed"]), f"{mean:.1f} ± {deviation:.1f}")
                yield f"| {' | '.join(row)} | {last} |"
