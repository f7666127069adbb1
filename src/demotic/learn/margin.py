"""What MIRA and RM share: sweeps of margin steps over the lists, in native code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from numpy.typing import ArrayLike

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept, form_of
from demotic.learn.scheme import SCHEME_TEXT, Scheme
from demotic.metrics.metric import Metric
from demotic.options import Options, option

__all__ = ["GainScale", "MarginLearner"]

GainScale = Literal["length", "sentence", "corpus"]


@dataclass(frozen=True, kw_only=True)
class MarginLearner(Options):
    """Hope and fear of every list in the context of a background of earlier choices."""

    step: float = option(0.01, "C: longest step for a margin", minimum=0)
    solver: Literal["pa", "cutting-plane"] = option(
        "pa", "one passive-aggressive step a list, or all violated constraints solved together"
    )
    max_steps: int = option(100, "constraints and solver steps of a list", minimum=1)
    tolerance: float = option(1e-4, "violations of the cutting plane that count as none", minimum=0)
    sweeps: int = option(60, "sweeps over the pool in shuffled order", minimum=1)
    shards: int = option(
        1, "learners with a background of their own, that can run at once", minimum=1
    )
    scheme: Scheme = option("mixing", SCHEME_TEXT)
    decay: float = option(0.999, "of the background after every list", minimum=0, maximum=1)
    gain_scale: GainScale = option(
        "length",
        "metric in context times reference length, or as of the sentence alone, or as it is",
    )
    background: Literal["hope", "model"] = option(
        "hope", "what enters the background: the hope, or the best by score"
    )
    average: Literal["running", "sweep"] = option(
        "running", "weights averaged over all visits, or over those of the last sweep"
    )
    keep: Literal["best", "last"] = option(
        "best", "the sweep whose average ranks the pool best, or the last one"
    )

    def _native(self, seed: int) -> _core.MarginOptions:
        options = _core.MarginOptions()
        options.step = self.step
        options.bound = math.inf
        options.cutting_plane = self.solver == "cutting-plane"
        options.steps = self.max_steps
        options.tolerance = self.tolerance
        options.sweeps = self.sweeps
        options.shards = self.shards
        options.scheme = _core.MarginScheme[self.scheme]
        options.decay = self.decay
        options.gain_scale = _core.GainScale[self.gain_scale]
        options.hope_background = self.background == "hope"
        options.running_average = self.average == "running"
        options.keep_best = self.keep == "best"
        options.seed = seed
        return options

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
        # Rounds shuffle differently; 2^32 of them before one repeats another seed's.
        options = self._native((seed << 32) + round_number & 0xFFFF_FFFF_FFFF_FFFF)
        new, sweeps, kept, overflowed = _core.learn_margins(
            pool.native, form_of(metric), old, options, threads
        )
        report: dict[str, float | list[float]] = {"kept_sweep": float(kept)}
        for figure in ("score", "spread_mean", "spread_deviation", "updates"):
            report[f"sweep_{figure}"] = [float(getattr(sweep, figure)) for sweep in sweeps]
        result = finite_or_kept(new, old, pool, metric, report)
        return LearnerResult(result.weights, result.report, refused=overflowed or result.refused)
