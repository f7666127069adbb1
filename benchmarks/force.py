"""Forced decoding of phrases: pairs per second and core, growth with the distortion limit, size.

Pairs of 20 to 30 source words of es-en-news' training text, with all rules and with leave-one-out,
including rule matching; reachable, unreachable and undecided pairs are distinguished.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pairing import measure
from benchmarks.phrase_models import model_folder, open_task
from benchmarks.texts import data_folder
from demotic.force import ForceOptions, Reachability, force
from demotic.lines import LineFile
from demotic.model import Model

__all__ = ["main"]

NAME = "es-en-news"
PAIRS = 5_000
LIMITS = (0, 4, 6, 10)
GOAL, GROWTH = 5_000, 4.0


@dataclass(frozen=True)
class Work:
    """Chosen lines of the training text; the others are empty, so that pair numbers stay valid."""

    model: Model
    sources: list[str]
    references: list[list[str]]
    leave_one_out: bool

    def run(self, limit: int, path: Path | None, threads: int = 1) -> Reachability:
        return force(
            self.model,
            self.sources,
            self.references,
            ForceOptions(distortion_limit=limit, find_cause=False),
            path=path,
            leave_one_out=self.leave_one_out,
            threads=threads,
        )


def main() -> None:
    with model_folder() as folder, tempfile.TemporaryDirectory() as scratch:
        model = open_task(NAME, folder, 1).model
        sides = [
            list(LineFile(data_folder() / NAME / "tok" / f"train.{s}.gz")) for s in ("es", "en")
        ]
        for leave_one_out in (False, True):
            report(chosen(model, sides, leave_one_out), Path(scratch) / "gold.bin")


def chosen(model: Model, sides: list[list[str]], leave_one_out: bool) -> Work:
    """A prefix of the text, so that pair numbers are line numbers."""
    sources: list[str] = []
    references: list[list[str]] = []
    count = 0
    for source, target in zip(*sides, strict=True):
        fits = 20 <= len(source.split()) <= 30
        if count == PAIRS:
            break
        count += fits
        if fits or leave_one_out:
            sources.append(source if fits else "")
            references.append([target if fits else ""])
    return Work(model, sources, references, leave_one_out)


def report(work: Work, path: Path) -> None:
    words = sum(len(line.split()) for line in work.sources)
    rules = "leave-one-out" if work.leave_one_out else "all rules"
    print(f"\n{NAME}, {PAIRS:,} pairs of 20 to 30 words ({words:,} source words), {rules}")
    work.run(0, None)  # maps the pages of the model
    seconds = {limit: line(work, limit, path) for limit in LIMITS}
    growth = seconds[LIMITS[-1]] / seconds[LIMITS[0]]
    verdict = "ok" if growth <= GROWTH else "over"
    print(f"limit 10 / limit 0: {growth:.2f}, wanted at most {GROWTH:g}: {verdict}")
    one, two = (least_wall(work, path, threads) for threads in (1, 2))
    print(f"two threads at limit 6: {one / two:.2f} times one (wall)", flush=True)


def least_wall(work: Work, path: Path, threads: int) -> float:
    return min(measure(lambda: work.run(6, path, threads)).wall for _ in range(3))


def line(work: Work, limit: int, path: Path) -> float:
    """One row; the minimum CPU time of three runs."""
    found: list[Reachability] = []
    cpu = min(measure(lambda: found.append(work.run(limit, path))).cpu for _ in range(3))
    last = found[-1]
    asked = last.lengths > 0
    whole, undecided = int((last.reachable & asked).sum()), int(last.undecided.sum())
    edges = int(last.native.edges.sum())
    speed = PAIRS / cpu
    print(
        f"limit {limit:>2}: {speed:>7,.0f} pairs/s"
        f"{' (goal ' + ('ok' if speed >= GOAL else 'missed') + ')' if limit == 6 else ''},"
        f" reachable {100 * whole / PAIRS:.1f} %, undecided {undecided},"
        f" {edges / max(whole, 1):.0f} edges per reachable pair,"
        f" {path.stat().st_size / edges:.1f} B per edge",
        flush=True,
    )
    return cpu


if __name__ == "__main__":
    main()
