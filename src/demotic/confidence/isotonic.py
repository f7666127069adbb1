"""Isotonic regression and measures of a confidence: ranking and calibration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["area_under_roc", "calibration_error", "isotonic_points"]

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]

# Scores that are equal in these digits are ties: the last digits of a sum of posteriors depend on
# the order of the edges of a forest.
_DIGITS = 6


def isotonic_points(scores: Floats, correct: Labels) -> tuple[Floats, Floats]:
    """A rising curve from scores to the probability of being correct, as points to interpolate.

    Pools adjacent violators (Ayer et al. 1955), starting from the distinct scores: the values
    minimise the squared error among all rising curves. Each block is a point at its mean score. One
    correct word with the lowest and one wrong word with the highest score are added, so that no
    probability is 0 or 1.
    """
    scores = scores.round(_DIGITS)
    scores = np.concatenate([scores, [scores.min(), scores.max()]])
    labels = np.concatenate([correct, [True, False]]).astype(np.float64)
    order = np.argsort(scores, kind="stable")
    distinct, first = np.unique(scores[order], return_index=True)
    sums = np.add.reduceat(labels[order], first)
    sizes = np.diff([*first, len(scores)]).astype(np.float64)
    blocks: list[list[float]] = []  # correct words, words, sum of scores
    for block in zip(sums, sizes, sizes * distinct, strict=True):
        blocks.append(list(map(float, block)))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    made = np.array(blocks)
    return made[:, 2] / made[:, 1], made[:, 0] / made[:, 1]


def area_under_roc(scores: Floats, correct: Labels) -> float:
    """The probability that a correct word has a higher score than a wrong one; ties count half."""
    _, place, sizes = np.unique(scores.round(_DIGITS), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[place]
    right = int(correct.sum())
    wrong = len(correct) - right
    if not right or not wrong:
        return 0.5
    return float((ranks[correct].sum() - right * (right + 1) / 2) / (right * wrong))


def calibration_error(confidences: Floats, correct: Labels, bins: int = 10) -> float:
    """Expected calibration error: mean of |confidence - share of correct words| over words.

    Bins hold equally many words (Nixon et al. 2019), so that each of their shares is reliable.
    """
    order = np.argsort(confidences, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [abs(confidences[part].mean() - correct[part].mean()) * len(part) for part in parts]
    return float(sum(gaps) / max(1, len(correct)))
