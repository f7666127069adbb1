"""MERT on candidate lists: exact line searches on the metric itself (Och 2003).

It optimises the corpus metric of the lists' best candidates.  Restart r of a round draws from
(seed, round, r), independently of threads.  Only dense weights are optimised; sparse weights count
in the scores and are scaled with the others to unit L1 norm.
"""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from demotic import _core
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept, form_of
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["Mert"]


@dataclass(frozen=True, kw_only=True)
class Mert(Options):
    """Line searches along every dense feature in turn, then along random directions."""

    restarts: int = option(
        20,
        "random starting points in addition to the current weights (5 in search-aware tuning)",
        minimum=0,
    )
    random_directions: int = option(
        5, "random directions tried when no single feature helps", minimum=0
    )
    passes: int = option(100, "maximum passes over all features per starting point", minimum=1)
    tolerance: float = option(1e-6, "minimum gain for a step", minimum=0)

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
        if pool.candidates == 0:
            return finite_or_kept(old, old, pool, metric, {})
        options = to_native(_core.MertOptions, self, seed=seed, round=round_number)
        new, scores, searches = _core.mert(pool.native, form_of(metric), old, options, threads)
        report = {"starts": scores.tolist(), "line_searches": float(searches)}
        return finite_or_kept(new, old, pool, metric, report)
