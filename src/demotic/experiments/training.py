"""One step of training on the bitext of an experiment, with everything that its tables need."""

from __future__ import annotations

import shutil
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.experiments.step_options import given_search, train_options
from demotic.experiments.task import RUN
from demotic.train import TrainRequest, train_model
from demotic.train.features import training_features
from demotic.train.share_done import share_report

if TYPE_CHECKING:
    from demotic.experiments.task import LearningTask
    from demotic.model import Model
    from demotic.train import Bitext
    from demotic.train.training import TrainResult

__all__ = ["trained"]


def trained(task: LearningTask, bitext: Bitext, shared: Path, *, seen: bool) -> Model:
    """Trains, resuming what the folder of the task has.

    `shared` has gold derivations that other runs have found; `seen`: the model was built from the
    bitext.
    """
    model, system = task.model, task.system
    assert system.train is not None
    options = train_options(system.train, **({} if seen else {"held_out": "none"}))
    features = training_features(model, system.train.features, bitext, task.path / "features")
    request = TrainRequest(
        options=options, search=given_search(system, model.kind), features=features
    )

    home, dev = task.path / RUN, task.dev.held_out or task.dev
    report = share_report(options, task.advance)
    _move_parts(shared, home / "training")
    try:
        made = train_model(model, bitext, dev, home, request, threads=task.threads, report=report)
    finally:
        _move_parts(home / "training", shared)
    _record(made.result, made.pairs, task.record)
    return made.model.derive(task.path / "model")


def _move_parts(old: Path, new: Path) -> None:
    """Rules, language models and gold forests of the folds do not depend on the weights, so runs
    share them; what does not fit the settings of a run is made again."""
    for part in [*old.glob("part-*-of-*"), *old.glob("whole")]:
        new.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(new / part.name, ignore_errors=True)
        part.rename(new / part.name)


def _record(result: TrainResult, pairs: int, record: dict[str, Any]) -> None:
    figures, curves, epochs = record["figures"], record["curves"], result.epochs
    figures |= {
        "dev": result.kept.score,
        "rounds": len(epochs),
        "kept": result.kept.number,
        "features": result.kept.features,
        "pairs": pairs,
        "invalid_first": 100 * epochs[0].invalid_ratio,
        "invalid_last": 100 * epochs[-1].invalid_ratio,
    }
    start = [] if result.start is None else [[0, result.start.score]]
    curves["learning"] = start + [[one.number, one.score] for one in epochs]
    curves["invalid"] = [[one.number, 100 * one.invalid_ratio] for one in epochs]
    seconds = accumulate(one.seconds for one in epochs)
    curves["time"] = [[s, one.score] for s, one in zip(seconds, epochs, strict=True)]
