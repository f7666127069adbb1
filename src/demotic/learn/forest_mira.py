"""MIRA on forests (Chiang, Marton & Resnik 2008).

Sentence by sentence, with B(e) the BLEU of e in the context of a decaying pseudo-document, times
its source length (equation 8), it minimises over w

    1/2 ||w - w_t||^2 + C max_e [ B(e*) - B(e) - (h(e*) - h(e)) . w ]

by sequential minimal optimisation.  The max is over the best of three kinds, each read off the
forest: by the model, by the oracle's mix (1 - mu) B + mu h.w, and by h.w - B (loss-augmented).
B of a forest's edges counts matches without clipping (`forest/gain_rescore.h`); what was found is
counted again, clipped, before the oracle e* is chosen and losses are computed.

The oracle that forces the reference ("bold") needs a forced search and is not here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.forest import Forest, Rows
from demotic.learn.forest_evidence import ForestEvidence
from demotic.learn.learner import LearnerResult, Metric, finite_or_kept
from demotic.metrics import PseudoDocument
from demotic.options import Options, option

__all__ = ["ForestMira"]

Vector = NDArray[np.float64]
OraclePolicy = Literal["mu", "max-bleu", "local"]


@dataclass(frozen=True, kw_only=True)
class ForestMira(Options):
    """One step a sentence, on the best of a forest by model, oracle and loss."""

    step: float = option(0.01, "C: longest step", minimum=0)
    passes: int = option(1, "passes over the forests; the last one is averaged", minimum=1)
    candidates: int = option(10, "different translations of each kind", minimum=1)
    oracle: OraclePolicy = option(
        "mu", "e*: by the mix of BLEU and score, by BLEU, or by BLEU among the model's best"
    )
    mu: float = option(0.5, "share of the score in the oracle's mix", minimum=0, maximum=1)
    loss_augmented: bool = option(True, "learn from the best by score less BLEU as well")
    decay: float = option(0.9, "of the pseudo-document after every sentence", minimum=0, maximum=1)
    tolerance: float = option(1e-4, "gap at which the solver stops", minimum=0)
    max_steps: int = option(100, "steps of the solver a sentence", minimum=1)
    runaway_ratio: float = option(
        1.3, "lengths beyond this times the references', or its inverse, are run away", minimum=1
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
    ) -> LearnerResult:
        """One sentence after the other: threads only score the result."""
        old = evidence.checked(weights)
        if metric.form != "bleu":
            raise ModelError(f"a metric of the form {metric.form}", expected="bleu, for forests")
        if len(evidence) == 0:
            return finite_or_kept(old, old, evidence, metric, {})
        before = _length_ratio(evidence, old, threads)
        last, average, report = self._learn(old.copy(), evidence, (seed, round_number))
        result = finite_or_kept(average, old, evidence, metric, report, threads=threads)
        after = _length_ratio(evidence, result.weights, threads)
        report = {
            **result.report,
            "last_weights": last.tolist(),
            "length_ratio_before": before,
            "length_ratio": after,
            "runaway": float(self._ran_away(before, after)),
        }
        return LearnerResult(result.weights, report, result.refused)

    def _learn(
        self, weights: Vector, evidence: ForestEvidence, seed: tuple[int, int]
    ) -> tuple[Vector, Vector, dict[str, float | list[float]]]:
        """The last weights, their average over the last pass, and figures a pass."""
        document = PseudoDocument(decay=self.decay)
        rng = np.random.default_rng(seed)
        lengths = _reference_lengths(evidence)
        updates, losses = [], []
        for _ in range(self.passes):
            start, drift, visits, moved, loss = weights.copy(), np.zeros_like(weights), 0, 0, 0.0
            for place in rng.permutation(len(evidence)).tolist():
                visit = _Visit(self, evidence, place, document, float(lengths[place]))
                if not visit.search(weights):
                    continue
                loss += visit.loss
                weights = weights + visit.solve(weights)
                moved += visit.moved
                drift += weights - start
                visits += 1
                document = visit.after
            updates.append(float(moved))
            losses.append(loss)
        # A sum of differences, so that nothing learnt changes no bit.
        average = start + drift / max(visits, 1)
        return weights, average, {"pass_updates": updates, "pass_losses": losses}

    def _ran_away(self, before: float, after: float) -> bool:
        """Whether lengths are far from the references', and farther than they were."""
        far = abs(math.log(max(after, 1e-9)))
        return far > math.log(self.runaway_ratio) and far > abs(math.log(max(before, 1e-9)))


