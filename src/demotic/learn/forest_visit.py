"""The visit of one sentence by forest MIRA: candidates from its forest and an oracle; and the step
for one sentence or for several together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.forest import Forest, Rows
from demotic.learn.forest_evidence import ForestEvidence
from demotic.metrics import PseudoDocument

if TYPE_CHECKING:
    from demotic.learn.forest_mira import ForestMira

__all__ = ["Step", "Visit", "step_for"]

Vector = NDArray[np.float64]


class Visit:
    """A visit in the context of earlier choices; `after` is the context of the next sentence.

    After `search`, `differences` are the oracle's features minus those of each candidate, over the
    features `columns`, and `violations` are the missing parts of the margins.
    """

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
        self._ranked: tuple[list[tuple[int, ...]], Vector, Vector] | None = None
        self.loss = 0.0

    def search(self, weights: Vector) -> bool:
        """Finds candidates and the oracle; False if there is no oracle."""
        options, model = self._options, self._evidence.edge_scores(self._place, weights)
        lists = [self._kbest(model)]
        mu = 0.0 if options.oracle == "max-bleu" else options.mu
        if options.oracle == "bold":
            lists.append(self._reference_derivation(model))
        elif options.oracle != "local":
            lists.append(self._mixed(model, 1 - mu, mu))
        if not lists[-1]:
            return False
        if options.loss_augmented:
            lists.append(self._mixed(model, -1.0, 1.0))
        own = len(lists[0])
        edges = list(dict.fromkeys(row for found in lists for row in found))
        self._describe(edges)
        best = self._counts[0]
        self.after = self._document.after(best, self._source_length)
        scores = self._features @ weights[self.columns]
        value = (1 - mu) * self._gains + mu * scores
        if options.oracle == "local":
            value = np.where(np.arange(len(edges)) < own, self._gains, -np.inf)
        bold = options.oracle == "bold"
        self.oracle = edges.index(lists[1][0]) if bold else int(np.argmax(value))
        self.differences = self._features[self.oracle] - self._features
        self.violations = self._gains[self.oracle] - self._gains - (scores[self.oracle] - scores)
        self.loss = float(self.violations.max())
        return True

    def _reference_derivation(self, model: Vector) -> list[tuple[int, ...]]:
        """The best derivation that yields a reference; empty if there is none."""
        found = [
            tuple(self._forest.best_with_yield(words, model).tolist())
            for words in self._evidence.references(self._place)
        ]
        return sorted(filter(None, found), key=lambda edges: -model[list(edges)].sum())[:1]

    def _mixed(self, model: Vector, gain: float, score: float) -> list[tuple[int, ...]]:
        """The best derivations by a mixture of gain and score."""
        document = self._document
        if not self._evidence.counts_words:
            return self._mixed_of_kbest(model, gain, score)
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

    def _mixed_of_kbest(self, model: Vector, gain: float, score: float) -> list[tuple[int, ...]]:
        """The same among the model's best translations, without gains of edges."""
        if self._ranked is None:
            edges = self._kbest(model, self._options.kbest)
            scores = np.array([model[list(one)].sum() for one in edges])
            self._ranked = edges, scores, self._gains_of(self._counts_of(edges))
        edges, scores, gains = self._ranked
        order = np.argsort(-(score * scores + gain * gains), kind="stable")
        return [edges[i] for i in order[: self._options.candidates]]

    def _kbest(self, scores: Vector, count: int | None = None) -> list[tuple[int, ...]]:
        wanted = self._options.candidates if count is None else count
        found = self._forest.kbest(wanted, scores, distinct=True)
        return [tuple(edges.tolist()) for edges in found]

    def _counts_of(self, edges: list[tuple[int, ...]]) -> Vector:
        """Statistics of what derivations say, as the pseudo-document takes them."""
        evidence = self._evidence
        rows = evidence.statistics(self._place, self._forest.yields(Rows.of(edges)))
        return evidence.bleu.counts(rows) if evidence.counts_words else rows.astype(np.float64)

    def _gains_of(self, counts: Vector) -> Vector:
        return self._document.gain(counts, self._source_length)

    def _describe(self, edges: list[tuple[int, ...]]) -> None:
        """Features and clipped counts of the candidates, over the features that occur."""
        rows = Rows.of(edges)
        sums = self._evidence.derivation_features(self._place, rows)
        self.columns, places = np.unique(sums.ids, return_inverse=True)
        self._features = np.zeros((len(edges), len(self.columns)))
        self._features[np.repeat(np.arange(len(edges)), np.diff(sums.offsets)), places] = (
            sums.values
        )
        self._counts = self._counts_of(edges)
        self._gains = self._gains_of(self._counts)


class Step(NamedTuple):
    """A change of the weights of some features."""

    features: NDArray[np.intp]
    change: Vector


def step_for(visits: Sequence[Visit], options: ForestMira) -> Step:
    """The change of the weights: the optimum for the sentences together, each with its slack."""
    columns = np.unique(np.concatenate([visit.columns for visit in visits]))
    sizes = [len(visit.differences) for visit in visits]
    rows = np.zeros((sum(sizes), len(columns)))
    start, first = np.zeros(len(rows)), 0
    for visit, count in zip(visits, sizes, strict=True):
        places = np.searchsorted(columns, visit.columns)
        rows[first : first + count, places] = visit.differences
        start[first + visit.oracle] = options.step
        first += count
    mass, _ = _core.smo(
        np.ascontiguousarray(np.einsum("if,jf->ij", rows, rows)),
        np.concatenate([visit.violations for visit in visits]),
        np.repeat(np.arange(len(visits), dtype=np.int32), sizes),
        start,
        options.tolerance,
        options.max_steps,
    )
    return Step(columns, np.einsum("i,if->f", mass, rows))
