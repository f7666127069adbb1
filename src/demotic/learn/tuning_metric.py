"""BLEU for learners: in [0, 1], for candidates of the sentences of one tuning set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from demotic.metrics import Bleu, BleuOptions, References

__all__ = ["TuningBleu"]


class TuningBleu:
    """BLEU against tokenised references; statistics are additive integers."""

    form: Literal["bleu", "ratio"] = "bleu"

    def __init__(self, references: References, options: BleuOptions | None = None) -> None:
        self._bleu = Bleu(references, options or BleuOptions(tokenize="none"))

    @property
    def bleu(self) -> Bleu:
        """The underlying metric, used for forests."""
        return self._bleu

    @property
    def length_scale(self) -> int:
        """The factor of the reference lengths in statistics."""
        return self._bleu.length_scale

    @property
    def signature(self) -> str:
        return self._bleu.signature

    def statistics(
        self, texts: Sequence[str], sentences: NDArray[np.integer], *, threads: int = 1
    ) -> NDArray[np.int32]:
        """One row per candidate: matches and totals of 1 to 4 words, reference length."""
        return self._bleu.statistics(list(texts), sentences.astype(np.int64), threads=threads)

    def corpus_score(self, statistics: NDArray[np.float64]) -> float:
        return self._bleu.corpus_score(statistics) / 100

    def gain(self, statistics: NDArray[np.int32]) -> NDArray[np.float64]:
        return self._bleu.gain(statistics)

    def context_gain(
        self, background: NDArray[np.float64], statistics: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        return self._bleu.corpus_scores(background + statistics) / 100
