"""Batch MIRA on candidate lists (Cherry & Foster 2012; Chiang, Marton & Resnik 2008).

Per list, with hope = argmax(score + gain) and fear = argmax(score - gain), it minimises

    1/2 ||w - w_t||^2 + C max_y [ gain(hope) - gain(y) - (score(hope) - score(y)) ]

by one passive-aggressive step on the fear, or exactly by a cutting plane whose problems are
solved by sequential minimal optimisation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from demotic.learn.margin import MarginLearner

__all__ = ["Mira"]


@dataclass(frozen=True, kw_only=True)
class Mira(MarginLearner):
    """Margins equal to the difference in gain."""

    def _bounds(self) -> dict[str, Any]:
        return {"bound": math.inf, "bound_step": 0.0}
