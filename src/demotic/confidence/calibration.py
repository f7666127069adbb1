"""The calibration of a model: how posteriors become probabilities of being correct.

It is stored in the model directory as `confidence.toml` and holds for the weights of that model.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated

from demotic.errors import ModelError
from demotic.model.file import CONFIDENCE_NAME
from demotic.schema import Condition
from demotic.toml import checked_toml, write_toml

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.model import Model

__all__ = ["Calibration", "weights_digest"]

_HEADER = """\
Word confidence. A posterior at scale `scale` becomes a probability by interpolation between the
points; demotic calibrate learns them anew.
"""
_ADVICE = "run demotic calibrate again"

Probability = Annotated[float, Condition("a number from 0 to 1", lambda value: 0 <= value <= 1)]
Positive = Annotated[float, Condition("a number above 0", lambda value: value > 0)]


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A scale for scores, and a rising curve from posteriors to probabilities."""

    scale: Positive
    posteriors: tuple[Probability, ...]
    probabilities: tuple[Probability, ...]
    copied: Probability  # the share of copied unknown words that are correct
    words: int  # of the translations that it was learnt from
    correct: Probability  # their share of correct words
    area_under_roc: Probability  # on the same words
    weights: str  # digest of the model's weights

    def apply(
        self, posteriors: NDArray[np.float64], copied: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """The probability that each word is correct."""
        import numpy as np

        known = np.interp(posteriors, self.posteriors, self.probabilities)
        return np.where(copied, self.copied, known)

    def attach(self, model: Model) -> Model:
        """Stores it in the directory of a model, which is opened again."""
        from demotic.model import Model

        write_toml(model.path / CONFIDENCE_NAME, asdict(self), header=_HEADER)
        parts = replace(model.info.parts, confidence=CONFIDENCE_NAME)
        replace(model.info, parts=parts).write(model.path)
        return Model.load(model.path)

    @classmethod
    def of(cls, model: Model) -> Calibration:
        """Raises ModelError if the model has none, or has changed since."""
        name = model.info.parts.confidence
        if name is None:
            raise ModelError(
                "a model without word confidence",
                path=model.path,
                expected="a calibrated model",
                advice=f"demotic calibrate {model.path} --src DEV --ref DEV",
            )
        found = checked_toml(model.part(name), cls, advice=_ADVICE)
        rising = sorted(set(found.posteriors)) == list(found.posteriors)
        if not rising or not found.posteriors or len(found.posteriors) != len(found.probabilities):
            raise ModelError(
                "points of a curve that does not rise",
                path=model.part(name),
                expected="as many probabilities as rising posteriors",
                advice=_ADVICE,
            )
        if found.weights != weights_digest(model):
            raise ModelError(
                "word confidence that was calibrated for other weights",
                path=model.part(name),
                expected="a calibration for the weights of the model",
                advice=f"demotic calibrate {model.path} --src DEV --ref DEV --force",
            )
        return found


def weights_digest(model: Model) -> str:
    """Of dense and sparse weights."""
    lines = [f"{name} {value!r}" for name, value in model.weights.items()]
    sparse = model.info.parts.sparse
    if sparse is not None and sparse in model.info.files:
        lines.append(model.info.files[sparse].digest)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]
