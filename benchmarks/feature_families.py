"""Feature families measured: the systems of Chiang et al. (2008, table 1) with soft syntax and
structural distortion, and of Eidelman et al. (2013, tables 2 to 5) with dense and sparse features.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.feature_families --run c08 --task bundled
    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.feature_families --run e13 --seed 1

Models, results and outputs are kept in that folder; existing results are not measured again.
Without `--run` the tables of the results so far are printed.  `--texts` writes the sentences whose
trees a parser has to give (see `family_tasks`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.family_tables import system_of, tables
from benchmarks.family_tasks import TASKS, Task, open_task, write_texts
from benchmarks.results import Results, models_folder
from benchmarks.tuning_run import RecordingLearner, translated_as_kept
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import METHODS
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.metrics import Bleu, BleuOptions, Ter
from demotic.search.options import SearchOptions
from demotic.search.sentence import constituents_of
from demotic.train.features import ClassTexts, new_features

BEAM, POP_LIMIT = 30, 60
PRO = {"interpolation": 1.0}
"""PRO moves a tenth of the way per round by default, too slow for a few rounds."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One tuning run and its test."""

    group: str
    task: str
    method: str
    dense: str
    """The set of dense features, of which the model is built."""
    sparse: str = ""
    trees: str = "none"
    """true, or the controls random and right (branching)."""
    learner: dict[str, Any] = field(default_factory=dict)
    rounds: int = 4
    seed: int = 1

    @property
    def key(self) -> str:
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def system(self) -> str:
        return system_of(asdict(self))


def c08(task: str, seed: int) -> Iterator[Cell]:
    """Table 1 of Chiang et al., then controls with trees that know nothing."""
    base = Cell(group="c08", task=task, method="mert", dense="c08-baseline", seed=seed)
    coarse = replace(base, dense="c08-distortion-coarse")
    syntax = replace(base, sparse="c08-syntax-coarse", trees="true")
    fine = replace(syntax, method="mira", sparse="c08-syntax-fine")
    distortion = replace(base, method="mira", sparse="c08-distortion-fine")
    yield base
    yield replace(base, method="mira")
    yield fine
    yield distortion
    yield replace(fine, sparse="c08-all")
    yield syntax
    yield coarse
    yield replace(fine, method="mert")
    yield replace(distortion, method="mert")
    yield replace(syntax, method="mira")
    yield replace(coarse, method="mira")
    for trees in ("random", "right"):
        yield replace(fine, trees=trees)


def e13(task: str, seed: int) -> Iterator[Cell]:
    """Tables 3 and 4 of Eidelman et al."""
    learners: list[tuple[str, dict[str, Any]]] = [
        ("mira", {}),
        ("rm", {}),
        ("pro", PRO),
        ("rampion", {}),
    ]
    if seed > 1:
        learners.remove(("rampion", {}))  # draws no random numbers
    for sparse in ("e13-sparse", ""):
        for method, learner in learners:
            yield Cell(
                group="e13",
                task=task,
                method=method,
                dense="e13-basic",
                sparse=sparse,
                learner=learner,
                seed=seed,
            )
    yield Cell(group="e13", task=task, method="mert", dense="e13-basic", seed=seed)


GROUPS = {"c08": c08, "e13": e13}
GROUP_TASKS = {
    "c08": ("bundled", "ja-en-tanaka", "en-de-multi30k"),
    "e13": ("zh-en-tatoeba", "ja-en-tanaka"),
}


class FamilyRun:
    """Tunes the model of a task by a cell, and translates the test set."""

    def __init__(self, cell: Cell, home: Path) -> None:
        self.cell = cell
        self.task: Task = open_task(cell.task, cell.dense, cell.trees, home)
        method = METHODS[cell.method]
        self.learner = RecordingLearner(method.make(cell.learner, sparse=bool(cell.sparse)))
        options = TuneOptions(rounds=cell.rounds, keep="best", patience=0, seed=cell.seed)
        search = {"beam_size": BEAM, "pop_limit": POP_LIMIT}
        self.tuning = Tuning(
            self.task.model,
            self.task.tune,
            self.learner,
            TuneRequest(method=cell.method, options=options).effective,
            method.kind(),
            SearchOptions.for_model(self.task.model, search),
            features=self._features(home),
        )

    def _features(self, home: Path) -> FeatureSet | None:
        if not self.cell.sparse:
            return None
        texts = ClassTexts(trees=constituents_of(self.task.tune.source))
        return new_features(self.task.model, Templates.find(self.cell.sparse), texts, home)

    def measured(self) -> tuple[dict[str, Any], list[str]]:
        begin = time.process_time()
        result = self.tuning.run(None, 1, None)
        seconds = time.process_time() - begin
        output = translated_as_kept(self.tuning, result, self.task.test)
        references = self.task.test.references
        bleu = Bleu(references, BleuOptions(tokenize="none"))
        return {
            "key": self.cell.key,
            "cell": asdict(self.cell),
            "tuning": round(result.score, 4),
            "dev": None if result.dev_score is None else round(result.dev_score, 4),
            "test": round(bleu.score(output), 4),
            "ter": round(Ter(references).score(output), 4),
            "words": sum(len(line.split()) for line in output),
            "kept": result.kept,
            "curve": [round(score, 3) for score in result.curve],
            "dev_curve": [round(score, 3) for score in result.dev_curve],
            "seen": result.sparse.seen if result.sparse else 0,
            "active": result.sparse.active if result.sparse else 0,
            "spreads": [[round(value, 4) for value in one] for one in self.learner.spreads],
            "seconds": round(seconds, 1),
            "learner_seconds": round(self.learner.seconds, 1),
        }, output


def run(results: Results, home: Path, wanted: Iterator[Cell]) -> None:
    for cell in wanted:
        if cell.key in {record["key"] for record in results.records}:
            continue
        record, output = FamilyRun(cell, home).measured()
        results.keep(record, output)
        dev = record["tuning"] if record["dev"] is None else record["dev"]
        print(
            f"{cell.task} {cell.system} seed {cell.seed}: dev {dev:.2f} test {record['test']:.2f}"
            f" TER {record['ter']:.2f} ({record['seconds']:.0f} CPU s)",
            flush=True,
        )


def cells(group: str, tasks: list[str], seeds: list[int]) -> Iterator[Cell]:
    for seed in seeds:
        for task in tasks or GROUP_TASKS[group]:
            yield from GROUPS[group](task, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", choices=tuple(GROUPS), help="measure these systems")
    parser.add_argument("--task", action="append", choices=tuple(TASKS), default=[])
    parser.add_argument("--seed", type=int, action="append", default=[], help="repeatable")
    parser.add_argument(
        "--system", action="append", default=[], help="only systems whose name contains this"
    )
    parser.add_argument("--texts", action="store_true", help="write the sentences to be parsed")
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    results = Results(home / "feature-families")
    if arguments.texts:
        write_texts(home)
    if arguments.run:
        chosen = cells(arguments.run, arguments.task, arguments.seed or [1, 2, 3])
        names = arguments.system or [""]
        run(results, home, (cell for cell in chosen if any(one in cell.system for one in names)))
    else:
        tables(results, home)


if __name__ == "__main__":
    main()
