"""One cell of the training grid: model, tuning, training, translation of the test set."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benchmarks.results import Results
from benchmarks.source_tags import tagged
from benchmarks.texts import data_folder
from benchmarks.training_cells import UNTRAINED, TrainingCell
from benchmarks.tuning_run import SOURCES, Task, read_set
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest, tune_model
from demotic.lines import LineFile, write_text
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.file import MODEL_NAME
from demotic.search.options import SearchOptions
from demotic.train.epochs import Epoch
from demotic.train.features import training_features
from demotic.train.options import TrainOptions
from demotic.train.pairs import Bitext
from demotic.train.parts import find_parts
from demotic.train.run import TrainRequest, train_model

__all__ = ["TrainingResults"]

ROUNDS = 6
DEV_STEPS = {"es-en-news": 3}
"""Of a large dev set only every third sentence is used, so that it is as large as the others."""


@dataclass(frozen=True)
class TaskSearch:
    """The search with which a model is tuned and trained."""

    kind: str
    beam: int
    pop: int
    future_cost: bool
    seed: int = 1
    """Of tuning."""

    @classmethod
    def of(cls, cell: TrainingCell) -> TaskSearch:
        seed = cell.seed if cell.text == "whole" else 1
        return cls(cell.kind, cell.beam, cell.pop, cell.future_cost, seed)

    @property
    def name(self) -> str:
        seed = f"-seed-{self.seed}" if self.seed > 1 else ""
        return f"{self.beam}-{self.pop}{'' if self.future_cost else '-score'}{seed}"

    @property
    def options(self) -> dict[str, Any]:
        of_phrases = {"beam_size": self.beam, "future_cost": self.future_cost}
        return {"pop_limit": self.pop, **(of_phrases if self.kind == "phrase" else {})}


@dataclass(frozen=True)
class TrainingTask:
    """A tuned model, its dev and test sets, and the training text."""

    sets: Task
    bitext: Bitext
    folder: Path


class TrainingResults(Results):
    """The results of training, cell by cell."""

    def __init__(self, models: Path) -> None:
        super().__init__(models / "training")

    def task(self, cell: TrainingCell) -> TrainingTask:
        search = TaskSearch.of(cell)
        tags = "tags" in cell.features
        return _open_task(cell.task, cell.kind, cell.text, search, self.folder, tags)

    def run(self, cell: TrainingCell) -> dict[str, Any]:
        record, output = _measured(cell, self.task(cell))
        self.keep(record, output)
        return record


@lru_cache(maxsize=2)
def _open_task(
    name: str, kind: str, text: str, search: TaskSearch, home: Path, tags: bool = False
) -> TrainingTask:
    folder = home / f"{name}-{kind}-{text}"
    data, language = data_folder() / name / "tok", SOURCES[name]
    lines = [list(LineFile(data / f"train.{side}.gz")) for side in (language, "en")]
    step = 2 if text == "half" else 1
    paths = [folder / "rules.source", folder / "rules.target"]
    for path, side in zip(paths, lines, strict=True):
        folder.mkdir(parents=True, exist_ok=True)
        with write_text(path) as file:
            file.writelines(f"{line}\n" for line in side[::step])
    options = BuildOptions(source=paths[0], target=paths[1], kind=kind)  # type: ignore[arg-type]
    built = build(options, folder / "built").model
    dev, test = (
        read_set(data, part, language, every)
        for part, every in (("dev", DEV_STEPS.get(name, 1)), ("test", 1))
    )
    tuned = _tuned(built, Task(built, dev, test), folder / f"tuned-{search.name}", search)
    bitext = Bitext(*(side[step - 1 :: step] for side in lines))
    if tags:
        bitext = replace(bitext, source=tagged(bitext.source))
        dev, test = (replace(one, source=tagged(one.source)) for one in (dev, test))
    return TrainingTask(Task(tuned, dev, test), bitext, folder)


def _tuned(
    model: Model,
    sets: Task,
    out: Path,
    search: TaskSearch,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Model:
    if (out / MODEL_NAME).exists():
        return Model.load(out)
    options = TuneOptions(**{"rounds": ROUNDS, "seed": search.seed, **settings})
    request = TuneRequest(options=options, search=search.options)
    return tune_model(model, sets.dev, out, request).model


def _measured(cell: TrainingCell, task: TrainingTask) -> tuple[dict[str, Any], list[str]]:
    begin = time.process_time()
    model, pairs, words = task.sets.model, 0, 0
    epochs: tuple[Epoch, ...] = ()
    out = task.folder / f"trained-{cell.training_key}"
    if cell.method != UNTRAINED:
        model, epochs, pairs, words = _trained(cell, task, out)
    if cell.tune_again:
        again = task.folder / f"final-{cell.final_key}"
        model = _tuned(model, task.sets, again, TaskSearch.of(cell), cell.final)
    search = TaskSearch(cell.kind, cell.test_beam, cell.test_pop, cell.future_cost)
    decoder = model.decoder(SearchOptions.for_model(model, search.options))
    dev, test = (decoder.translate(one.source).text for one in (task.sets.dev, task.sets.test))
    best = max(epochs, key=lambda one: one.score, default=None)
    record = {
        "key": cell.key,
        "cell": cell.settings,
        "dev": round(Task(model, task.sets.test, task.sets.dev).bleu.score(dev), 4),
        "test": round(task.sets.bleu.score(test), 4),
        "ter": round(task.sets.ter.score(test), 4),
        "pairs": pairs,
        "words": words,
        "features": best.features if best else 0,
        "curve": [round(one.score, 3) for one in epochs],
        "updates": [one.updates for one in epochs],
        "invalid": [round(one.invalid_ratio, 4) for one in epochs],
        "seconds": round(time.process_time() - begin, 1),
        "signature": task.sets.bleu.signature,
    }
    if cell.text != "whole":  # other ways of final tuning and testing begin with trained models
        shutil.rmtree(out, ignore_errors=True)
    return record, test


def _trained(
    cell: TrainingCell, task: TrainingTask, out: Path
) -> tuple[Model, tuple[Epoch, ...], int, int]:
    """The model, its epochs, and the pairs and source words that it was trained on."""
    held_out = "none" if cell.text == "half" else "folds"
    settings: dict[str, Any] = {
        "held_out": held_out,
        "prefixes": cell.kind == "phrase",
        "patience": 0,
        "keep": "best-epoch",
        "unreachable": "skip",  # to isolate the update rules; groups W and U differ
    }
    options = TrainOptions(
        method=cell.method,  # type: ignore[arg-type]
        epochs=cell.epochs,
        seed=cell.seed,
        **{**settings, **cell.options},
    )
    classes = task.folder / "classes" / cell.features
    request = TrainRequest(
        options=options,
        search=TaskSearch.of(cell).options,
        features=training_features(task.sets.model, cell.features, task.bitext, classes),
    )
    shared = task.folder / ("parts-tagged" if "tags" in cell.features else "parts")
    _move_parts(shared, out / "training")
    done = train_model(task.sets.model, task.bitext, task.sets.dev, out, request)
    search = SearchOptions.for_model(task.sets.model, request.search)
    parts = find_parts(task.sets.model, task.bitext, options, search, out / "training")
    words = sum(int(part.pairs.length.sum()) for part in parts)
    _move_parts(out / "training", shared)
    return done.model, done.result.epochs, done.pairs, words


def _move_parts(old: Path, new: Path) -> None:
    """Rules, language models and gold forests of the folds do not depend on the weights, so cells
    share them; what does not fit a cell's settings is made again."""
    for part in [*old.glob("part-*-of-*"), *old.glob("whole")]:
        new.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(new / part.name, ignore_errors=True)
        part.rename(new / part.name)
