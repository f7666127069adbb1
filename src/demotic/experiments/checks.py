"""What the types of an experiment file cannot express: names that must exist, steps that exclude
each other, settings that an axis can set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from demotic.errors import Error
from demotic.experiments.figures import COMPARED, CURVES, FIGURES
from demotic.experiments.settings import (
    BUNDLED,
    Axis,
    ExperimentSettings,
    ForceStep,
    PlotSettings,
    SystemSettings,
    TrainStep,
    TuneStep,
)
from demotic.features import Templates
from demotic.learn.methods import find_method
from demotic.metrics.named import MetricChoice
from demotic.model.class_lm import ClassLmOptions
from demotic.options import declared
from demotic.search.options import SearchOptions
from demotic.suggestions import closest_name, did_you_mean

__all__ = ["faults_of", "setting_path"]

_STEPS = {"tune": TuneStep, "train": TrainStep, "force": ForceStep, "search": SearchOptions}


def faults_of(settings: ExperimentSettings) -> list[str]:
    """Clauses that begin with the key they are about."""
    faults = [*_corpus(settings), *_systems(settings), *_labels(settings), *_axes(settings)]
    faults += [_unknown("baseline", settings.baseline, settings.systems), *_models(settings)]
    faults += [_metric("metric", settings.metric), *_shown(settings)]
    return [fault for fault in faults if fault]


def _corpus(settings: ExperimentSettings) -> Iterator[str]:
    corpus = settings.corpus
    if corpus.folder != BUNDLED and not (corpus.source and corpus.target):
        yield "corpus.source and corpus.target are missing, expected languages such as zh and en"
    if corpus.dev and corpus.held_out >= corpus.dev:
        yield f"corpus.held_out is {corpus.held_out}, expected fewer than corpus.dev"


def _models(settings: ExperimentSettings) -> Iterator[str]:
    for name, model in settings.models.items():
        if model.operations and model.kind != "phrase":
            yield f"models.{name}.operations is given for {model.kind}, expected phrases"
        for one in model.class_lms:
            try:
                ClassLmOptions.parsed(one)
            except Error as error:
                yield f"models.{name}.class_lms: {error}"


def _systems(settings: ExperimentSettings) -> Iterator[str]:
    if not settings.models:
        yield "models is empty, expected a table such as [models.phrase]"
    if not settings.systems:
        yield "systems is empty, expected a table such as [systems.mira]"
    for name, system in settings.systems.items():
        key = f"systems.{name}"
        steps = [one for one in ("tune", "train", "force") if getattr(system, one) is not None]
        if len(steps) > 1:
            yield f"{key} has {' and '.join(steps)}, expected one step (use start for a chain)"
        if not system.start and not (system.model or len(settings.models) == 1):
            yield f"{key}.model is missing, expected one of {', '.join(settings.models)}"
        yield _unknown(f"{key}.model", system.model, ["", *settings.models])
        yield _unknown(f"{key}.start", system.start, ["", *settings.systems])
        yield _unknown(
            f"{key}.baseline", system.baseline, [one for one in settings.systems if one != name]
        )
        if system.start and system.model:
            yield f"{key}.model is given with start, expected one of them"
        if _circular(settings, name):
            yield f"{key}.start is {system.start}, expected a system that does not start with it"
        yield from _names(key, system)


def _circular(settings: ExperimentSettings, name: str) -> bool:
    seen, at = {name}, settings.systems[name].start
    while at in settings.systems:
        if at in seen:
            return True
        seen.add(at)
        at = settings.systems[at].start
    return False


def _names(key: str, system: SystemSettings) -> Iterator[str]:
    """Methods, templates and metrics that exist."""
    if system.tune is not None:
        try:
            find_method(system.tune.method).make(system.learner)
        except (Error, TypeError) as error:
            yield f"{key}.tune.method {system.tune.method}: {error}"
        yield _metric(f"{key}.tune.metric", system.tune.metric)
    elif system.learner:
        yield f"{key}.learner is given without tune, expected options of a tuning method"
    for step in ("tune", "train"):
        features = getattr(getattr(system, step), "features", "")
        try:
            if features not in ("", "none"):
                Templates.find(features)
        except Error as error:
            yield f"{key}.{step}.features: {error}"


def _metric(key: str, name: str) -> str:
    try:
        MetricChoice(name)
    except Error as error:
        return f"{key}: {error}"
    return ""


def _labels(settings: ExperimentSettings) -> Iterator[str]:
    """Rows of tables and outputs are told apart by their labels."""
    seen: dict[str, str] = {}
    for name, system in settings.systems.items():
        first = seen.setdefault(system.label or name, name)
        if first != name:
            key = f"systems.{name}.label" if system.label else f"systems.{name}"
            yield f"{key} is shown as {system.label or name!r} like {first}, expected another label"


def _axes(settings: ExperimentSettings) -> Iterator[str]:
    names = [axis.name for axis in settings.vary]
    for i, axis in enumerate(settings.vary):
        if axis.name in names[:i]:
            yield f"vary[{i}].name is {axis.name!r} again, expected another name"
        if len(set(axis.values)) < len(axis.values):
            yield f"vary[{i}].values has a value twice, expected distinct values"
        yield _axis(f"vary[{i}].sets", axis) or _named_models(i, axis, settings)


def _named_models(i: int, axis: Axis, settings: ExperimentSettings) -> str:
    """Axes that set a name: of a model, or of a system to start with."""
    for name, _ in map(setting_path, axis.sets):
        wrong = [value for value in axis.values if value not in settings.models]
        if name == "model" and wrong:
            expected = ", ".join(settings.models)
            return f"vary[{i}].values has {wrong[0]!r} for model, expected some of {expected}"
        if name == "start":
            return (
                f"vary[{i}].sets has start, with which a system would start with itself, "
                "expected another setting (give systems their own start)"
            )
    return ""


def _axis(key: str, axis: Axis) -> str:
    if not axis.values or not axis.sets:
        return f"{key} has no values or sets nothing"
    for path in axis.sets:
        name, factor = setting_path(path)
        table, _, inner = name.partition(".")
        if factor is not None and not all(isinstance(one, int | float) for one in axis.values):
            return f"{key} sets {path}, expected values that are numbers"
        if table in _STEPS and inner:
            fault = _unknown(f"{key} {table}", inner, [one.name for one in declared(_STEPS[table])])
        else:
            known = [one.name for one in fields(SystemSettings) if one.name not in _STEPS]
            fault = _unknown(key, table, [*known, *(f"{one}.NAME" for one in _STEPS)])
        if fault:
            return fault
    return ""


def setting_path(path: str) -> tuple[str, float | None]:
    """`search.pop_limit*4` as name and factor; something else than a factor belongs to the name."""
    name, star, factor = path.partition("*")
    try:
        return name.strip(), float(factor) if star else None
    except ValueError:
        return path, None


def _shown(settings: ExperimentSettings) -> Iterator[str]:
    axes = [axis.name for axis in settings.vary]
    compares = settings.baseline or any(one.baseline for one in settings.systems.values())
    for i, table in enumerate(settings.tables):
        key = f"tables[{i}]"
        for column in table.columns:
            yield _unknown(f"{key}.columns", column, [*FIGURES, *COMPARED, *axes])
            if column in COMPARED and not compares:
                yield f"{key}.columns has {column}, expected a baseline to compare with"
        yield _unknown(f"{key}.across", table.across, ["", *axes])
        yield _unknown(f"{key}.value", table.value, FIGURES)
        if not table.columns and not table.across:
            yield f"{key} has neither columns nor across, expected one of them"
    for i, plot in enumerate(settings.plots):
        yield from _plot(f"plots[{i}]", plot, axes)


def _plot(key: str, plot: PlotSettings, axes: list[str]) -> Iterator[str]:
    if bool(plot.curves) == bool(plot.x and plot.y):
        yield f"{key} has x {plot.x!r} and y {plot.y!r}, expected both of them or curves"
    for curve in plot.curves:
        yield _unknown(f"{key}.curves", curve, CURVES)
    if plot.x:
        yield _unknown(f"{key}.x", plot.x, axes)
        yield _unknown(f"{key}.y", plot.y, FIGURES)


def _unknown(key: str, name: str, known: Iterable[str]) -> str:
    names = [one for one in known if one]
    if name in names or name == "":
        return ""
    near = did_you_mean(closest_name(name, names))
    return f"{key} is {name!r}{near}, expected one of {', '.join(names)}"
