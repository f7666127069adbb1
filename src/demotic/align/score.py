"""Alignment quality: precision, recall and alignment error rate (Och and Ney 2003).

    precision = |A & P| / |A|    recall = |A & S| / |S|
    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|)

for found links A, sure links S and possible links P.  The interval is bootstrapped over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic._core import Alignments
from demotic.align.gold import Gold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AlignmentScore", "link_counts", "score_alignments", "score_counts"]


@dataclass(frozen=True)
class AlignmentScore:
    """Scores between 0 and 1, and the 95 % confidence interval of the error rate."""

    precision: float
    recall: float
    aer: float
    aer_low: float
    aer_high: float
    pairs: int

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.4f}  recall {self.recall:.4f}  AER {self.aer:.4f} "
            f"[{self.aer_low:.4f}, {self.aer_high:.4f}]  on {self.pairs} pairs"
        )


def link_counts(found: Alignments, gold: Gold) -> NDArray[np.int64]:
    """|A|, |S|, |A & S| and |A & P| of each pair."""
    import numpy as np

    if len(found) != len(gold):
        raise ValueError(f"found links for {len(found)} sentence pairs, gold links for {len(gold)}")
    rows = []
    for k in range(len(found)):
        links, sure, possible = set(found[k]), set(gold.sure[k]), set(gold.possible[k])
        rows.append((len(links), len(sure), len(links & sure), len(links & possible)))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _error_rate(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    import numpy as np

    found, sure, in_sure, in_possible = np.moveaxis(sums, -1, 0)
    rate: NDArray[np.float64] = 1 - (in_sure + in_possible) / np.maximum(found + sure, 1)
    return np.where(found + sure > 0, rate, 0.0)


def score_counts(
    counts: NDArray[np.int64], *, resamples: int = 1000, seed: int = 1
) -> AlignmentScore:
    """The scores of counts, which may come from several gold sets."""
    import numpy as np

    found, sure, in_sure, in_possible = (int(total) for total in counts.sum(axis=0))
    pairs = len(counts)
    low = high = float(_error_rate(counts.sum(axis=0)))
    if pairs > 0:
        draws = np.random.default_rng(seed).integers(pairs, size=(resamples, pairs))
        rates = _error_rate(np.stack([counts[draw].sum(axis=0) for draw in draws]))
        low, high = (float(bound) for bound in np.quantile(rates, (0.025, 0.975)))
    return AlignmentScore(
        precision=in_possible / found if found else 1.0,
        recall=in_sure / sure if sure else 1.0,
        aer=float(_error_rate(counts.sum(axis=0))),
        aer_low=low,
        aer_high=high,
        pairs=pairs,
    )


def score_alignments(
    found: Alignments, gold: Gold, *, resamples: int = 1000, seed: int = 1
) -> AlignmentScore:
    """Scores links against the gold links of the same sentence pairs."""
    return score_counts(link_counts(found, gold), resamples=resamples, seed=seed)
