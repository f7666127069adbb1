"""One cell of the tuning grid: model, tuning, translation of the test set."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.results import Results
from benchmarks.texts import data_folder
from benchmarks.tuning_cells import UNTUNED, Cell
from demotic.align.options import AlignOptions
from demotic.learn import LearnerResult
from demotic.learn.dev_set import DevSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import DEFAULT_METHOD, METHODS
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.learn.tune_result import TuneResult
from demotic.lines import LineFile
from demotic.metrics import Bleu, BleuOptions, References, Ter
from demotic.metrics.metric import Metric
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.file import MODEL_NAME
from demotic.search.options import SearchOptions

__all__ = ["SOURCES", "Task", "TuningResults", "open_task", "read_set", "translated_as_kept"]

SOURCES = {
    "zh-en-tatoeba": "zh",
    "de-en-multi30k": "de",
    "es-en-bible": "es",
    "es-en-news": "es",
    "zh-en-help": "zh",
}


@dataclass(frozen=True)
class Task:
    """A model with its tuning and test sets, tokenised and lower-cased."""

    model: Model
    dev: DevSet
    test: DevSet

    @cached_property
    def bleu(self) -> Bleu:
        return Bleu(self.test.references, BleuOptions(tokenize="none"))

    @cached_property
    def ter(self) -> Ter:
        return Ter(self.test.references)


@lru_cache(maxsize=2)
def open_task(name: str, kind: str, folder: Path) -> Task:
    """Builds the model unless it exists; several processes may use it, but one has to build it."""
    text, language = data_folder() / name / "tok", SOURCES[name]
    options = BuildOptions(
        source=text / f"train.{language}.gz",
        target=text / "train.en.gz",
        align=(AlignOptions(),),
        kind=kind,  # type: ignore[arg-type]
    )
    home = folder / (name if kind == "phrase" else f"{name}-{kind}")
    exists = (home / MODEL_NAME).exists()
    model = Model.load(home) if exists else build(options, home).model
    return Task(model, read_set(text, "dev", language), read_set(text, "test", language))


def read_set(text: Path, part: str, language: str, step: int = 1) -> DevSet:
    """Every `step`th sentence."""
    streams = [list(LineFile(path))[::step] for path in sorted(text.glob(f"{part}.en*.gz"))]
    source = list(LineFile(text / f"{part}.{language}.gz"))[::step]
    return DevSet(source, References.from_streams(streams))


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


class UntunedLearner:
    """Does not change the weights, so that the untuned model is measured like the others."""

    def update(
        self, weights: ArrayLike, evidence: Any, metric: Metric, /, **more: int
    ) -> LearnerResult:
        return LearnerResult(np.asarray(weights), {"score": 0.0})


def translated_as_kept(tuning: Tuning, result: TuneResult, test: DevSet) -> list[str]:
    """The test set with the weights of the round that tuning kept, sparse ones included."""
    rounds = result.rounds
    kept = [*(one.weights for one in rounds), rounds[-1].next_weights][result.kept]
    return tuning.weights.decoder(kept, tuning.search).translate(test.source).text


class TuningResults(Results):
    """The results of tuning, cell by cell."""

    def __init__(self, models: Path) -> None:
        super().__init__(models / "tuning")
        self.models = models

    def run(self, cell: Cell, threads: int = 1) -> dict[str, Any]:
        task = open_task(cell.task, cell.kind, self.models)
        record, output = _measured(cell, task, threads)
        self.keep(record, output)
        return record


def _measured(cell: Cell, task: Task, threads: int) -> tuple[dict[str, Any], list[str]]:
    begin = time.process_time()
    untuned = cell.method == UNTUNED
    method = METHODS[DEFAULT_METHOD if untuned else cell.method]
    made = method.make(cell.learner, search_aware=cell.aware != "none")
    learner = RecordingLearner(UntunedLearner() if untuned else made)
    options = _options(cell)
    if not untuned:
        options = TuneRequest(method=cell.method, options=options).effective
    search = search_options(cell, task.model)
    tuning = Tuning(task.model, task.dev, learner, options, method.kind(), search)
    result = tuning.run(None, threads, None)
    tuned = time.process_time() - begin
    decoder = task.model.decoder(tuning.search, weights=result.weights)
    output = decoder.translate(task.test.source, threads=threads).text
    values = result.weights.array
    return {
        "key": cell.key,
        "cell": cell.settings,
        "dev": round(result.score, 4),
        "test": round(task.bleu.score(output), 4),
        "ter": round(task.ter.score(output), 4),
        "words": sum(len(line.split()) for line in output),
        "rounds": len(result.rounds),
        "stop": result.stop,
        # Tuning that never beats its initial weights keeps them.
        "start_kept": bool(np.array_equal(values, task.model.weights.array)),
        "keep": result.keep,
        "kept_round": result.kept,
        "curve": [round(score, 3) for score in result.curve],
        "pool": result.rounds[-1].size,
        "spreads": [[round(value, 4) for value in one] for one in learner.spreads],
        "seconds": round(tuned, 1),
        "learner_seconds": round(learner.seconds, 1),
        "digest": hashlib.sha256(values.tobytes()).hexdigest()[:12],
        "weights": dict(zip(result.weights.index.names, values.tolist(), strict=True)),
        "signature": task.bleu.signature,
    }, output


def _options(cell: Cell) -> TuneOptions:
    return TuneOptions(
        rounds=cell.rounds,
        nbest=cell.nbest,
        search_aware=cell.aware,  # type: ignore[arg-type]
        pool_limit=cell.pool_limit,
        bin_weight=cell.bin_weight,  # type: ignore[arg-type]
        keep=cell.keep or None,  # type: ignore[arg-type]
        seed=cell.seed,
    )


def search_options(cell: Cell, model: Model) -> SearchOptions:
    given = {"beam_size": cell.beam, "pop_limit": cell.pop, "future_cost": cell.future_cost}
    if cell.kind == "hiero":
        del given["future_cost"]
    return SearchOptions.for_model(model, given)
