"""MIRA on forests (Chiang, Marton & Resnik 2008).

Per sentence, with B(e) the BLEU of e in the context of a decaying pseudo-document, times its source
length (equation 8), it minimises over w

    1/2 ||w - w_t||^2 + C max_e [ B(e*) - B(e) - (h(e*) - h(e)) . w ]

by sequential minimal optimisation.  The max is over the best of three kinds, each extracted from
the forest: by model score, by the oracle's mixture (1 - mu) B + mu h.w, and by h.w - B
(loss-augmented). B of a forest's edges counts matches without clipping (`forest/gain_rescore.h`);
candidates are counted again, with clipping, before the oracle e* is chosen and losses are computed.
Several shards can learn in parallel (`scheme.py`); `shared` is the paper's parallel learner.

Rounds of tuning are parts of one run of the learner: each continues from the last weights and the
pseudo-documents of the round before (`state`), and returns the average over its last pass.

The oracle may also be the reference itself ("bold"); sentences whose forests do not contain it are
skipped.

Only BLEU of tokens decomposes over the edges of a forest.  For another metric, B(e) is its
objective in the context of its own statistics, and the second and third kind are the best of the
`kbest` different translations that the model ranks highest in the forest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic.learn.forest_evidence import ForestEvidence
from demotic.learn.forest_shards import ForestShards
from demotic.learn.learner import LearnerResult, finite_or_kept
from demotic.learn.scheme import SCHEME_TEXT, Scheme
from demotic.metrics.metric import Metric
from demotic.options import Options, option

__all__ = ["ForestMira"]

Vector = NDArray[np.float64]
OraclePolicy = Literal["mu", "max-bleu", "local", "bold"]


@dataclass(frozen=True, kw_only=True)
class ForestMira(Options):
    """One step per sentence, on the best of a forest by model, oracle and loss."""

    evidence: ClassVar[str] = "forests"
    tunes_sparse: ClassVar[bool] = True
    carries_state: ClassVar[bool] = True
    keeps_last: ClassVar[bool] = True

    step: float = option(0.01, "C: maximum step", minimum=0)
    passes: int = option(1, "passes over the forests; the last one is averaged", minimum=1)
    candidates: int = option(10, "distinct translations of each kind", minimum=1)
    kbest: int = option(
        100,
        "distinct translations per forest that hopes and fears are chosen from, for metrics other "
        "than BLEU of tokens, whose gains do not decompose over edges",
        minimum=1,
    )
    oracle: OraclePolicy = option(
        "mu",
        "oracle e*: by a mixture of BLEU and score, by BLEU, by BLEU among the model's best, or a "
        "reference if the forest contains it",
    )
    mu: float = option(0.5, "weight of the score in the oracle's mixture", minimum=0, maximum=1)
    loss_augmented: bool = option(True, "also use loss-augmented candidates (score minus BLEU)")
    decay: float = option(
        0.9, "decay of the pseudo-document after every sentence", minimum=0, maximum=1
    )
    tolerance: float = option(1e-4, "duality gap at which the solver stops", minimum=0)
    max_steps: int = option(100, "maximum solver steps per sentence", minimum=1)
    shards: int = option(
        1, "number of parallel learners, each with its own pseudo-document", minimum=1
    )
    scheme: Scheme = option("mixing", SCHEME_TEXT)
    runaway_ratio: float = option(
        1.3, "length ratio to the references that is reported as runaway", minimum=1
    )

    def update(
        self,
        weights: ArrayLike,
        evidence: ForestEvidence,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
        state: Mapping[str, NDArray[Any]] | None = None,
    ) -> LearnerResult:
        """Continues from the `state` of an earlier result; without one, from the weights.

        Threads process different shards.
        """
        old = evidence.checked(weights, metric)
        if len(evidence) == 0:
            return finite_or_kept(old, old, evidence, metric, {})
        before = _length_ratio(evidence, old, threads)
        shards = ForestShards(self, evidence, old.copy(), state)
        report = self._learn(shards, len(evidence), (seed, round_number), threads)
        result = finite_or_kept(shards.average, old, evidence, metric, report, threads=threads)
        after = _length_ratio(evidence, result.weights, threads)
        report = {
            **result.report,
            "last_weights": shards.weights[: len(evidence.names)].tolist(),
            "length_ratio_before": before,
            "length_ratio": after,
            "runaway": float(self._ran_away(before, after)),
        }
        return LearnerResult(result.weights, report, result.refused, shards.state)

    def _learn(
        self, shards: ForestShards, sentences: int, seed: tuple[int, int], threads: int
    ) -> dict[str, float | list[float]]:
        """All passes; returns statistics per pass."""
        rng = np.random.default_rng(seed)
        figures = [
            shards.sweep(rng.permutation(sentences).tolist(), threads) for _ in range(self.passes)
        ]
        return {
            "pass_updates": [updates for updates, _ in figures],
            "pass_losses": [loss for _, loss in figures],
        }

    def _ran_away(self, before: float, after: float) -> bool:
        """Whether lengths are far from the references', and farther than before."""
        far = abs(math.log(max(after, 1e-9)))
        return far > math.log(self.runaway_ratio) and far > abs(math.log(max(before, 1e-9)))


def _length_ratio(evidence: ForestEvidence, weights: Vector, threads: int) -> float:
    """Length of the best derivations relative to the references."""
    sums = evidence.bleu.counts(evidence.native_bleu.best_statistics(weights, threads))
    words, reference = float(sums[len(sums) // 2]), float(sums[-1])
    return words / reference if reference > 0 else 1.0
