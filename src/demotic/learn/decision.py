"""Chooses a decision rule and its parameters by the score of a dev set.

Every sentence is searched once; its forest is asked for the translation of every rule with every
scale and every pair of assumed precisions.  The setting with the best score of the whole set is
kept; of equal ones the first, and the best derivation (`map`) comes first of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from demotic.forest import Rows
from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.search.decision import DecisionForest, DecisionName, DecisionOptions
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model
    from demotic.search.record import SearchResult

__all__ = ["RULES", "TriedDecision", "try_decisions"]

RULES: tuple[DecisionName, ...] = ("mbr", "consensus")

_SCALES = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.5, 5.0)
_PRECISIONS = (0.35, 0.5, 0.65, 0.8, 0.95)
_RATIOS = (0.45, 0.6, 0.75, 0.9)
_BATCH = 16  # sentences per thread whose searches are in memory


@dataclass(frozen=True)
class TriedDecision:
    """A setting and its score on the dev set."""

    options: DecisionOptions
    score: float

    @property
    def settings(self) -> dict[str, str | float | int]:
        """What a model has to keep of it."""
        kept: dict[str, str | float | int] = {"decision": self.options.decision}
        if self.options.decision != "map":
            kept["decision_scale"] = self.options.decision_scale
        if self.options.decision == "mbr":
            kept["risk_precision"] = self.options.risk_precision
            kept["risk_ratio"] = self.options.risk_ratio
        return kept


def settings_of(rules: Sequence[DecisionName], start: DecisionOptions) -> list[DecisionOptions]:
    """All settings that are tried, the best derivation first; scale by scale."""
    tried = [replace(start, decision="map")]
    for scale in _SCALES:
        own = replace(start, decision_scale=scale)
        if "consensus" in rules:
            tried.append(replace(own, decision="consensus"))
        if "mbr" in rules:
            tried += [
                replace(own, decision="mbr", risk_precision=precision, risk_ratio=ratio)
                for precision, ratio in product(_PRECISIONS, _RATIOS)
            ]
    return tried


def try_decisions(
    model: Model,
    dev: DevSet,
    *,
    search: SearchOptions | None = None,
    start: DecisionOptions | None = None,
    rules: Sequence[DecisionName] = RULES,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[TriedDecision]:
    """Every setting with its BLEU, the best first."""
    tried = settings_of(rules, start or DecisionOptions.for_model(model))
    metric = Bleu(dev.references, BleuOptions(tokenize="none"))
    decoder = model.decoder(search)
    sums = np.zeros((len(tried), metric.columns))
    for begin in range(0, len(dev), _BATCH * threads):
        lines = dev.source[begin : begin + _BATCH * threads]
        for i, result in enumerate(decoder.search(lines, threads=threads), begin):
            texts = list(_texts(result, tried))
            distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
            rows = metric.statistics(list(distinct), [i] * len(distinct))
            sums += rows[[distinct[text] for text in texts]]
            progress(i + 1, len(dev))
    scores = metric.corpus_scores(sums)
    order = np.argsort(-scores, kind="stable")
    return [TriedDecision(tried[i], float(scores[i])) for i in order]


def _texts(result: SearchResult, tried: Sequence[DecisionOptions]) -> Iterator[str]:
    """The translation of every setting; forest and list are made once, counts once per scale."""
    forest, scores = result.forest, result.edge_scores
    prepared = DecisionForest(forest, scores, tried[0].decision_density)
    candidates = forest.kbest(tried[0].consensus_list, scores, distinct=True)
    scale = tried[0].decision_scale
    counts = prepared.expected_counts(scale)
    for one in tried:
        if one.decision_scale != scale:
            scale, counts = one.decision_scale, prepared.expected_counts(one.decision_scale)
        if one.decision == "map":
            edges = candidates[0]
        elif one.decision == "consensus":
            edges = candidates[prepared.consensus(counts, candidates)[0]]
        else:
            edges = prepared.minimum_risk(counts, one)
        words = forest.yields(Rows(np.array([0, len(edges)]), edges))[0]
        yield " ".join(result.spelled(words.tolist()))
