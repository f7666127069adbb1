"""Runs an experiment: every run that is not stored yet, then the results of all of them.

    result = run_experiment(read_experiment("y13-figure8"), "y13-figure8", threads=4)

`parts/` has models and weights by key, `runs/` one JSON file and the translations of each run.
The same call resumes; after a change of the file only what depends on the change is run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demotic.errors import Error
from demotic.experiments.corpus import ExperimentText, read_text
from demotic.experiments.costs import cost_of
from demotic.experiments.expand import Run, Step, expand
from demotic.experiments.file import Experiment
from demotic.experiments.learning import Steps
from demotic.experiments.measuring import Measurement, measured
from demotic.experiments.page import experiment_page
from demotic.experiments.plots import write_plots
from demotic.experiments.results import RESULTS_NAME, ExperimentResult, Failure
from demotic.experiments.sheet import write_sheet
from demotic.experiments.summary import summarised
from demotic.experiments.tables import markdown
from demotic.lines import PathLike, write_text
from demotic.lock import locked
from demotic.outputs import refuse_foreign
from demotic.pipeline.progress import Plan, Progress, Silent

__all__ = ["run_experiment"]


def run_experiment(
    experiment: Experiment,
    out: PathLike,
    *,
    parts: PathLike | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> ExperimentResult:
    """Runs it in the directory `out`; `parts` may be shared with other experiments."""
    home = Path(out)
    refuse_foreign(home, "runs", "parts", RESULTS_NAME)
    text = read_text(experiment.settings.corpus)
    runs = expand(experiment, text.key)
    folder = home / "parts" if parts is None else Path(parts)
    steps = Steps(folder, text, threads, progress or Silent())
    with locked(home / "runs"), locked(folder):
        steps.write_text()
        return _Runs(experiment, home, runs, steps, text).run()


class _Runs:
    """All runs of one experiment."""

    def __init__(
        self,
        experiment: Experiment,
        home: Path,
        runs: Sequence[Run],
        steps: Steps,
        text: ExperimentText,
    ) -> None:
        self.experiment, self.home, self.runs, self.steps = experiment, home, runs, steps
        self.text, self.progress = text, steps.progress
        self.failures: dict[str, Failure] = {}
        self._broken: dict[str, Exception] = {}

    def run(self) -> ExperimentResult:
        self._plan()
        stored: list[tuple[Run, Measurement]] = []
        for run in self.runs:
            found = self._stored(run) or self._attempt(run)
            if found is not None:
                stored.append((run, found))
        if not stored:
            first = next(iter(self.failures.values()))
            raise Error(f"every run failed; {first.run}: {first.message}")
        result = summarised(
            self.experiment,
            self.home,
            self.steps,
            stored,
            tuple(self.failures.values()),
        )
        self._write(result)
        return result

    def _write(self, result: ExperimentResult) -> None:
        plots = write_plots(result, self.home)
        with write_text(self.home / "tables.md") as file:
            file.write(markdown(result, plots))
        if self.experiment.settings.sheet:
            write_sheet(result, self.home, self.steps.home)
        result.save(self.home)
        experiment_page(result, self.home).write(self.home / "report.html")

    def _plan(self) -> None:
        """What is left to do, once each, in order."""
        plans: dict[str, Plan] = {}
        for run in self.runs:
            if self._path(run).exists():
                continue
            for step in _chain(run.step):
                if not self.steps.is_done(step):
                    plans[step.key] = Plan(step.title, cost_of(step, self.text))
            plans[run.key] = Plan(run.title, cost_of(run, self.text))
        self.progress.plan(list(plans.values()))

    def _path(self, run: Run) -> Path:
        return self.home / "runs" / f"{run.key}.json"

    def _attempt(self, run: Run) -> Measurement | None:
        """A run that fails is remembered by name, and the others go on."""
        try:
            for step in _chain(run.step):
                if step.key in self._broken:
                    raise self._broken[step.key]
                try:
                    self.steps.get(step)
                except Exception as error:
                    self._broken[step.key] = error
                    raise
            return self._measured(run)
        except Exception as error:
            message = str(error) if isinstance(error, Error) else f"internal error: {error!r}"
            self.failures[run.name] = Failure(run.name, message)
            self.progress.warn(f"{run.name} failed: {message}")
            return None

    def _measured(self, run: Run) -> Measurement:
        learnt = self.steps.get(run.step)
        with self.progress.stage(run.title) as advance:
            found = measured(run, learnt, self.steps, self.experiment.settings, advance)
        if found.output is not None:
            with write_text(self._path(run).with_suffix(".txt")) as file:
                file.writelines(f"{line}\n" for line in found.output)
        with write_text(self._path(run)) as file:
            json.dump(_plain(run, found), file, ensure_ascii=False, indent=1)
        score = found.figures.get("test", found.figures.get("reachable", 0.0))
        what = "test" if "test" in found.figures else "reachable"
        self.progress.done(f"{what} {score:.2f}")
        return found

    def _stored(self, run: Run) -> Measurement | None:
        try:
            known = json.loads(self._path(run).read_text(encoding="utf-8"))
            output = None
            if known["translated"]:
                text = self._path(run).with_suffix(".txt").read_text(encoding="utf-8")
                output = text.split("\n")[:-1]
            return Measurement(known["figures"], known["curves"], output, known["signature"])
        except (OSError, ValueError, KeyError):
            return None


def _chain(step: Step) -> list[Step]:
    """First to last."""
    return [*(_chain(step.before) if step.before else ()), step]


def _plain(run: Run, found: Measurement) -> dict[str, Any]:
    return {
        "run": run.name,
        "figures": found.figures,
        "curves": found.curves,
        "signature": found.signature,
        "translated": found.output is not None,
    }
