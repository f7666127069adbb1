"""The steps of an experiment: models built, weights tuned, weights trained.

Every step has a folder named after its key with `step.json`, which is written last.  A step that
was interrupted resumes, because building, tuning and training resume in their folders.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from demotic.experiments.corpus import ExperimentText
from demotic.experiments.expand import Step
from demotic.experiments.settings import ModelSettings, SystemSettings
from demotic.experiments.step_options import given_search, needs_trees
from demotic.experiments.task import RUN, LearningTask
from demotic.features import Templates
from demotic.lines import read_lines, write_text
from demotic.metrics.references import References
from demotic.model import Model
from demotic.pipeline.progress import Advance, Progress, substage_progress

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.train import Bitext
    from demotic.train.features import FeatureSet

__all__ = ["Learnt", "Steps"]

Record = dict[str, Any]
_DONE = "step.json"
_BUILD = (
    ("training the aligner (hmm)", 0.3),
    ("training the aligner (diagonal)", 0.2),
    ("estimating the language model", 0.1),
    ("extracting rules", 0.4),
)


class Learnt(NamedTuple):
    """A model, and how it was made: figures and curves by name."""

    model: Model
    record: Record


class Steps:
    """All steps of a folder; `made` counts those that this object has made."""

    def __init__(
        self, folder: Path, text: ExperimentText, threads: int, progress: Progress
    ) -> None:
        self.folder, self.text, self.threads, self.progress = folder, text, threads, progress
        self.home = folder / f"text-{text.key}"
        self._known: dict[str, Learnt] = {}

    def path(self, step: Step) -> Path:
        kind = "model" if step.before is None else "tuned" if _tunes(step) else "trained"
        return self.folder / f"{kind}-{step.key}"

    def is_done(self, step: Step) -> bool:
        return (self.path(step) / _DONE).exists()

    def record(self, step: Step) -> Record:
        """How a step that is done was made."""
        record: Record = json.loads((self.path(step) / _DONE).read_text(encoding="utf-8"))
        return record

    def get(self, step: Step) -> Learnt:
        """Makes the step and those before it, unless they exist."""
        if step.key not in self._known:
            before = None if step.before is None else self.get(step.before)
            path = self.path(step)
            if self.is_done(step):
                self._known[step.key] = Learnt(Model.load(path / "model"), self.record(step))
            else:
                self._known[step.key] = self._made(step, before, path)
        return self._known[step.key]

    def _made(self, step: Step, before: Learnt | None, path: Path) -> Learnt:
        if before is not None:  # of a run that was interrupted before it was recorded
            shutil.rmtree(path / "model", ignore_errors=True)
        with self.progress.stage(step.title) as advance, _timed() as record:
            if before is None:
                model = self._build(step, path, advance)
            elif _tunes(step):
                model = self._tune(step, before.model, record, advance)
            else:
                model = self._train(step, before.model, record, advance)
        with write_text(path / _DONE) as file:
            json.dump({"name": step.name, **record}, file, indent=1)
        shutil.rmtree(path / RUN, ignore_errors=True)
        dev = record.get("figures", {}).get("dev")
        self.progress.done(model.rules.size_text if dev is None else f"dev {dev:.2f}")
        return Learnt(model, record)

    # Models.

    def write_text(self) -> None:
        """The text of the experiment, once."""
        if not (self.home / "complete").exists():
            self.text.write(self.home)
            (self.home / "complete").write_text("")

    def _build(self, step: Step, path: Path, advance: Advance) -> Model:
        from demotic.model.build import BuildOptions, build
        from demotic.model.class_lm import ClassLmOptions
        from demotic.model.operations import OperationOptions

        source, target = (self._part(file, step.model) for file in self._training_files())
        tokens = self.text.settings.tokenized
        options = BuildOptions(
            source=source,
            target=target,
            source_language=self.text.source if tokens else "",
            target_language=self.text.target if tokens else "",
            kind=step.model.kind,
            align=step.model.aligners,
            lm=step.model.lm,
            rules=step.model.rules,
            class_lms=tuple(map(ClassLmOptions.parsed, step.model.class_lms)),
            operations=OperationOptions(step.model.operations),
        )
        shown = substage_progress(advance, _BUILD)
        return build(options, path / "model", threads=self.threads, progress=shown).model

    def _training_files(self) -> tuple[Path, Path]:
        if self.text.settings.tokenized:
            return self.home / "train.src", self.home / "train.tgt.0"
        from demotic.text.preparation import PrepareOptions
        from demotic.text.prepare import prepare
        from demotic.text.readers import read_pairs

        folder, languages = self.home / "prepared", (self.text.source, self.text.target)
        if not (folder / "preparation.toml").exists():
            pairs = read_pairs(
                [self.home / "train.src", self.home / "train.tgt.0"],
                source_language=languages[0],
                target_language=languages[1],
            )
            prepare(pairs, PrepareOptions(), *languages, folder)
        return folder / f"corpus.{languages[0]}", folder / f"corpus.{languages[1]}"

    def _part(self, file: Path, model: ModelSettings) -> Path:
        """The lines that a model is built from, next to the files of their preparation."""
        if model.every == 1 and model.pairs == 0:
            return file
        out = self.home / f"pairs-{model.pairs}-every-{model.every}" / file.name
        if out.exists():
            return out
        if not self.text.settings.tokenized:
            for one in file.parent.iterdir():
                if not one.name.startswith("corpus."):
                    out.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(one, out.parent / one.name)
        lines = read_lines(file).tolist()[: model.pairs or None : model.every]
        with write_text(out) as written:
            written.writelines(f"{line}\n" for line in lines)
        return out

    def test_references(self, step: Step) -> References:
        """References of the test set as tokens; raw text needs the preparation of the model."""
        if self.text.settings.tokenized:
            names = self.text.references("test")
            return References.from_streams([self.text.lines[name] for name in names])
        return self.text.dev_set(self.home, "test", self.get(step).model).references

    # Tuning.

    def dev(self, model: Model, features: str = "") -> DevSet:
        return self.text.dev_set(self.home, "dev", model, trees=needs_trees(model, features))

    def _tune(self, step: Step, model: Model, record: Record, advance: Advance) -> Model:
        from demotic.experiments.tuning import tuned

        system = _system(step)
        assert system.tune is not None
        dev = self.dev(model, system.tune.features)
        if system.tune.on == "reachable":
            dev = self._reachable(model, dev, system)
        features = self._features(model, system.tune.features, dev.source, self.path(step))
        return tuned(self._task(step, model, dev, record, advance), features)

    def _task(
        self, step: Step, model: Model, dev: DevSet, record: Record, advance: Advance
    ) -> LearningTask:
        system = _system(step)
        threads = system.threads or self.threads
        return LearningTask(model, dev, system, self.path(step), threads, record, advance)

    def _reachable(self, model: Model, dev: DevSet, system: SystemSettings) -> DevSet:
        from demotic.experiments.reachability import reachable_part

        return reachable_part(model, dev, given_search(system, model.kind), self.threads)

    def _features(self, model: Model, name: str, dev: Any, path: Path) -> FeatureSet | None:
        from demotic.search.sentence import constituents_of
        from demotic.train.features import ClassTexts, new_features

        if not name:
            return None
        source, target = (read_lines(file).tolist() for file in self._training_files())
        texts = ClassTexts(source, target, self.text.key, trees=constituents_of(dev))
        return new_features(model, Templates.find(name), texts, path / "features")

    # Training.

    def bitext(self, step: Step, model: Model, on: str) -> Bitext:
        """Pairs to train on: those that the model was not built from, if there are any."""
        from demotic.train import Bitext

        if on == "dev":
            references = [self.home / name for name in self.text.references("dev")]
            return Bitext.read(self.home / "dev.src", references, model.raw_text)
        limit, every = step.model.pairs or None, step.model.every
        sides = [read_lines(file).tolist()[:limit] for file in self._training_files()]
        if every > 1:
            sides = [[one for i, one in enumerate(side) if i % every] for side in sides]
        return Bitext(*sides)

    def _train(self, step: Step, model: Model, record: Record, advance: Advance) -> Model:
        from demotic.experiments.training import trained

        train = _system(step).train
        assert train is not None
        bitext = self.bitext(step, model, train.on)
        task = self._task(step, model, self.dev(model), record, advance)
        shared = self.folder / f"gold-{step.root.key}-{train.on}"
        # A model knows the pairs that it was built from too well, unless it has seen only others.
        seen = step.model.every == 1 and train.on == "train"
        return trained(task, bitext, shared, seen=seen)


def _tunes(step: Step) -> bool:
    return step.system is not None and step.system.tune is not None


def _system(step: Step) -> SystemSettings:
    assert step.system is not None
    return step.system


@contextmanager
def _timed() -> Iterator[Record]:
    """CPU seconds are those of this process, all threads."""
    record: Record = {"figures": {}, "curves": {}}
    begin, cpu = time.monotonic(), time.process_time()
    yield record
    record["figures"]["seconds"] = time.monotonic() - begin
    record["figures"]["cpu"] = time.process_time() - cpu
