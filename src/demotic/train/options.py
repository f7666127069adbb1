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
_GAIN_SCALE = 1.0  # of hope and fear: Bleu+1 times the length of the reference times this
_LENGTH = 0.97  # length ratio on the dev set when training from zero (Zhao et al. 2014, note 3)


@dataclass(frozen=True, kw_only=True)
class TrainOptions(Options):
    """Which violations are fixed, how, and for how long."""

    method: Literal["max-violation", "early", "standard", "local", "skip"] = option(
        "max-violation", "update rule: which violation is fixed"
    )
    epochs: int = option(5, "maximum number of passes over the training pairs", minimum=1)
    patience: int = option(
        3,
        "with --keep best and best-epoch, stop when the score on the dev set has not improved for "
        "this many epochs; 0 disables",
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
    unreachable: Literal["local", "hope-fear", "skip"] = option(
        "local",
        "unreachable pairs: update towards the best survivor of the last bin, update from fear to "
        "hope of a k-best list, or skip them",
    )
    unreachable_k: int = option(
        100, "size of the k-best list of an unreachable pair (hope-fear)", minimum=2
    )
    held_out: Literal["folds", "leave-one-out", "none"] = option(
        "folds",
        "what is held out when decoding a training pair: everything from its fold, the rules seen "
        "only in that pair, or nothing",
    )
    folds: int = option(5, "number of folds", minimum=2)
    max_words: int = option(60, "skip longer pairs", unit="words", minimum=1)
    length_ratio: float | None = option(
        None,
        "after each epoch, adjust the word penalty of the scored and kept weights until "
        "translations of the dev set have this length, relative to the references; 0 disables "
        f"(default: {_LENGTH:g} with --start zero, else 0)",
        minimum=0,
    )
    ref_length: Literal["closest", "shortest", "average"] = option(
        "closest", "reference length for BLEU's brevity penalty"
    )
    keep: Literal["best", "best-epoch", "last"] = option(
        "last",
        "weights to keep: last epoch (to be tuned afterwards), best epoch on the dev set, or best "
        "on the dev set including the start",
    )
    seed: int = option(1, "random seed", minimum=0)

    @property
    def dev_length(self) -> float:
        """The length ratio of the dev set that the word penalty is adjusted to; 0 for none.

        Tuned weights have a word penalty of the right size; a perceptron's own has not.
        """
        if self.length_ratio is not None:
            return self.length_ratio
        return _LENGTH if self.start == "zero" else 0.0

    def violations(self) -> _core.ViolationOptions:
        from demotic import _core

        return to_native(
            _core.ViolationOptions,
            rule=self.method,
            by_score=self.compare_by == "score",
            dead_ends_bad=self.dead_ends == "bad",
            depth=_DEPTH,
            kbest=self.unreachable_k if self.unreachable == "hope-fear" else 0,
            gain_scale=_GAIN_SCALE,
        )
