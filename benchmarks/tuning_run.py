"""What measurements of tuning share: a model with its dev set, learners whose updates are timed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.texts import data_folder
from demotic.align.options import AlignOptions
from demotic.learn import LearnerResult
from demotic.learn.dev_set import DevSet
from demotic.learn.loop import Tuning
from demotic.learn.tune_result import TuneResult
from demotic.lines import LineFile
from demotic.metrics import References
from demotic.metrics.metric import Metric
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.file import MODEL_NAME

__all__ = ["TASK", "RecordingLearner", "Task", "open_task", "translated_as_kept"]

TASK = "zh-en-tatoeba"


@dataclass(frozen=True)
class Task:
    """A phrase model with its tuning set, tokenised and lower-cased."""

    model: Model
    dev: DevSet


def open_task(folder: Path) -> Task:
    """Builds the model unless it exists."""
    text, home = data_folder() / TASK / "tok", folder / TASK
    options = BuildOptions(
        source=text / "train.zh.gz", target=text / "train.en.gz", align=(AlignOptions(),)
    )
    exists = (home / MODEL_NAME).exists()
    model = Model.load(home) if exists else build(options, home).model
    source, references = (list(LineFile(text / f"dev.{side}.gz")) for side in ("zh", "en"))
    return Task(model, DevSet(source, References.from_streams([references])))


class RecordingLearner:
    """A learner whose reports are kept; the loop discards them."""

    def __init__(self, learner: Any) -> None:
        self._learner = learner
        self.carries_state = getattr(learner, "carries_state", False)
        self.keeps_last = getattr(learner, "keeps_last", False)
        self.tunes_sparse = getattr(learner, "tunes_sparse", False)
        self.spreads: list[tuple[float, float]] = []
        self.seconds = 0.0

    def __repr__(self) -> str:
        return repr(self._learner)

    def update(
        self, weights: ArrayLike, evidence: Any, metric: Metric, /, **more: Any
    ) -> LearnerResult:
        begin = time.process_time()
        result: LearnerResult = self._learner.update(weights, evidence, metric, **more)
        self.seconds += time.process_time() - begin
        means, deviations = (
            np.asarray(result.report.get(f"sweep_spread_{figure}", []))
            for figure in ("mean", "deviation")
        )
        if means.size:
            # Over all visits of the round: sweeps visit the same lists.
            square = (deviations**2 + means**2).mean() - means.mean() ** 2
            self.spreads.append((float(means.mean()), float(np.sqrt(square))))
        return result


def translated_as_kept(tuning: Tuning, result: TuneResult, test: DevSet) -> list[str]:
    """The test set with the weights of the round that tuning kept, sparse ones included."""
    rounds = result.rounds
    kept = [*(one.weights for one in rounds), rounds[-1].next_weights][result.kept]
    return tuning.weights.decoder(kept, tuning.search).translate(test.source).text
