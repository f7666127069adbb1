"""MERT on forests: exact line searches over all their derivations (Kumar et al. 2009).

Along a direction the best derivations of a forest are the segments of an envelope, found by one
pass over its nodes; their yields are scored, and the sweep over all sentences is that of MERT on
lists. Restart r of a round draws from (seed, round, r); threads share the forests of a line search.
Every feature of the forests is a direction.  Any metric can score the yields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from demotic import _core
from demotic.learn.forest_evidence import ForestEvidence
from demotic.learn.learner import LearnerResult, finite_or_kept, form_of
from demotic.learn.mert import Mert
from demotic.metrics.metric import Metric
from demotic.native_options import to_native
from demotic.options import Options, same_option

__all__ = ["HypergraphMert"]


@dataclass(frozen=True, kw_only=True)
class HypergraphMert(Options):
    """Line searches along every feature in turn, then along random directions."""

    evidence: ClassVar[str] = "forests"

    restarts: int = same_option(Mert, "restarts", default=1)
    random_directions: int = same_option(Mert, "random_directions")
    passes: int = same_option(Mert, "passes")
    tolerance: float = same_option(Mert, "tolerance")

    def update(
        self,
        weights: ArrayLike,
        evidence: ForestEvidence,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
    ) -> LearnerResult:
        old = evidence.checked(weights, metric)
        if len(evidence) == 0:
            return finite_or_kept(old, old, evidence, metric, {})
        options = to_native(_core.MertOptions, self, seed=seed, round=round_number)
        form = form_of(metric)
        new, scores, searches = _core.forest_mert(evidence.native, form, old, options, threads)
        report = {"starts": scores.tolist(), "line_searches": float(searches)}
        return finite_or_kept(new, old, evidence, metric, report, threads=threads)
