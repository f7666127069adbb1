"""The options that all tuning methods share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.options import Options, option

__all__ = ["Gain", "TuneOptions"]

Gain = Literal["none", "partial", "potential"]


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Options):
    """How long to tune, on what, and which weights to keep. Methods have further options."""

    rounds: int = option(12, "maximum number of tuning rounds", minimum=1)
    patience: int = option(
        4,
        "stop when the score on the tuning set has not improved for this many rounds; 0 disables",
        minimum=0,
    )
    min_bleu: float = option(
        1.0,
        "refuse to tune a model whose BLEU on the tuning set is lower; 0 disables",
        minimum=0,
    )
    nbest: int = option(100, "size of the k-best lists", minimum=2)
    search_aware: Gain = option(
        "none",
        "search-aware tuning: learn from the hypotheses of every bin, scored by their partial "
        "yields or by the yields of their best completions",
    )
    bin_weight: Literal["shared", "equal"] = option(
        "shared",
        "weight of the bins before the last in search-aware tuning: together as much as the last, "
        "or each as much",
    )
    max_words: int | None = option(
        None, "skip longer sentences (default: none; 9 for search-aware PRO)", minimum=1
    )
    ref_length: Literal["closest", "shortest", "average"] = option(
        "closest", "reference length for BLEU's brevity penalty"
    )
    pool_limit: int = option(
        2000, "candidates kept per list over the rounds, preferring the newest", minimum=2
    )
    forest_density: float | None = option(
        None,
        "prune forests to this many edges per edge of the 1-best derivation (default: 20 for "
        "hgmert, no pruning for forest-mira)",
        minimum=1,
    )
    tune_sparse: bool = option(
        False,
        "tune every sparse weight by itself instead of a common weight of all (default with "
        "--features)",
    )
    min_change: float = option(
        1e-5, "stop when no weight, at unit L1 norm, changes by more", minimum=0
    )
    keep: Literal["best", "last"] = option(
        "best", "keep the weights that scored best on the tuning set, or the last"
    )
    seed: int = option(1, "random seed", minimum=0)
