"""Tuners with sparse features on zh-en-tatoeba, phrases: quality, active features, and cost.

Each tuner learns the dense weights alone, then those and all sparse weights of `z14` and `default`
templates from zero, on the 1,000 sentences of the dev set; the last round is kept, because a score
on the tuning set says little about weights of its own words.  Active features are those with a
weight other than 0, of the features of all candidates (Eidelman, Marton & Resnik 2013, table 2).

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_sparse          # the table
    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_sparse --cost   # CPU time, in turns

Models, results and outputs are kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.pairing import compare
from benchmarks.results import Results
from benchmarks.texts import data_folder
from benchmarks.tuning_run import Task, open_task
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import METHODS
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.lines import LineFile
from demotic.search.options import SearchOptions
from demotic.train.features import ClassTexts, new_features

TASK = "zh-en-tatoeba"
BEAM, POP_LIMIT = 30, 100
COST_FEATURES = "default+z14+nonlocal"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One tuning run; `features` names templates, or is empty for dense weights alone."""

    method: str
    features: str = ""
    learner: dict[str, Any] = field(default_factory=dict)
    kind: str = "phrase"
    rounds: int = 8
    seed: int = 1

    @property
    def key(self) -> str:
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def system(self) -> str:
        return " ".join([self.method, *(f"{k}={v}" for k, v in sorted(self.learner.items()))])


def cells() -> Iterator[Cell]:
    for method in ("mira", "rm", "pro", "rampion", "forest-mira"):
        for features in ("", "z14", "default"):
            # PRO moves a tenth of the way per round by default, too slow for eight rounds.
            learner: dict[str, Any] = {"interpolation": 1.0} if method == "pro" else {}
            if method == "pro" and features:
                yield Cell(
                    method=method, features=features, learner={"features": "medium"} | learner
                )
            yield Cell(method=method, features=features, learner=learner)


class SparseRun:
    """Tunes the task's model by a cell."""

    def __init__(self, cell: Cell, home: Path) -> None:
        self.cell = cell
        self.task: Task = open_task(TASK, cell.kind, home)
        self._features = _features(cell, self.task, home / "sparse-classes")
        method = METHODS[cell.method]
        options = TuneOptions(rounds=cell.rounds, keep="last", seed=cell.seed)
        search = {"beam_size": BEAM, "pop_limit": POP_LIMIT}
        self.tuning = Tuning(
            self.task.model,
            self.task.dev,
            method.make(cell.learner),
            TuneRequest(method=cell.method, options=options).effective,
            method.kind(),
            SearchOptions.for_model(self.task.model, search),
            features=self._features,
        )

    def measured(self) -> tuple[dict[str, Any], list[str]]:
        begin = time.process_time()
        result = self.tuning.run(None, 1, None)
        seconds = time.process_time() - begin
        kept = result.rounds[-1].next_weights
        decoder = self.tuning.weights.decoder(kept, self.tuning.search)
        output = decoder.translate(self.task.test.source).text
        return {
            "key": self.cell.key,
            "cell": asdict(self.cell),
            "dev": round(result.score, 4),
            "test": round(self.task.bleu.score(output), 4),
            "seen": result.sparse.seen if result.sparse else 0,
            "active": result.sparse.active if result.sparse else 0,
            "pool": result.rounds[-1].size,
            "curve": [round(score, 3) for score in result.curve],
            "seconds": round(seconds, 1),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }, output


def _features(cell: Cell, task: Task, folder: Path) -> FeatureSet | None:
    if not cell.features:
        return None
    text = data_folder() / TASK / "tok"
    source, target = (list(LineFile(text / f"train.{side}.gz")) for side in ("zh", "en"))
    name = cell.features.replace("+", "-")
    texts = ClassTexts(source, target, TASK)
    return new_features(task.model, Templates.find(cell.features), texts, folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cost", action="store_true", help="measure CPU time in turns")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of runs for --cost")
    parser.add_argument("--methods", default="", help="only these, separated by commas")
    arguments, _ = parser.parse_known_args()
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if not named:
        print("DEMOTIC_BENCH_MODELS names no folder for models and results; nothing to do")
    elif arguments.cost:
        cost(Path(named), arguments.pairs)
    else:
        table(Path(named), arguments.methods.split(","))


def table(home: Path, methods: list[str]) -> None:
    results = Results(home / "tuning-sparse")
    print("| method | features | dev | test | active | of | CPU s |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for cell in cells():
        if methods != [""] and cell.method not in methods:
            continue
        known = {record["key"]: record for record in results.records}
        if cell.key not in known:
            record, output = SparseRun(cell, home).measured()
            results.keep(record, output)
        else:
            record = known[cell.key]
        active = f"{record['active']:,} | {record['seen']:,}" if record["seen"] else " | "
        print(
            f"| {cell.system} | {cell.features or 'dense'} | {record['dev']:.2f} |"
            f" {record['test']:.2f} | {active} | {record['seconds']:.0f} |",
            flush=True,
        )


def cost(home: Path, pairs: int) -> None:
    """MIRA with about a million sparse features against MIRA with the dense ones."""
    dense, sparse = Cell(method="mira"), Cell(method="mira", features=COST_FEATURES)
    seen = []

    def tuned(cell: Cell) -> None:
        result = SparseRun(cell, home).tuning.run(None, 1, None)
        if result.sparse:
            seen.append(result.sparse.seen)

    found = compare(("dense", lambda: tuned(dense)), ("sparse", lambda: tuned(sparse)), pairs=pairs)
    work = f"{seen[-1]:,} sparse features, {sparse.rounds} rounds on 1,000 sentences"
    print(found.report(work, f"MIRA, {COST_FEATURES}, beam {BEAM}, pop limit {POP_LIMIT}"))


if __name__ == "__main__":
    main()
