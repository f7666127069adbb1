"""From runs to results: means over seeds, and tests against the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic.experiments.expand import Point, Run, Step
from demotic.experiments.measuring import Measurement, test_metric
from demotic.experiments.results import Comparison, ExperimentResult, Failure, ResultRow, Spread
from demotic.metrics.named import MetricChoice
from demotic.metrics.significance import bootstrap, compare, interval
from demotic.versions import versions

if TYPE_CHECKING:
    from demotic.experiments.file import Experiment
    from demotic.experiments.learning import Steps
    from demotic.metrics.metric import Metric

__all__ = ["summarised"]

_SAMPLES, _TRIALS = 1000, 10_000
_CONFIDENCE = 95.0

Measured = tuple[Run, Measurement]
Place = tuple[str, Point]


def summarised(
    experiment: Experiment,
    home: Path,
    steps: Steps,
    stored: Sequence[Measured],
    failures: tuple[Failure, ...],
) -> ExperimentResult:
    groups: dict[Place, list[Measured]] = {}
    for run, found in stored:
        groups.setdefault((run.system, run.point), []).append((run, found))
    tests = _Tests(experiment, steps, groups)
    order = {name: i for i, name in enumerate(experiment.settings.systems)}
    points = list(dict.fromkeys(run.point for run, _ in stored))
    places = sorted(groups, key=lambda place: (order[place[0]], points.index(place[1])))
    rows = tuple(_row(experiment, home, steps, groups[place], tests) for place in places)
    return ExperimentResult(
        name=experiment.name,
        settings=dict(experiment.raw),
        signature=next((found.signature for _, found in stored if found.signature), ""),
        languages=(steps.text.source, steps.text.target),
        sentences={part: len(steps.text.lines[f"{part}.src"]) for part in ("train", "dev", "test")},
        rows=rows,
        failures=failures,
        text=_inside(steps.home, home),
        seconds=sum(_seconds(steps, step) for step in _steps(stored)),
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        versions=versions(),
        higher_is_better=MetricChoice(experiment.settings.metric).higher_is_better,
    )


def _steps(stored: Sequence[Measured]) -> list[Step]:
    """Everything that was made for these runs, once."""
    found: dict[str, Step] = {}
    for run, _ in stored:
        step: Step | None = run.step
        while step is not None:
            found[step.key] = step
            step = step.before
    return list(found.values())


def _seconds(steps: Steps, step: Step) -> float:
    """0 for a step that was deleted after it had been measured."""
    if not steps.is_done(step):
        return 0.0
    return float(steps.record(step)["figures"]["seconds"])


def _inside(path: Path, home: Path) -> str:
    """Relative to `home` if it is inside, so that a directory can be moved."""
    return (path.relative_to(home) if path.is_relative_to(home) else path.resolve()).as_posix()


def _row(
    experiment: Experiment, home: Path, steps: Steps, group: list[Measured], tests: _Tests
) -> ResultRow:
    run, found = group[0]
    names = dict.fromkeys(name for _, one in group for name in one.figures)
    figures = {
        name: Spread.of([one.figures[name] for _, one in group if name in one.figures])
        for name in names
    }
    return ResultRow(
        system=run.system,
        label=experiment.settings.systems[run.system].label or run.system,
        point=dict(run.point),
        runs=len(group),
        figures=figures,
        curves=_curves([one.curves for _, one in group]),
        interval=tests.interval(run.system, run.point),
        compared=tests.against_baseline(run.system, run.point),
        model=_inside(steps.path(run.step) / "model", home),
        search=asdict(run.settings.search),
        output=f"runs/{run.key}.txt" if found.output is not None else "",
    )


def _curves(runs: Sequence[Mapping[str, list[list[float]]]]) -> dict[str, list[list[float]]]:
    curves = {}
    for name in runs[0]:
        all_ = [run[name] for run in runs if name in run]
        positions = {tuple(x for x, _ in curve) for curve in all_}
        first = all_[0]
        if len(positions) == 1 and len(all_) > 1:
            means = np.mean([[y for _, y in curve] for curve in all_], axis=0).tolist()
            first = [[x, mean] for (x, _), mean in zip(first, means, strict=True)]
        curves[name] = first
    return curves


class _Tests:
    """Paired tests; the statistics of every system are counted once."""

    def __init__(
        self, experiment: Experiment, steps: Steps, groups: Mapping[Place, list[Measured]]
    ) -> None:
        self._settings, self._steps, self._groups = experiment.settings, steps, groups
        self._name = experiment.settings.metric
        self._metrics: dict[str, Metric] = {}
        self._known: dict[tuple[str, Place], Any] = {}

    def against_baseline(self, system: str, point: Point) -> Comparison | None:
        systems = self._settings.systems
        baseline = systems[system].baseline or self._settings.baseline
        place, base = (system, point), (baseline, point)
        if system == baseline or not (self._translated(place) and self._translated(base)):
            return None
        metric = self._metric(self._name)
        test = compare(
            metric, self._rows(self._name, place), self._rows(self._name, base),
            trials=_TRIALS, seed=1, threads=self._steps.threads,
        )  # fmt: skip
        ter = [self._mean("ter", one) for one in (place, base)]
        return Comparison(
            test.difference,
            test.p_randomisation,
            test.p_bootstrap,
            ter[0] - ter[1],
            systems[baseline].label or baseline,
        )

    def interval(self, system: str, point: Point) -> tuple[float, float] | None:
        if not self._translated((system, point)):
            return None
        _, samples = self._rows(self._name, (system, point))
        found = interval(samples, _CONFIDENCE)
        return found.low, found.high

    def _translated(self, place: Place) -> bool:
        group = self._groups.get(place, [])
        return bool(group) and all(found.output is not None for _, found in group)

    def _mean(self, name: str, place: Place) -> float:
        return float(np.mean([found.figures[name] for _, found in self._groups[place]]))

    def _metric(self, name: str) -> Metric:
        if name not in self._metrics:
            step = self._groups[next(iter(self._groups))][0][0].step.root
            self._metrics[name] = test_metric(name, self._steps.test_references(step))
        return self._metrics[name]

    def _rows(self, name: str, place: Place) -> Any:
        """Statistics of all runs, and the scores of bootstrap samples."""
        if (name, place) not in self._known:
            metric = self._metric(name)
            runs = [metric.statistics(found.output or []) for _, found in self._groups[place]]
            rows = np.stack(runs, axis=1)
            samples = bootstrap(metric, rows, samples=_SAMPLES, seed=1, threads=self._steps.threads)
            self._known[name, place] = rows, samples
        return self._known[name, place]
