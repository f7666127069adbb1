"""A learner whose reports and times are kept round by round; the tuning loop discards them."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from demotic.learn.learner import LearnerResult
from demotic.metrics.metric import Metric

__all__ = ["read_updates", "recording"]


def recording(learner: Any, path: Path) -> Any:
    """The learner under the name of its class, which errors mention."""
    return type(type(learner).__name__, (_RecordingLearner,), {})(learner, path)


class _RecordingLearner:
    """Delegates everything; `path` gets one JSON line per round, also across interruptions."""

    def __init__(self, learner: Any, path: Path) -> None:
        self._learner, self._path = learner, path

    def __repr__(self) -> str:
        return repr(self._learner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._learner, name)

    def update(
        self, weights: ArrayLike, evidence: Any, metric: Metric, /, **more: Any
    ) -> LearnerResult:
        begin = time.process_time()
        result: LearnerResult = self._learner.update(weights, evidence, metric, **more)
        known = {"round": more["round_number"], "cpu": time.process_time() - begin}
        known |= _spread(result)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(known) + "\n")
        return result


def _spread(result: LearnerResult) -> dict[str, float]:
    """Mean and standard deviation over all visits of the round: sweeps visit the same lists."""
    means = result.report.get("sweep_spread_mean", [])
    deviations = result.report.get("sweep_spread_deviation", [])
    if not isinstance(means, list) or not isinstance(deviations, list) or not means:
        return {}
    mean = math.fsum(means) / len(means)
    squares = [d * d + m * m for d, m in zip(deviations, means, strict=True)]
    return {
        "spread": mean,
        "spread_sd": math.sqrt(max(0.0, math.fsum(squares) / len(squares) - mean**2)),
    }


def read_updates(path: Path) -> dict[int, dict[str, float]]:
    """The last line of every round, by its number; a round that was repeated has several."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {int(one["round"]): one for one in map(_parsed, lines) if one}


def _parsed(line: str) -> dict[str, float]:
    try:
        values: dict[str, float] = json.loads(line)
    except ValueError:  # torn by a kill
        return {}
    return values
