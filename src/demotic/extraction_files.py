"""The rounds of extraction by jobs that leave files, instead of workers that stay.

Each of N jobs of a round does one part, and reads its part of the files of the round before: first
rules are extracted from a shard of the bitext, then those of some target sides are counted, then
those of some source sides are scored (`shared_extraction.py`).  The files of the last round have
everything that a table is written from.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from demotic._core import (
    OCCURRENCE_BYTES,
    Alignments,
    Corpus,
    DistortionCounts,
    ExtractionDriver,
    ExtractionWorker,
    ExtractReport,
    source_bounds,
)
from demotic.errors import InputError
from demotic.lines import PathLike
from demotic.rules import RuleKind, RuleOptions
from demotic.workers.shards import Shard, ShardFile

__all__ = ["ROUNDS", "JobResult", "refuse_unscored", "run_job", "write_scored"]

ROUNDS = ("extracted", "counted", "scored")


@dataclass(frozen=True)
class JobResult:
    """What a job leaves: which round it was, what is known about its part, and bytes."""

    round: str
    about: dict[str, Any]
    parts: dict[str, bytes]


def run_job(
    bitext: tuple[Corpus, Corpus, Sequence[Alignments]],
    kind: RuleKind,
    options: RuleOptions,
    shard: Shard,
    before: Sequence[ShardFile] = (),
) -> JobResult:
    """`before`: the files of all shards of the round before, in order; none for the first round."""
    source, target, links = bitext
    worker = ExtractionWorker(source, target, list(links), options.native(kind, 1))
    if not before:
        rows = shard.part(len(source) * len(links))
        return _extract(worker, rows, shard.of)
    own = before[shard.number - 1]
    kept = {name: own.about[name] for name in ("occurrences", "gaps")}
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        joined = Path(folder) / "part"
        with joined.open("wb") as file:
            for one in before:
                file.write(one.parts[str(shard.number - 1)])
        if own.about["round"] == ROUNDS[0]:
            sample = [number for one in before for number in one.about["sample"]]
            bounds = source_bounds(sample, shard.of)
            targets, sources, tallies = worker.count(str(joined), folder, bounds)
            known = {**kept, "tallies": tallies, "bytes": len(targets)}
            return JobResult(ROUNDS[1], known, {"targets": targets, **_numbered(sources)})
        place = np.cumsum([0, *(one.about["bytes"] for one in before)]).tolist()[:-1]
        tallies = np.sum([one.about["tallies"] for one in before], axis=0).tolist()
        rules = worker.score(str(joined), folder, place, tallies)
    return JobResult(ROUNDS[2], kept, {"targets": own.parts["targets"], "rules": rules})


def _extract(worker: ExtractionWorker, rows: range, parts: int) -> JobResult:
    found, gaps, sample = worker.extract(rows.start, rows.stop, parts)
    about = {
        "occurrences": sum(map(len, found)) // OCCURRENCE_BYTES,
        "gaps": [list(gaps.in_order), list(gaps.reordered)],
        "sample": np.frombuffer(sample, np.uint64).tolist(),
    }
    return JobResult(ROUNDS[0], about, _numbered(found))


def _numbered(parts: Iterable[bytes]) -> dict[str, bytes]:
    return {str(number): part for number, part in enumerate(parts)}


def refuse_unscored(shards: Iterable[ShardFile]) -> None:
    for one in shards:
        if one.about["round"] != ROUNDS[-1]:
            raise InputError(
                f"rules that are only {one.about['round']}",
                expected="the files of the last round, whose rules are scored",
                advice="run the jobs once more, with --after FOLDER and another folder for -o",
            )


def write_scored(
    shards: Sequence[ShardFile],
    source: Corpus,
    target: Corpus,
    path: PathLike,
    *,
    kind: RuleKind,
    options: RuleOptions,
) -> ExtractReport:
    """Writes the table from the files of the last round, in order."""
    driver = ExtractionDriver(source, target, str(path), options.native(kind, 1))
    for one in shards:
        driver.add_targets(one.parts["targets"])
    for one in shards:
        driver.add(one.parts["rules"])
    gaps = np.sum([one.about["gaps"] for one in shards], axis=0).tolist()
    return driver.finish(sum(one.about["occurrences"] for one in shards), DistortionCounts(*gaps))
