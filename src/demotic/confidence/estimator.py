"""Confidences of the words of translations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.confidence.calibration import Calibration
from demotic.confidence.posteriors import word_posteriors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.model import Model
    from demotic.search.record import Candidate, SearchResult

__all__ = ["ConfidenceEstimator"]


@dataclass(frozen=True)
class ConfidenceEstimator:
    """Turns the forests of searches into probabilities that words are correct."""

    calibration: Calibration

    @classmethod
    def of(cls, model: Model) -> ConfidenceEstimator:
        """Raises ModelError if the model is not calibrated."""
        return cls(Calibration.of(model))

    def words(
        self, result: SearchResult, candidate: Candidate | None = None
    ) -> NDArray[np.float64]:
        """One number per word of the best translation, or of another one from the forest."""
        found = word_posteriors(result, [self.calibration.scale], candidate)
        return self.calibration.apply(found.posteriors[0], found.copied)
