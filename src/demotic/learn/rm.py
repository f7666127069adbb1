"""Relative margin on candidate lists (Eidelman, Marton & Resnik 2013), with corrections.

MIRA with a bound B on the difference of the scores of a list to that of the hope:

    min 1/2 ||w - w_t||^2 + C xi + D tau
    with  score(hope) - score(y) >= gain(hope) - gain(y) - xi
    and  |score(hope) - score(y)| <= B + tau

`pa` is the RM-PA that the paper evaluates: the most violated hypothesis of each kind, one step
each.  `cutting-plane` is RM-CP: it reaches the optimum.  The upper bound acts when the difference
exceeds B (the paper prints the opposite), the lower bound uses the lowest difference (printed: the
highest again), margin masses move with the weights (printed: against them), both bounds share D and
subtract their slack.  The report has the spread score(hope) - score(worst).

The scale of weights means nothing to the search, but everything to a bound on scores.  Initial
weights with a spread far above B are scaled by the bounds, list by list; with sparse features each
list is scaled by features that no other sentence has, which learn to prefer its worst candidates.
`scale_start` scales the weights at once, so that the mean spread of the lists is B.

Gains are BLEU in the context of about ten sentences (decay 0.9), so that they differ by a tenth of
what they would for a single sentence; this is why B and the steps are smaller than the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from demotic.learn.evidence import Pool
from demotic.learn.margin import GainScale, MarginLearner, Values
from demotic.options import option, same_option

__all__ = ["RelativeMargin"]


@dataclass(frozen=True, kw_only=True)
class RelativeMargin(MarginLearner):
    """Margins equal to the difference in gain, and bounded score differences."""

    keeps_last: ClassVar[bool] = True  # its gains do not show on the tuning set (section 5)

    step: float = same_option(MarginLearner, "step", default=0.001)
    bound_step: float = option(0.001, "D: maximum step for the bounds", minimum=0)
    bound: float = option(
        0.3, "B: bound on the score differences in a list, in units of gain", minimum=0
    )
    scale_start: bool = option(
        True,
        "scale the initial weights down, so that the mean spread of scores in a list is B",
        core=None,
    )
    decay: float = same_option(MarginLearner, "decay", default=0.9)
    gain_scale: GainScale = same_option(MarginLearner, "gain_scale", default="corpus")
    background: Literal["hope", "model"] = same_option(MarginLearner, "background", default="model")

    def _start(self, weights: Values, pool: Pool, round_number: int) -> Values:
        if round_number > 1 or not self.scale_start:
            return weights
        spread = pool.groups.native.mean_spread(pool.groups.weights_of(weights))
        return weights * (self.bound / spread) if 0 < self.bound < spread else weights
