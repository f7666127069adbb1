"""Schemes of parallel learning: how the shards of a margin learner interact.

`mixing`       each learns a part of a sweep, then their weights are averaged and redistributed
               (iterative parameter mixing, McDonald, Hall & Mann 2010)
`independent`  no interaction until the end of the update, where they are averaged (the ablation of
               Chiang, Marton & Resnik 2008)
`minibatch`    each takes a sentence with the same weights, and their steps are averaged (Zhao &
               Huang 2013)
`shared`       each takes a sentence with the same weights, and one step solves all of them together
               (Chiang et al. 2008, section 2.5, in synchronous steps)

Each shard has its own pseudo-document.  The result depends on the number of shards, never on that
of threads; with one shard all schemes are the same.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["SCHEME_TEXT", "Scheme"]

Scheme = Literal["mixing", "independent", "minibatch", "shared"]
SCHEME_TEXT = (
    "how shards interact: averaged after every pass, averaged at the end, one sentence each with "
    "averaged steps, or one sentence each with a joint step"
)
