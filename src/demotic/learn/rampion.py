"""RAMPION on candidate lists (Gimpel & Smith 2012): the structured ramp loss.

It minimises  sum over lists of  max_y [score - a gain] - max_y [score + a gain]
+ lambda/2 ||w - w_0||^2  by a concave-convex procedure: hopes are fixed, then subgradient steps are
taken against the fears.  Gains are sentence-level, in [0, 1].  It uses no random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["Rampion"]


@dataclass(frozen=True, kw_only=True)
class Rampion(Options):
    """Fixed hopes, and steps against the fears."""

    tunes_sparse: ClassVar[bool] = True

    hope_rounds: int = option(10, "number of times the hopes are chosen", minimum=1, core="rounds")
    passes: int = option(5, "passes over the lists with the same hopes", minimum=1)
    cost_scale: float = option(
        10.0, "a: weight of the gain relative to the score", minimum=0, core="scale"
    )
    rate: float = option(1e-4, "step size", minimum=0)
    regularization: float = option(1.0, "regularisation towards the initial weights", minimum=0)

    def update(
        self,
        weights: ArrayLike,
        pool: Pool,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
    ) -> LearnerResult:
        old = pool.checked(weights)
        options = to_native(_core.RampOptions, self)
        gains = np.ascontiguousarray(metric.gain(pool.statistics), np.float64)
        groups = pool.groups
        learnt = _core.learn_ramp(groups.native, gains, groups.weights_of(old), options)
        return finite_or_kept(groups.moved(old, learnt), old, pool, metric, {})
