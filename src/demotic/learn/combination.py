"""Chooses how two models decide together by the score of a dev set.

Each sentence is searched once by either model; the pooled lists are asked for the translation of
every pair of scales, every share of the partner and every pair of assumed precisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.search.combination import pooled
from demotic.search.pooled_lists import PooledLists, mixed, risk_factors

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["CombinationScores", "TriedCombination", "try_combinations"]

_SCALES = (0.1, 0.2, 0.35, 0.6, 1.0, 1.7)
_SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)
_RISKS = tuple(product((0.35, 0.5, 0.65, 0.8, 0.95), (0.45, 0.6, 0.75, 0.9)))
_MIXES = tuple(product(_SCALES, _SCALES, _SHARES))
_LIST = 100
_BATCH = 16  # sentences per thread whose searches are in memory


@dataclass(frozen=True)
class TriedCombination:
    """Settings and their score on the dev set."""

    scales: tuple[float, float]
    share: float
    risk: tuple[float, float]
    score: float

    @property
    def settings(self) -> dict[str, str | float]:
        """What a model has to keep of it."""
        return {
            "decision": "combined",
            "decision_scale": self.scales[0],
            "partner_scale": self.scales[1],
            "partner_share": self.share,
            "risk_precision": self.risk[0],
            "risk_ratio": self.risk[1],
            "consensus_list": _LIST,
        }


@dataclass(frozen=True, eq=False)
class CombinationScores:
    """Statistics of a dev set: of either model alone, and of every setting."""

    metric: Bleu
    alone: NDArray[np.float64]
    sums: NDArray[np.float64]

    @property
    def scores_alone(self) -> list[float]:
        return [float(score) for score in self.metric.corpus_scores(self.alone)]

    @cached_property
    def best(self) -> TriedCombination:
        """Of equal settings the first."""
        scores = self.metric.corpus_scores(self.sums)
        chosen = int(np.argmax(scores))
        first, second, share = _MIXES[chosen // len(_RISKS)]
        risk = _RISKS[chosen % len(_RISKS)]
        return TriedCombination((first, second), share, risk, float(scores[chosen]))


def try_combinations(
    model: Model,
    partner: Model,
    dev: DevSet,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CombinationScores:
    """Both models with their own search settings."""
    metric = Bleu(dev.references, BleuOptions(tokenize="none"))
    alone = np.zeros((2, metric.columns))
    sums = np.zeros((len(_MIXES) * len(_RISKS), metric.columns))
    for i, lists in enumerate(_lists(model, partner, dev.source, threads)):
        chosen = _choices(lists)
        best = [lists.distinct.index(one[0]) for one in lists.candidates]
        needed, places = np.unique(np.concatenate([best, chosen]), return_inverse=True)
        texts = [" ".join(lists.distinct[k]) for k in needed]
        rows = metric.statistics(texts, [i] * len(texts))[places]
        alone += rows[:2]
        sums += rows[2:]
        progress(i + 1, len(dev))
    return CombinationScores(metric, alone, sums)


def _lists(
    model: Model, partner: Model, source: Sequence[str], threads: int
) -> Iterator[PooledLists]:
    decoders = (model.decoder(), partner.decoder())
    for begin in range(0, len(source), _BATCH * threads):
        lines = source[begin : begin + _BATCH * threads]
        searches = (decoder.search(lines, threads=threads) for decoder in decoders)
        for results in zip(*searches, strict=True):
            yield pooled(results, _LIST)[0]


def _choices(lists: PooledLists) -> NDArray[np.intp]:
    """The candidate of every setting, in the order of `_MIXES` and then of `_RISKS`."""
    factors = np.stack([risk_factors(*risk) for risk in _RISKS], axis=1)
    first, second = ({scale: lists.features(m, scale) for scale in _SCALES} for m in range(2))
    return np.concatenate([
        (mixed([first[one], second[other]], (1 - share, share)) @ factors).argmax(axis=0)
        for one, other, share in _MIXES
    ])  # fmt: skip
