"""BLEU of a sentence in the context of earlier translations.

The context O is a decaying sum of the BLEU counts of the chosen translations (Chiang et al. 2008,
section 2.2; Watanabe et al. 2007):

    O <- decay (O + c(e)),  O_f <- decay (O_f + |f|),  B(e) = (O_f + |f|) BLEU(O + c(e))

All counts start at 1, as in Moses.  Which translation is added (model best or hope) is the
learner's choice.  For another metric, give its statistics as `counts` and its objective as
`scores`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from demotic.metrics.bleu_score import ORDER, Smoothing, bleu_scores

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Numbers

__all__ = ["PseudoDocument"]


def _bleu(rows: Floats) -> Floats:
    return bleu_scores(rows, Smoothing())


@dataclass(frozen=True, eq=False)
class PseudoDocument:
    """An immutable context; `after` gives the next one.  Rows are those of `Bleu.counts`."""

    counts: Floats = field(default_factory=lambda: np.ones(2 * ORDER + 1))
    source_length: float = 1.0  # O_f
    decay: float = 0.9
    scores: Callable[[Floats], Floats] = _bleu  # of rows of counts, higher is better

    def __post_init__(self) -> None:
        if not 0 <= self.decay <= 1:
            raise ValueError(f"decay is {self.decay!r}; expected a number from 0 to 1")
        if self.scores is _bleu and self.counts.shape != (2 * ORDER + 1,):
            raise ValueError(f"counts of shape {self.counts.shape}; expected {2 * ORDER + 1}")

    def gain(self, counts: Numbers, source_length: float) -> Floats:
        """B of each row of counts, for candidates of one sentence of `source_length` words."""
        rows = np.asarray(counts, np.float64) + self.counts
        return self.scores(rows) * (self.source_length + source_length)

    def after(self, counts: Numbers, source_length: float) -> PseudoDocument:
        """The context after the translation with this row has been chosen."""
        row = np.asarray(counts, np.float64)
        return replace(
            self,
            counts=self.decay * (self.counts + row),
            source_length=self.decay * (self.source_length + source_length),
        )
