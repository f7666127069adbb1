"""Tuners with sparse features on zh-en-tatoeba, phrases: quality, active features, and cost.

Each tuner learns the dense weights alone, then those and all sparse weights of `z14` and `default`
templates from zero, on the 1,000 sentences of the dev set; the last round is kept, because a score
on the tuning set says little about weights of its own words.  MIRA is also run with smaller steps
on 700 of them, where the other 300 choose the round and the step; then `dev` is their BLEU.
Active features are those with a weight other than 0, of the features of all candidates (Eidelman,
Marton & Resnik 2013, table 2).

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_sparse          # the table
    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_sparse --cost   # CPU time, in turns

Models, results and outputs are kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.pairing import compare
from benchmarks.results import Results, models_folder
from benchmarks.texts import data_folder
from benchmarks.tuning_run import Task, open_task, translated_as_kept
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.learn.dev_set import DevSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import METHODS
from demotic.learn.options import Keep, TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.lines import LineFile
from demotic.metrics import References
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
    held_out: int = 0
    """Sentences at the end of the dev set that choose the round and are not tuned on."""

    @property
    def key(self) -> str:
        settings = {name: value for name, value in asdict(self).items() if name != "held_out"}
        if self.held_out:
            settings["held_out"] = self.held_out
        text = json.dumps(settings, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def system(self) -> str:
        held_out = [f"({self.held_out} held out)"] if self.held_out else []
        settings = (f"{name}={value}" for name, value in sorted(self.learner.items()))
        return " ".join([self.method, *settings, *held_out])


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
    for features in ("", "z14", "default"):
        for step in (0.01, 0.001, 0.0001):
            yield Cell(method="mira", features=features, learner={"step": step}, held_out=300)


class SparseRun:
    """Tunes the task's model by a cell."""

    def __init__(self, cell: Cell, home: Path) -> None:
        self.cell = cell
        self.task: Task = open_task(TASK, cell.kind, home)
        self._features = _features(cell, self.task, home / "sparse-classes")
        method = METHODS[cell.method]
        keep: Keep = "best" if cell.held_out else "last"
        options = TuneOptions(rounds=cell.rounds, keep=keep, patience=0, seed=cell.seed)
        search = {"beam_size": BEAM, "pop_limit": POP_LIMIT}
        self.tuning = Tuning(
            self.task.model,
            _tuning_set(self.task.dev, cell.held_out),
            method.make(cell.learner, sparse=bool(cell.features)),
            TuneRequest(method=cell.method, options=options).effective,
            method.kind(),
            SearchOptions.for_model(self.task.model, search),
            features=self._features,
        )

    def measured(self) -> tuple[dict[str, Any], list[str]]:
        begin = time.process_time()
        result = self.tuning.run(None, 1, None)
        seconds = time.process_time() - begin
        output = translated_as_kept(self.tuning, result, self.task.test)
        return {
            "key": self.cell.key,
            "cell": asdict(self.cell),
            "dev": round(result.selection_score, 4),
            "kept": result.kept,
            "test": round(self.task.bleu.score(output), 4),
            "seen": result.sparse.seen if result.sparse else 0,
            "active": result.sparse.active if result.sparse else 0,
            "pool": result.rounds[-1].size,
            "curve": [round(score, 3) for score in result.curve],
            "seconds": round(seconds, 1),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }, output


def _tuning_set(dev: DevSet, held_out: int) -> DevSet:
    if held_out == 0:
        return dev
    count = len(dev) - held_out
    return replace(_part(dev, 0, count), held_out=_part(dev, count, len(dev)))


def _part(dev: DevSet, begin: int, end: int) -> DevSet:
    """Sentences of a set with one reference each."""
    references = References.from_streams([dev.references.texts[begin:end]])
    return DevSet(dev.source[begin:end], references)


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
    parser.add_argument("--held-out", action="store_true", help="only cells with held-out text")
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    if arguments.cost:
        cost(home, arguments.pairs)
    else:
        wanted = [
            cell
            for cell in cells()
            if cell.method in (arguments.methods.split(",") if arguments.methods else METHODS)
            and (cell.held_out > 0 or not arguments.held_out)
        ]
        table(home, wanted)


def table(home: Path, wanted: list[Cell]) -> None:
    results = Results(home / "tuning-sparse")
    print("| method | features | dev | test | active | of | CPU s |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for cell in wanted:
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
