"""From an experiment to its runs: every system at every point of the axes, for every seed.

Runs share what they have in common: a step (a model, or weights learnt from another step) is
identified by a key of its settings, of the files that these name, and of everything before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from demotic import __version__
from demotic.errors import FormatError
from demotic.experiments.checks import setting_path
from demotic.experiments.file import Experiment, merged
from demotic.experiments.own_code import metric_code, step_code
from demotic.experiments.settings import ModelSettings, Scalar, SystemSettings
from demotic.learn.journal import key_of
from demotic.schema import checked

__all__ = ["Point", "Run", "Step", "expand"]

Point = tuple[tuple[str, Scalar], ...]
"""Names of axes and their values."""


@dataclass(frozen=True)
class Step:
    """A model as built (without `before`), or weights learnt from those of another step."""

    name: str
    model: ModelSettings
    text: str
    """Key of the text."""
    before: Step | None = None
    system: SystemSettings | None = None
    seed: int = 1

    @cached_property
    def key(self) -> str:
        known: dict[str, Any] = {"version": __version__, "text": self.text}
        if self.before is None or self.system is None:
            return _short({**known, "model": asdict(self.model)})
        system = self.system
        learnt: dict[str, Any] = {
            "tune": None if system.tune is None else asdict(system.tune),
            "train": None if system.train is None else asdict(system.train),
            "learner": dict(system.learner),
            "search": asdict(system.search),
            "threads": system.threads,
        }
        if code := step_code(system):
            learnt["code"] = code
        return _short({**known, "before": self.before.key, "seed": self.seed, **learnt})

    @property
    def title(self) -> str:
        """For people."""
        return self.name if self.before is None else f"{self.name}, seed {self.seed}"

    @property
    def root(self) -> Step:
        return self if self.before is None else self.before.root


@dataclass(frozen=True)
class Run:
    """One measurement."""

    system: str
    point: Point
    seed: int
    settings: SystemSettings
    step: Step
    measured: str
    """What is measured besides scores, as part of the key."""

    @property
    def title(self) -> str:
        """The name of the measurement, for people."""
        return f"test {self.name}" if self.settings.force is None else f"force {self.name}"

    @property
    def name(self) -> str:
        """For people."""
        places = [f"{name} {value}" for name, value in self.point]
        seed = [f"seed {self.seed}"] if self.step.before is not None else []
        inner = ", ".join([*places, *seed])
        return f"{self.system} ({inner})" if inner else self.system

    @cached_property
    def key(self) -> str:
        force = self.settings.force
        return _short(
            {
                "step": self.step.key,
                "search": asdict(self.settings.search),
                "force": None if force is None else asdict(force),
                "measured": self.measured,
            }
        )


def _short(settings: object) -> str:
    return key_of(settings)[:16]


def expand(experiment: Experiment, text_key: str) -> list[Run]:
    """All runs, first seeds first, so that early results show all systems."""
    settings = experiment.settings
    code = metric_code(settings.metric)
    measured = " ".join([settings.metric, *settings.measure, *filter(None, [code])])
    runs: list[Run] = []
    points = [*_points(experiment)]
    systems = {point: _systems(experiment, point) for point in points}
    for seed in range(1, settings.seeds + 1):
        for point, name in product(points, settings.systems):
            step = _step(experiment, systems[point], point, name, seed, text_key)
            if seed == 1 or _draws(step):
                runs.append(Run(name, point, seed, systems[point][name], step, measured))
    return runs


def _points(experiment: Experiment) -> Iterator[Point]:
    axes = experiment.settings.vary
    for values in product(*(axis.values for axis in axes)):
        yield tuple((axis.name, value) for axis, value in zip(axes, values, strict=True))


def _draws(step: Step) -> bool:
    """Whether anything in the chain depends on the seed."""
    return step.before is not None


def _systems(experiment: Experiment, point: Point) -> dict[str, SystemSettings]:
    """The systems with the settings of a point."""
    changes = [
        (*setting_path(path), value)
        for axis in experiment.settings.vary
        for name, value in point
        if axis.name == name
        for path in axis.sets
    ]
    return {name: _system(experiment, name, changes) for name in experiment.settings.systems}


def _system(
    experiment: Experiment, name: str, changes: list[tuple[str, Any, Any]]
) -> SystemSettings:
    raw: Mapping[str, Any] = experiment.raw["systems"][name]
    for path, factor, value in changes:
        table, _, inner = path.partition(".")
        if table in ("tune", "train", "force") and table not in raw:
            continue  # an axis of a step does not concern systems without it
        new = value if factor is None else type(value)(value * factor)
        raw = merged(raw, {table: {inner: new}} if inner else {table: new})
    found, faults = checked(SystemSettings, raw)
    if found is None:
        raise FormatError("; ".join(faults), path=experiment.name, expected="other values of vary")
    return found


def _step(
    experiment: Experiment,
    systems: Mapping[str, SystemSettings],
    point: Point,
    name: str,
    seed: int,
    text: str,
) -> Step:
    system = systems[name]
    if system.start:
        before = _step(experiment, systems, point, system.start, seed, text)
    else:
        models = experiment.settings.models
        model = system.model or next(iter(models))
        before = Step(f"model {model}", models[model], text)
    if system.tune is None and system.train is None:
        return before
    shown = ", ".join([name, *(f"{axis} {value}" for axis, value in point)])
    return Step(shown, before.model, text, before, _seeded(system, seed), seed)


def _seeded(system: SystemSettings, seed: int) -> SystemSettings:
    return replace(
        system,
        label="",
        tune=None if system.tune is None else replace(system.tune, seed=seed),
        train=None if system.train is None else replace(system.train, seed=seed),
    )
