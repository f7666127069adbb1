"""Decision rules: which derivation of a forest becomes the translation.

The best derivation (`map`) may be one of few that say what it says.  The other rules look for
the translation that is closest to all others, each weighted by its probability: `mbr` by the
expected linear gain of its n-grams, `consensus` by BLEU against expected n-gram counts
(`core/include/demotic/forest/decision.h`).  docs/tables-results.md has measurements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from demotic.errors import InputError
from demotic.native_options import to_native
from demotic.options import Options, option
from demotic.search.options import chosen_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.forest import Derivations, Forest
    from demotic.model import Model
    from demotic.search.record import Candidate, SearchResult

__all__ = ["DecisionForest", "DecisionOptions", "decide"]

DecisionName = Literal["map", "mbr", "consensus", "combined"]

_MAX_EDGES = 200_000  # of a split forest; denser parts of larger ones are left out


@dataclass(frozen=True, kw_only=True)
class DecisionOptions(Options):
    """How the translation is chosen. A model may have its own defaults."""

    decision: DecisionName = option(
        "map",
        "how the translation is chosen: the best derivation (map), the minimum Bayes risk (mbr), "
        "of a list the best against expected n-gram counts (consensus), or of the lists of two "
        "models the minimum Bayes risk (combined; models of demotic combine)",
    )
    decision_scale: float = option(
        1.0, "scale of scores as log probabilities (not map)", minimum=1e-6, maximum=1e6
    )
    decision_density: float = option(
        50.0, "edges of the forest per edge of the best derivation (mbr, consensus)", minimum=1
    )
    risk_precision: float = option(
        0.85, "assumed precision of words (mbr, combined)", minimum=0.01, maximum=1
    )
    risk_ratio: float = option(
        0.72,
        "assumed ratio of precisions of successive orders (mbr, combined)",
        minimum=0.01,
        maximum=1,
    )
    consensus_list: int = option(100, "length of the lists (consensus, combined)", minimum=1)
    partner_scale: float = option(
        1.0, "scale of the partner's scores (combined)", minimum=1e-6, maximum=1e6
    )
    partner_share: float = option(
        0.5, "share of the partner in the probabilities of n-grams (combined)", minimum=0, maximum=1
    )

    @classmethod
    def for_model(cls, model: Model, given: Mapping[str, Any] = {}) -> DecisionOptions:
        """A model's settings, overridden by `given`. Raises InputError."""
        options = cls(**chosen_for(cls, model, given))
        if options.decision == "combined" and model.partner is None:
            raise InputError(
                "the decision combined for a single model",
                path=model.path,
                expected="a model of demotic combine",
                advice="choose another --decision",
            )
        return options

    @property
    def needs_forest(self) -> bool:
        """Whether the best derivation is not enough to decide."""
        return self.decision != "map"

    def risk(self) -> _core.RiskOptions:
        from demotic import _core

        return to_native(_core.RiskOptions, precision=self.risk_precision, ratio=self.risk_ratio)


class DecisionForest:
    """The forest of one search, prepared for decisions with any scale and assumed precisions."""

    def __init__(self, forest: Forest, scores: NDArray[np.float64], density: float) -> None:
        from demotic import _core

        self.forest, self.scores = forest, scores
        target = forest.edge_target
        self._native = _core.NgramForest.pruned(
            forest.graph, scores, target.offsets, target.values, density, _MAX_EDGES
        )

    def expected_counts(self, scale: float) -> NDArray[np.float64]:
        """Of every n-gram under p(d) proportional to exp(scale * score); first: of all words."""
        return self._native.expected_counts(self.forest.graph, scale * self.scores)

    def number(self, words: tuple[int, ...]) -> int:
        """The number of an n-gram of 1 to 4 words; 0 if no derivation has it."""
        return self._native.number(list(words))

    def minimum_risk(
        self, counts: NDArray[np.float64], options: DecisionOptions
    ) -> NDArray[np.int32]:
        """Edges of the derivation with the highest expected gain."""
        return self._native.minimum_risk(counts, options.risk())

    def consensus(
        self, counts: NDArray[np.float64], candidates: Derivations
    ) -> tuple[int, NDArray[np.float64]]:
        """The best candidate and the gains of all; of equal ones the first."""
        yields = self.forest.yields(candidates)
        gains = self._native.consensus_gains(counts, yields.offsets, yields.values)
        return int(gains.argmax()), gains


def decide(result: SearchResult, options: DecisionOptions) -> Candidate:
    """The translation of a recorded search, with the model's score of its derivation.

    For models that decide together see `chooser.py`.
    """
    import numpy as np

    from demotic.forest import Derivations, Rows

    if options.decision in ("map", "combined"):
        return result.best
    forest, scores = result.forest, result.edge_scores
    prepared = DecisionForest(forest, scores, options.decision_density)
    counts = prepared.expected_counts(options.decision_scale)
    if options.decision == "consensus":
        candidates = forest.kbest(options.consensus_list, scores, distinct=True)
        edges = candidates[prepared.consensus(counts, candidates)[0]]
    else:
        edges = prepared.minimum_risk(counts, options)
    score = np.array([scores[edges].sum()])
    rows = Rows(np.array([0, len(edges)]), edges)
    return result.candidates(Derivations(rows, score))[0]
