"""MERT on candidate lists: exact line searches on the metric itself (Och 2003).

It optimises the corpus metric of the lists' best candidates.  Restart r of a round draws from
(seed, round, r), independently of threads.  A few sparse features are optimised like dense ones;
line searches along thousands would take too long and find nothing that generalises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from demotic import _core
from demotic.errors import Error
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult, finite_or_kept, form_of
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, option

__all__ = ["Mert"]


@dataclass(frozen=True, kw_only=True)
class Mert(Options):
    """Line searches along every feature in turn, then along random directions."""

    tunes_sparse: ClassVar[bool] = True

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
    max_sparse: int = option(
        100, "refuse more sparse features than this in the candidate lists", minimum=0, core=None
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
        old = pool.checked(weights)
        if pool.candidates == 0:
            return finite_or_kept(old, old, pool, metric, {})
        if pool.sparse_features > self.max_sparse:
            raise Error(
                f"MERT with {pool.sparse_features:,} sparse features",
                expected=f"at most {self.max_sparse:,}",
                advice="choose another --method, such as mira, or raise --option max_sparse",
            )
        options = to_native(_core.MertOptions, self, seed=seed, round=round_number)
        lists = pool.dense_alone().native
        new, scores, searches = _core.mert(lists, form_of(metric), old, options, threads)
        report = {"starts": scores.tolist(), "line_searches": float(searches)}
        return finite_or_kept(new, old, pool, metric, report)
