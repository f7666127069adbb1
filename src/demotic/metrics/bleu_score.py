"""BLEU from counts (Papineni et al. 2002), for any number of rows at once.

Smoothing follows sacrebleu (Chen & Cherry 2014): `floor`, `add-k`, `exp`; `add-all` also adds to
unigrams (Moses).  A row is matches of n = 1..4, n-grams of n = 1..4 and the reference length, here
in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["ORDER", "Smoothing", "bleu_scores", "brevity_penalties", "precisions"]

ORDER = 4
Floats = NDArray[np.float64]
Method = Literal["none", "floor", "add-k", "add-all", "exp"]


@dataclass(frozen=True)
class Smoothing:
    """How zero counts are smoothed."""

    method: Method = "none"
    value: float = 0.0  # of floor, add-k and add-all
    brevity: float = 0.0  # added to the reference length (Nakov et al. 2012)
    effective_order: bool = False  # omit orders longer than the candidate


def precisions(rows: NDArray[Any], smoothing: Smoothing) -> Floats:
    """Precisions of n = 1..4; 0 where a candidate is too short for n."""
    matches = rows[..., :ORDER].astype(np.float64)
    totals = rows[..., ORDER : 2 * ORDER].astype(np.float64)
    if smoothing.method in ("add-k", "add-all"):
        begin = 1 if smoothing.method == "add-k" else 0
        matches[..., begin:] += smoothing.value
        totals[..., begin:] += smoothing.value
    missing = (matches == 0) & (totals > 0)
    if smoothing.method == "floor":
        matches[missing] = smoothing.value
    elif smoothing.method == "exp":
        # Every order without a match counts half as much as the previous one would.
        matches = np.where(missing, 0.5 ** np.cumsum(missing, axis=-1), matches)
    result: Floats = np.divide(matches, totals, out=np.zeros_like(matches), where=totals > 0)
    return result


def brevity_penalties(rows: NDArray[Any], smoothing: Smoothing) -> Floats:
    words = rows[..., ORDER].astype(np.float64)
    length = rows[..., 2 * ORDER] + smoothing.brevity
    short = words < length
    ratio = np.divide(length, words, out=np.full(words.shape, np.inf), where=words > 0)
    return np.where(short, np.exp(1 - np.where(short, ratio, 1.0)), 1.0)


def bleu_scores(rows: NDArray[Any], smoothing: Smoothing) -> Floats:
    """In [0, 1]; 0 without words, or without any match unless that is smoothed."""
    parts = precisions(rows, smoothing)
    used = np.ones(parts.shape, bool)
    if smoothing.effective_order and not smoothing.method.startswith("add"):
        used = rows[..., ORDER : 2 * ORDER] > 0
    orders = np.maximum(used.sum(axis=-1), 1)
    good = rows[..., ORDER] > 0
    if smoothing.method != "add-all":
        good &= (rows[..., :ORDER] > 0).any(axis=-1)
    good &= ((parts > 0) | ~used).all(axis=-1)
    logs = np.log(np.where(used & good[..., None], parts, 1.0)).sum(axis=-1) / orders
    return np.where(good, brevity_penalties(rows, smoothing) * np.exp(logs), 0.0)
