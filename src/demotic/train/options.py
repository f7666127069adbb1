"""How a model is trained on its bitext."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from demotic.options import Options, option

if TYPE_CHECKING:
    from demotic import _core

__all__ = ["TrainOptions"]


@dataclass(frozen=True, kw_only=True)
class TrainOptions(Options):
    """Which violations are fixed, how, and for how long."""

    method: Literal["max-violation", "early", "standard", "local", "skip"] = option(
        "max-violation", "where the search is corrected"
    )
    epochs: int = option(10, "maximum number of passes over the training pairs", minimum=1)
    patience: int = option(
        3,
        "stop when the score of the dev set has not improved for this many epochs; 0 disables",
        minimum=0,
    )
    min_bleu: float = option(
        1.0,
        "stop with the likely reason if the dev set scores less BLEU before training; 0 disables",
        minimum=0,
    )
    batch: int = option(24, "sentences that are searched with the same weights", minimum=1)
    combine: Literal["average", "sum"] = option("average", "how the updates of a batch are joined")
    start: Literal["model", "zero"] = option("model", "dense weights to begin with")
    start_norm: float | None = option(
        None, "L1 norm that the first dense weights are brought to", minimum=0
    )
    rate: float = option(10.0, "step size of sparse features", minimum=0)
    dense_rate: float = option(0.0, "step size of dense features; 0: they do not move", minimum=0)
    dense_scale: Literal["none", "rms"] = option(
        "none", "rms: a dense feature moves less the more its values vary"
    )
    average: bool = option(True, "keep the average of all batches' weights, not the last ones")
    balance: bool = option(
        True, "after each epoch, find the weight of all sparse features together on the dev set"
    )
    future: bool = option(True, "compare partial translations with their future costs (phrases)")
    dead_ends: Literal["ignored", "bad"] = option(
        "ignored", "what agrees with the reference but cannot be completed to it (phrases)"
    )
    prefixes: bool = option(
        False, "use reachable beginnings of pairs that are not reached (phrases)"
    )
    unreached: Literal["local", "skip"] = option(
        "local",
        "pairs whose references are not derived: learn from them by local updates, or skip them",
    )
    held_out: Literal["folds", "leave-one-out", "none"] = option(
        "folds",
        "what a pair is searched without: all that was made from its part of the bitext, the rules "
        "that it alone gave, or nothing",
    )
    folds: int = option(5, "parts of the bitext", minimum=2)
    max_words: int = option(60, "leave out longer pairs", unit="words", minimum=1)
    length_ratio: float | None = option(
        None, "set the word penalty so that the dev set gets this length, as a share", minimum=0.1
    )
    ref_length: Literal["closest", "shortest", "average"] = option(
        "closest", "which of several references BLEU's brevity is judged by"
    )
    keep: Literal["best", "best-epoch", "last"] = option(
        "best",
        "the weights that scored best on the dev set, the start included; the best epoch in any "
        "case, for a tuning that follows; or the last epoch",
    )
    seed: int = option(1, "start of the random numbers", minimum=0)

    def violations(self) -> _core.ViolationOptions:
        from demotic import _core

        options = _core.ViolationOptions()
        options.rule = _core.UpdateRule[self.method.replace("-", "_")]
        options.future = self.future
        options.dead_ends_bad = self.dead_ends == "bad"
        return options
