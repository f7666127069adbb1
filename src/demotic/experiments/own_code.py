"""Files of the user's that a system is made with: learners, metrics, templates and features.

Settings only name them, so keys have digests of what they hold; without such files there are none.
"""

from __future__ import annotations

from pathlib import Path

from demotic.experiments.settings import SystemSettings
from demotic.features import Templates
from demotic.features.own import version_of
from demotic.learn.methods import find_method
from demotic.metrics.named import MetricChoice

__all__ = ["metric_code", "step_code"]


def metric_code(name: str) -> str:
    """The digest of a metric of the user's; empty for one of the package."""
    return MetricChoice(name).digest


def step_code(system: SystemSettings) -> dict[str, str | list[str]]:
    """What the files hold that its learning step names, by what they are."""
    found: dict[str, str | list[str]] = {}
    if system.tune is not None:
        found["method"] = find_method(system.tune.method).digest
        found["metric"] = metric_code(system.tune.metric)
    step = system.tune or system.train
    found["features"] = _features_code(step.features) if step is not None else []
    return {name: value for name, value in found.items() if value}


def _features_code(name: str) -> list[str]:
    """The templates of a file, and the versions of functions that they call."""
    if not name or not Path(name).is_file():
        return []
    templates = Templates.find(name)
    functions = [one.list_of("function") for one in templates.native if one.family == "python"]
    return [*templates.texts, *(version_of(one[0]) for one in functions)]
