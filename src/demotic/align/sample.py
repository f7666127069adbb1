"""Chooses pairs at random from texts of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from demotic.align.pair_text import PairText

__all__ = ["choose_pairs"]


def choose_pairs(texts: Sequence[PairText], size: int, seed: int) -> NDArray[np.bool_]:
    """A mask over all pairs, true for `size` of them, each equally likely; all if there are fewer.

    Reads the texts once to count their pairs.
    """
    total = sum(text.count() for text in texts)
    chosen = np.zeros(total, np.bool_)
    if size >= total:
        chosen[:] = True
    else:
        chosen[np.random.default_rng(seed).choice(total, size, replace=False)] = True
    return chosen
