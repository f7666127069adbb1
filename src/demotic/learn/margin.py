"""What MIRA and RM share: sweeps of margin steps over the lists, in native code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept, form_of
from demotic.learn.scheme import SCHEME_TEXT, Scheme
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["GainScale", "MarginLearner", "Values"]

Values = NDArray[np.float64]
GainScale = Literal["length", "sentence", "corpus"]


@dataclass(frozen=True, kw_only=True)
class MarginLearner(Options):
    """Hope and fear of every list in the context of earlier choices."""

    tunes_sparse: ClassVar[bool] = True

    step: float = option(
        0.01, "C: maximum step for a margin (rm: 0.0001 for sparse weights)", minimum=0
    )
    solver: Literal["pa", "cutting-plane"] = option(
        "pa",
        "one passive-aggressive step per list, or a cutting plane",
        core=None,
    )
    max_steps: int = option(
        100, "maximum constraints and solver steps per list", minimum=1, core="steps"
    )
    tolerance: float = option(1e-4, "tolerated violation of the cutting plane", minimum=0)
    sweeps: int = option(
        60,
        "sweeps over the pool in shuffled order (10 for sparse weights; mira: 20 in search-aware "
        "tuning)",
        minimum=1,
    )
    shards: int = option(1, "number of parallel learners, each with its own background", minimum=1)
    scheme: Scheme = option("mixing", SCHEME_TEXT)
    decay: float = option(0.999, "decay of the background after every list", minimum=0, maximum=1)
    gain_scale: GainScale = option(
        "length",
        "gain scaling: length (times reference length), sentence (rescaled to one sentence), "
        "corpus (unscaled)",
    )
    background: Literal["hope", "model"] = option(
        "hope", "what is added to the background: the hope, or the best by score", core=None
    )
    average: Literal["running", "sweep"] = option(
        "running", "average the weights over all visits, or over those of the last sweep", core=None
    )
    keep: Literal["best", "last"] = option(
        "best", "keep the sweep whose average ranks the pool best, or the last", core=None
    )

    def _bounds(self) -> dict[str, Any]:
        """Bounds on the spread of scores that are no options."""
        return {}

    def _start(self, weights: Values, pool: Pool, round_number: int) -> Values:
        """The weights to begin a round with."""
        return weights

    def _native(self, seed: int) -> _core.MarginOptions:
        return to_native(
            _core.MarginOptions,
            self,
            cutting_plane=self.solver == "cutting-plane",
            hope_background=self.background == "hope",
            running_average=self.average == "running",
            keep_best=self.keep == "best",
            seed=seed,
            **self._bounds(),
        )

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
        old = self._start(pool.checked(weights), pool, round_number)
        # Every round is shuffled differently; seeds do not collide for 2^32 rounds.
        options = self._native((seed << 32) + round_number & 0xFFFF_FFFF_FFFF_FFFF)
        groups = pool.groups
        learnt, sweeps, kept, overflowed = _core.learn_margins(
            groups.native, form_of(metric), groups.weights_of(old), options, threads
        )
        new = groups.moved(old, learnt)
        report: dict[str, float | list[float]] = {"kept_sweep": float(kept)}
        for figure in ("score", "spread_mean", "spread_deviation", "updates"):
            report[f"sweep_{figure}"] = [float(getattr(sweep, figure)) for sweep in sweeps]
        result = finite_or_kept(new, old, pool, metric, report)
        return LearnerResult(result.weights, result.report, refused=overflowed or result.refused)
