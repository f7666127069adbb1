"""RAMPION on candidate lists (Gimpel & Smith 2012): the structured ramp loss.

It minimises  sum over lists of  max_y [score - a gain] - max_y [score + a gain]
+ lambda/2 ||w - w_0||^2  by a concave-convex procedure: hopes are fixed, then subgradient steps
are taken against the fears.  Gains are those of candidates alone, in [0, 1].  No randomness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept
from demotic.metrics.metric import Metric
from demotic.options import Options, option

__all__ = ["Rampion"]


@dataclass(frozen=True, kw_only=True)
class Rampion(Options):
    """Fixed hopes, fears pushed down."""

    hope_rounds: int = option(10, "times that the hopes are chosen anew", minimum=1)
    passes: int = option(5, "passes over the lists with the same hopes", minimum=1)
    cost_scale: float = option(10.0, "a: weight of the gain beside the score", minimum=0)
    rate: float = option(1e-4, "length of a step", minimum=0)
    regularization: float = option(1.0, "pull towards the weights of the start", minimum=0)

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
        options = _core.RampOptions()
        options.rounds = self.hope_rounds
        options.passes = self.passes
        options.scale = self.cost_scale
        options.rate = self.rate
        options.regularization = self.regularization
        gains = np.ascontiguousarray(metric.gain(pool.statistics), np.float64)
        new = _core.learn_ramp(pool.native, gains, old, options)
        return finite_or_kept(new, old, pool, metric, {})
