"""The options that all tuning methods share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from demotic.options import Options, option

__all__ = ["PATIENCE", "Gain", "Keep", "TuneOptions"]

Gain = Literal["none", "partial", "potential"]
Keep = Literal["best", "last"]

PATIENCE = 4  # rounds, if the best weights are kept


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Options):
    """How long to tune, on what, and which weights to keep. Methods have further options."""

    rounds: int = option(12, "maximum number of tuning rounds", minimum=1)
    patience: int | None = option(
        None,
        "stop when the score of the set that the weights are chosen on has not improved for this "
        "many rounds; 0 disables (default: 4 if the best weights are kept, 0 if the last)",
        minimum=0,
    )
    min_bleu: float = option(
        1.0,
        "refuse to tune a model whose BLEU on the tuning set or dev set is lower; 0 disables",
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
    tune_sparse: bool | None = option(
        None,
        "tune every sparse weight by itself instead of a common weight of all (default: only with "
        "--features)",
    )
    min_change: float = option(
        1e-5, "stop when no weight, at unit L1 norm, changes by more", minimum=0
    )
    keep: Keep | None = option(
        None,
        "weights to keep: those that scored best on the dev set (without one, on the tuning set), "
        "or the last (default: best with a dev set; without one, last for search-aware tuning, rm, "
        "rm-cp and forest-mira, best for other methods)",
    )
    seed: int = option(1, "random seed", minimum=0)

    def with_defaults(self, *, has_dev_set: bool, keeps_last: bool) -> TuneOptions:
        """Decides which weights to keep, and the patience, where nothing was given.

        Search-aware tuning and some learners (`keeps_last`) are not expected to score best on the
        tuning set itself (Liu & Huang 2014; Eidelman et al. 2013), so that its score is a poor
        reason to prefer an earlier round.
        """
        last = not has_dev_set and (keeps_last or self.search_aware != "none")
        keep = self.keep or ("last" if last else "best")
        patience = PATIENCE if keep == "best" else 0
        return replace(
            self,
            keep=keep,
            patience=patience if self.patience is None else self.patience,
            tune_sparse=bool(self.tune_sparse),
        )
