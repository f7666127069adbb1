"""What all methods of tuning share: how long, on what, and which weights stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.options import Options, option

__all__ = ["Gain", "TuneOptions"]

Gain = Literal["none", "partial", "potential"]


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Options):
    """How long, on what, and which weights stay. The methods have options of their own."""

    rounds: int = option(12, "maximum number of tuning rounds", minimum=1)
    patience: int = option(
        4,
        "stop when the score of the tuning set has not improved for this many rounds; 0 disables",
        minimum=0,
    )
    min_bleu: float = option(
        1.0,
        "stop with the likely reason if the tuning set scores less BLEU before tuning; 0 disables",
        minimum=0,
    )
    nbest: int = option(100, "candidates of a sentence in a round", minimum=2)
    search_aware: Gain = option(
        "none", "learn from every bin of the search, by what hypotheses say or may become"
    )
    bin_weight: Literal["shared", "equal"] = option(
        "shared",
        "what the bins of a sentence before its last count in search-aware tuning: together as "
        "much as the last, or each as much",
    )
    max_words: int | None = option(
        None, "leave out longer sentences; search-aware PRO leaves out those above 9", minimum=1
    )
    ref_length: Literal["closest", "shortest", "average"] = option(
        "closest", "which of several references BLEU's brevity is judged by"
    )
    pool_limit: int = option(
        2000, "candidates that a list keeps over the rounds, the newest", minimum=2
    )
    forest_density: float | None = option(
        None,
        "edges that a forest keeps for each of its best derivation; without, hgmert keeps 20, "
        "forest-mira all",
        minimum=1,
    )
    min_change: float = option(1e-5, "stop when no weight of unit L1 norm moves by more", minimum=0)
    keep: Literal["best", "last"] = option(
        "best", "the weights whose search scored best on the tuning set, or the last ones"
    )
    seed: int = option(1, "start of the random numbers", minimum=0)
