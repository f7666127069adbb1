"""Schemes of parallel learning: what the shards of a margin learner have to do with each other.

`mixing`       each learns a part of a sweep, then their weights are averaged and given out again
               (iterative parameter mixing, McDonald, Hall & Mann 2010)
`independent`  nothing, until the end of the update, where they are averaged (the ablation of
               Chiang, Marton & Resnik 2008)
`minibatch`    each takes a sentence with the same weights, the mean of their steps is taken (Zhao &
               Huang 2013)
`shared`       each takes a sentence with the same weights, one step solves what all of them found
               (Chiang et al. 2008, 2.5, in synchronous steps)

Each shard has a pseudo-document of its own.  The result depends on the number of shards, never on
that of threads; with one shard there is no difference.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["SCHEME_TEXT", "Scheme"]

Scheme = Literal["mixing", "independent", "minibatch", "shared"]
SCHEME_TEXT = (
    "shards averaged after every pass, or at the end; or taking a sentence each with the same "
    "weights, for the mean of their steps, or one step for all that they found"
)
