"""Two models that decide together: their candidate lists are pooled (pooled_lists.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from demotic.forest import Derivations, Rows
from demotic.search.decision import DecisionOptions
from demotic.search.pooled_lists import PooledLists

if TYPE_CHECKING:
    from demotic.search.record import Candidate, SearchResult

__all__ = ["combined", "pooled"]


def pooled(results: Sequence[SearchResult], length: int) -> tuple[PooledLists, list[Derivations]]:
    """The distinct candidates of each search of a sentence, and their derivations."""
    lists = [one.forest.kbest(length, one.edge_scores, distinct=True) for one in results]
    words = [
        [one.spelled(row.tolist()) for row in one.forest.yields(found)]
        for one, found in zip(results, lists, strict=True)
    ]
    return PooledLists(words, [np.asarray(found.scores) for found in lists]), lists


def combined(
    result: SearchResult, partner: SearchResult, options: DecisionOptions
) -> tuple[SearchResult, Candidate]:
    """The search that has the chosen translation, and the translation with its derivation."""
    results = (result, partner)
    lists, derivations = pooled(results, options.consensus_list)
    scales = (options.decision_scale, options.partner_scale)
    shares = (1 - options.partner_share, options.partner_share)
    chosen = lists.best(scales, shares, options.risk_precision, options.risk_ratio)
    model, place = lists.origin(chosen)
    edges = derivations[model][place]
    score = np.array([derivations[model].scores[place]])
    found = Derivations(Rows(np.array([0, len(edges)]), edges), score)
    return results[model], results[model].candidates(found)[0]
