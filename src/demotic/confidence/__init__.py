"""Word confidence: how likely each word of a translation is correct.

    estimator = ConfidenceEstimator.of(model)
    for result in model.search(sentences):
        print(list(zip(result.best.words, estimator.words(result))))

Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.confidence.calibration import Calibration
    from demotic.confidence.estimator import ConfidenceEstimator
    from demotic.confidence.learning import calibrate, labelled_words, with_confidence
    from demotic.confidence.posteriors import word_posteriors

_MODULES = {
    "Calibration": ".calibration",
    "ConfidenceEstimator": ".estimator",
    "calibrate": ".learning",
    "labelled_words": ".learning",
    "with_confidence": ".learning",
    "word_posteriors": ".posteriors",
}

__all__ = [
    "Calibration",
    "ConfidenceEstimator",
    "calibrate",
    "labelled_words",
    "with_confidence",
    "word_posteriors",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