class _Visit:
    """One sentence: candidates out of its forest, then a step."""

    def __init__(
        self,
        options: ForestMira,
        evidence: ForestEvidence,
        place: int,
        document: PseudoDocument,
        reference_length: float,
    ) -> None:
        self._options = options
        self._evidence = evidence
        self._place = place
        self._document = document
        self._reference_length = reference_length
        self._forest: Forest = evidence.forests[place]
        self._source_length = float(evidence.covered[place][-1])
        self.moved = False
        self.loss = 0.0

    def search(self, weights: Vector) -> bool:
        """Finds candidates and the oracle; False if the forest has no derivation."""
        options, model = self._options, self._forest.scores(weights)
        lists = [self._kbest(model)]
        if not lists[0]:
            return False
        mu = 0.0 if options.oracle == "max-bleu" else options.mu
        if options.oracle != "local":
            lists.append(self._mixed(model, 1 - mu, mu))
        if options.loss_augmented:
            lists.append(self._mixed(model, -1.0, 1.0))
        own = len(lists[0])
        edges = list(dict.fromkeys(row for found in lists for row in found))
        self._describe(edges)
        best = self._counts[0]
        self.after = self._document.after(best, self._source_length)
        scores = self._features @ weights[self._columns]
        value = (1 - mu) * self._gains + mu * scores
        if options.oracle == "local":
            value = np.where(np.arange(len(edges)) < own, self._gains, -np.inf)
        self._oracle = int(np.argmax(value))
        margin = self._gains[self._oracle] - self._gains - (scores[self._oracle] - scores)
        self._violations = margin
        self.loss = float(margin.max())
        return True

    def solve(self, weights: Vector) -> Vector:
        """How the weights move."""
        options = self._options
        step = np.zeros_like(weights)
        differences = self._features[self._oracle] - self._features
        start = np.zeros(len(differences))
        start[self._oracle] = options.step
        mass, _ = _core.smo(
            np.ascontiguousarray(np.einsum("if,jf->ij", differences, differences)),
            self._violations,
            np.zeros(len(differences), np.int32),
            start,
            options.tolerance,
            options.max_steps,
        )
        step[self._columns] = np.einsum("i,if->f", mass, differences)
        self.moved = bool(step.any())
        return step

    def _mixed(self, model: Vector, gain: float, score: float) -> list[tuple[int, ...]]:
        """The best by a mix of gain and score."""
        document = self._document
        gains = _core.edge_gains(
            self._evidence.native,
            self._place,
            model,
            self._evidence.covered[self._place],
            document.counts,
            (document.source_length, self._reference_length),
            (gain, score),
        )
        return self._kbest(score * model + gain * gains)

    def _kbest(self, scores: Vector) -> list[tuple[int, ...]]:
        found = self._forest.kbest(self._options.candidates, scores, distinct=True)
        return [tuple(edges.tolist()) for edges in found]

    def _describe(self, edges: list[tuple[int, ...]]) -> None:
        """Features and clipped counts of the candidates; only features that one of them has."""
        rows = Rows.of(edges)
        sums, words = self._forest.derivation_features(rows), self._forest.yields(rows)
        self._columns, places = np.unique(sums.ids, return_inverse=True)
        self._features = np.zeros((len(edges), len(self._columns)))
        self._features[np.repeat(np.arange(len(edges)), np.diff(sums.offsets)), places] = (
            sums.values
        )
        bleu = self._evidence.bleu
        sentences = np.full(len(edges), self._evidence.sentences[self._place])
        self._counts = bleu.counts(bleu.statistics_of_ids(words.offsets, words.values, sentences))
        self._gains = self._document.gain(self._counts, self._source_length)


def _reference_lengths(evidence: ForestEvidence) -> Vector:
    """Of each sentence: the shortest, which is also the closest to nothing, or the average."""
    none = np.zeros(len(evidence) + 1, np.int64)
    rows = evidence.bleu.statistics_of_ids(none, np.zeros(0, np.int32), evidence.sentences)
    lengths: Vector = evidence.bleu.counts(rows)[:, -1]
    return lengths


def _length_ratio(evidence: ForestEvidence, weights: Vector, threads: int) -> float:
    """Words of the best derivations by those of the references."""
    sums = evidence.bleu.counts(evidence.best_statistics(weights, threads=threads))
    words, reference = float(sums[len(sums) // 2]), float(sums[-1])
    return words / reference if reference > 0 else 1.0
