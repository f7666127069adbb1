"""BLEU of a sentence in the context of earlier translations.

The context O is a decaying sum of the BLEU counts of the chosen translations (Chiang et al. 2008,
section 2.2; Watanabe et al. 2007):

    O <- decay (O + c(e)),  O_f <- decay (O_f + |f|),  B(e) = (O_f + |f|) BLEU(O + c(e))

Moses' batch MIRA decays before it adds, scales by the reference length of O + c(e) and starts with
all counts at 1; Eidelman et al. 2013 do not scale.  Which translation is added (model best or hope)
is the learner's choice.  With another metric's statistics and objective for counts and `scores` it
is the same for that metric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from demotic.metrics.bleu_score import ORDER, Smoothing, bleu_scores

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Numbers

__all__ = ["PseudoDocument"]

Scale = Literal["source", "reference", "none"]


def _bleu(rows: Floats) -> Floats:
    return bleu_scores(rows, Smoothing())


@dataclass(frozen=True, eq=False)
class PseudoDocument:
    """An immutable context; `after` gives the next one.  Rows are those of `Bleu.counts`."""

    counts: Floats = field(default_factory=lambda: np.ones(2 * ORDER + 1))
    source_length: float = 1.0  # O_f
    decay: float = 0.9
    scale: Scale = "source"
    fade_first: bool = False  # decay O + c(e), as in Moses, instead of decay (O + c(e))
    scores: Callable[[Floats], Floats] = _bleu  # of rows of counts, higher is better

    def __post_init__(self) -> None:
        if not 0 <= self.decay <= 1:
            raise ValueError(f"decay is {self.decay!r}; expected a number from 0 to 1")
        if self.scores is _bleu and self.counts.shape != (2 * ORDER + 1,):
            raise ValueError(f"counts of shape {self.counts.shape}; expected {2 * ORDER + 1}")

    @classmethod
    def chiang(cls) -> PseudoDocument:
        """As in Chiang et al. 2008; the start, which they do not specify, is Moses'."""
        return cls()

    @classmethod
    def moses(cls) -> PseudoDocument:
        """As in Moses' batch MIRA."""
        return cls(decay=0.999, scale="reference", fade_first=True)

    @classmethod
    def eidelman(cls) -> PseudoDocument:
        """Unscaled, in [0, 1], for bounds that are absolute numbers (Eidelman et al. 2013)."""
        return cls(scale="none")

    def gain(self, counts: Numbers, source_length: float) -> Floats:
        """B of each row of counts, for candidates of one sentence of `source_length` words."""
        rows = np.asarray(counts, np.float64) + self.counts
        scores = self.scores(rows)
        match self.scale:
            case "source":
                return scores * (self.source_length + source_length)
            case "reference":
                result: Floats = scores * rows[..., -1]
                return result
            case _:
                return scores

    def after(self, counts: Numbers, source_length: float) -> PseudoDocument:
        """The context after the translation with this row has been chosen."""
        row = np.asarray(counts, np.float64)
        if self.fade_first:
            counts, length = self.decay * self.counts + row, self.decay * self.source_length
            return replace(self, counts=counts, source_length=length + source_length)
        return replace(
            self,
            counts=self.decay * (self.counts + row),
            source_length=self.decay * (self.source_length + source_length),
        )
