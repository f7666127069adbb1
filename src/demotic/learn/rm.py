"""Relative margin on candidate lists (Eidelman, Marton & Resnik 2013), with its mistakes mended.

MIRA, and a bound B on how far scores of a list may lie from that of the hope:

    min 1/2 ||w - w_t||^2 + C xi + D tau
    with  score(hope) - score(y) >= gain(hope) - gain(y) - xi
    and  |score(hope) - score(y)| <= B + tau

`pa` is the RM-PA that the paper evaluates: the most violated hypothesis of each kind, one step
each.  `cutting-plane` is RM-CP: it reaches the optimum.  The upper bound steps when the difference
exceeds B (the paper prints the opposite), the lower bound looks at the lowest difference (printed:
the highest again), margin masses move with the weights (printed: against them), both bounds
share D and subtract their slack.  The report has the spread score(hope) - score(worst).

Gains are BLEU in the context of about ten sentences (decay 0.9), so that a sentence's own differ by
a tenth of what they would alone; B is smaller than the paper's 1 for that reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.learn.margin import GainScale, MarginLearner
from demotic.options import option

__all__ = ["RelativeMargin"]


@dataclass(frozen=True, kw_only=True)
class RelativeMargin(MarginLearner):
    """Margins as wide as the difference in gain, and a bounded spread."""

    bound_step: float = option(0.01, "D: longest step for the bounds", minimum=0)
    bound: float = option(0.3, "B: wanted spread of scores in a list, in units of gain", minimum=0)
    decay: float = option(0.9, "of the background after every list", minimum=0, maximum=1)
    gain_scale: GainScale = option(
        "corpus",
        "metric in context times reference length, or as of the sentence alone, or as it is",
    )
    background: Literal["hope", "model"] = option(
        "model", "what enters the background: the hope, or the best by score", core=None
    )
