"""The options of training on the bitext."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from demotic.native_options import to_native
from demotic.options import Options, option

if TYPE_CHECKING:
    from demotic import _core

__all__ = ["TrainOptions"]

_DEPTH = 100  # derivations of a Hiero bin examined to find one that is not gold


@dataclass(frozen=True, kw_only=True)
class TrainOptions(Options):
    """Which violations are fixed, how, and for how long."""

    method: Literal["max-violation", "early", "standard", "local", "skip"] = option(
        "max-violation", "update rule: which violation is fixed"
    )
    epochs: int = option(10, "maximum number of passes over the training pairs", minimum=1)
    patience: int = option(
        3,
        "stop when the score on the dev set has not improved for this many epochs; 0 disables",
        minimum=0,
    )
    min_bleu: float = option(
        1.0,
        "refuse to train a model whose BLEU on the dev set is lower; 0 disables",
        minimum=0,
    )
    batch: int = option(24, "minibatch size: sentences decoded with the same weights", minimum=1)
    combine: Literal["average", "sum"] = option(
        "average", "how the updates of a minibatch are combined"
    )
    start: Literal["model", "zero"] = option("model", "initial dense weights")
    start_norm: float | None = option(
        None, "scale the initial dense weights to this L1 norm", minimum=0
    )
    rate: float = option(10.0, "step size of sparse features", minimum=0)
    dense_rate: float = option(0.0, "step size of dense features; 0 fixes them", minimum=0)
    dense_scale: Literal["none", "rms"] = option(
        "none", "scale dense updates by the root mean square of each feature"
    )
    average: bool = option(True, "average the weights over all minibatches")
    balance: bool = option(
        True, "after each epoch, choose the common weight of sparse features on the dev set"
    )
    compare_by: Literal["ranking", "score"] = option(
        "ranking",
        "compare partial translations as the search ranks them, or by score alone even if it ranks "
        "them with future cost (phrases)",
    )
    dead_ends: Literal["ignored", "bad"] = option(
        "ignored", "treatment of hypotheses that cannot be completed to the reference (phrases)"
    )
    prefixes: bool = option(False, "use reachable prefixes of unreachable pairs (phrases)")
    unreachable: Literal["local", "skip"] = option(
        "local", "unreachable pairs: use local updates, or skip them"
    )
    held_out: Literal["folds", "leave-one-out", "none"] = option(
        "folds",
        "what is held out when decoding a training pair: everything from its fold, the rules seen "
        "only in that pair, or nothing",
    )
    folds: int = option(5, "number of folds", minimum=2)
    max_words: int = option(60, "skip longer pairs", unit="words", minimum=1)
    length_ratio: float | None = option(
        None, "adjust the word penalty to this length ratio on the dev set", minimum=0.1
    )
    ref_length: Literal["closest", "shortest", "average"] = option(
        "closest", "reference length for BLEU's brevity penalty"
    )
    keep: Literal["best", "best-epoch", "last"] = option(
        "best",
        "weights to keep: best on the dev set including the start, best epoch (to be tuned "
        "afterwards), or last epoch",
    )
    seed: int = option(1, "random seed", minimum=0)

    def violations(self) -> _core.ViolationOptions:
        from demotic import _core

        return to_native(
            _core.ViolationOptions,
            rule=self.method,
            by_score=self.compare_by == "score",
            dead_ends_bad=self.dead_ends == "bad",
            depth=_DEPTH,
        )
