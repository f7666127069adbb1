"""The output of `demotic evaluate`: a signature to copy and one row per system, not wrapped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.metrics.evaluation import Evaluation, MetricResult, SystemScore

__all__ = ["result_text", "test_columns_text"]


def result_text(result: Evaluation) -> str:
    """All metrics, one after another."""
    confidence = f"{result.options.confidence:g} % interval"
    parts = [_table(metric, confidence) for metric in result.metrics.values()]
    return "\n\n".join(parts)


def test_columns_text(result: Evaluation) -> str:
    """An explanation of the columns of tests."""
    options = result.options
    first = _short([system.name for system in next(iter(result.metrics.values())).systems])[0]
    return (
        f"against: {first} minus this system; wins: share of {options.samples:,} samples in which"
        f" {first} is better; p bootstrap: paired bootstrap; p shuffle: approximate randomisation,"
        f" {options.trials:,} trials"
    )


def _table(metric: MetricResult, confidence: str) -> str:
    header = ["system", metric.name, confidence]
    several = any(system.deviation is not None for system in metric.systems)
    compared = len(metric.systems) > 1
    header += ["runs"] * several + ["against", "wins", "p bootstrap", "p shuffle"] * compared
    detailed = any(system.detail for system in metric.systems)
    header += ["detail"] * detailed
    names = _short([system.name for system in metric.systems])
    rows = [
        [name, *_cells(system, metric, several), *[system.detail] * detailed]
        for name, system in zip(names, metric.systems, strict=True)
    ]
    return "\n".join([f"{metric.name} {metric.signature}", *_aligned([header, *rows])])


def _short(names: list[str]) -> list[str]:
    """Names without directories, if they stay distinct."""
    short = [",".join(map(os.path.basename, name.split(","))) for name in names]
    return short if len(set(short)) == len(names) else names


def _cells(system: SystemScore, metric: MetricResult, several: bool) -> list[str]:
    cells = [f"{system.score:.2f}", f"{system.interval.low:.2f} to {system.interval.high:.2f}"]
    if several:
        spread = "" if system.deviation is None else f" ± {system.deviation:.2f}"
        cells.append(f"{len(system.runs)}{spread}")
    test = metric.systems[0].against.get(system.name)
    if test is not None:
        cells += [f"{test.difference:+.2f}", f"{100 * test.wins:.1f} %"]
        cells += [f"{test.p_bootstrap:.4f}", f"{test.p_randomisation:.4f}"]
    elif len(metric.systems) > 1:
        cells += [""] * 4
    return cells


def _aligned(rows: list[list[str]]) -> list[str]:
    """Names left-aligned, the rest right-aligned, except for a last column of words."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = rows[0][-1] == "detail"
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        for i, cell in enumerate(row[1:], 1):
            last = words and i == len(row) - 1
            cells.append(cell if last else cell.rjust(widths[i]))
        lines.append("  ".join(["", *cells]).rstrip())
    return lines
