"""CPU time of tuning a million sparse features against the dense ones alone, in turns.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_sparse

zh-en-tatoeba, phrases, MIRA on the 1,000 sentences of the dev set.  Quality and active features:
experiments/sparse-tuning.toml.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.pairing import compare
from benchmarks.results import models_folder
from benchmarks.texts import data_folder
from benchmarks.tuning_run import TASK, Task, open_task
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import METHODS
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.learn.tune_result import TuneResult
from demotic.lines import LineFile
from demotic.search.options import SearchOptions
from demotic.train.features import ClassTexts, new_features

METHOD, ROUNDS = "mira", 8
BEAM, POP_LIMIT = 30, 100
FEATURES = "default+z14+nonlocal"


def tuned(task: Task, features: FeatureSet | None) -> TuneResult:
    options = TuneOptions(rounds=ROUNDS, keep="last", patience=0)
    method = METHODS[METHOD]
    search = {"beam_size": BEAM, "pop_limit": POP_LIMIT}
    tuning = Tuning(
        task.model,
        task.dev,
        method.make({}, sparse=features is not None),
        TuneRequest(method=METHOD, options=options).effective,
        method.kind(),
        SearchOptions.for_model(task.model, search),
        features=features,
    )
    return tuning.run(None, 1, None)


def sparse_features(task: Task, names: str, folder: Path) -> FeatureSet:
    text = data_folder() / TASK / "tok"
    source, target = (list(LineFile(text / f"train.{side}.gz")) for side in ("zh", "en"))
    texts = ClassTexts(source, target, TASK)
    return new_features(task.model, Templates.find(names), texts, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=3, help="pairs of runs")
    parser.add_argument("--features", default=FEATURES, help="sets of templates, joined by +")
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    task = open_task(home)
    names = arguments.features
    features = sparse_features(task, names, home / "sparse-classes" / names.replace("+", "-"))
    seen = []

    def run_sparse() -> None:
        found = tuned(task, features).sparse
        seen.append(found.seen if found else 0)

    found = compare(
        ("dense", lambda: tuned(task, None)), ("sparse", run_sparse), pairs=arguments.pairs
    )
    work = f"{seen[-1]:,} sparse features, {ROUNDS} rounds on {len(task.dev):,} sentences"
    print(found.report(work, f"MIRA, {names}, beam {BEAM}, pop limit {POP_LIMIT}"))


if __name__ == "__main__":
    main()
