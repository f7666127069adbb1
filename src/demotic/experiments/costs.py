"""Expected seconds of steps and runs on an ordinary core, for the estimate of the time left."""

from __future__ import annotations

from demotic.experiments.corpus import ExperimentText
from demotic.experiments.expand import Run, Step

__all__ = ["cost_of"]

_BUILD = {"phrase": 2e-4, "hiero": 5e-4}  # per training pair
_DECODE = {"phrase": 1.5e-5, "hiero": 4e-5}  # per sentence and candidate of the pop limit
_FORCE = {"phrase": 2e-3, "hiero": 8e-3}  # per pair
_LEARN = 2.0  # one round of tuning against one search


def cost_of(what: Step | Run, text: ExperimentText) -> float:
    """A rough figure: the display scales it by the time that earlier ones took."""
    counts = {part: len(text.lines[f"{part}.src"]) for part in ("train", "dev", "test")}
    if isinstance(what, Run):
        kind, system = what.step.model.kind, what.settings
        if system.force is not None:
            return _FORCE[kind] * (system.force.pairs or counts[system.force.on])
        return _DECODE[kind] * system.search.pop_limit * counts["test"] + 0.1
    kind = what.model.kind
    if what.before is None or what.system is None:
        return _BUILD[kind] * counts["train"]
    decode = _DECODE[kind] * what.system.search.pop_limit
    if what.system.tune is not None:
        return _LEARN * what.system.tune.rounds * decode * counts["dev"]
    assert what.system.train is not None
    pairs = counts[what.system.train.on]
    return what.system.train.epochs * decode * (pairs + 3 * counts["dev"]) + _FORCE[kind] * pairs
