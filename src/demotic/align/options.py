"""The settings of a word aligner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.options import Options, option

__all__ = ["AlignOptions", "ModelName", "SymmetrizationName"]

ModelName = Literal["ibm1", "diagonal", "hmm"]
SymmetrizationName = Literal["gdfa", "gdf", "gd", "intersection", "union", "forward", "backward"]


@dataclass(frozen=True, kw_only=True)
class AlignOptions(Options):
    """How word alignments are learnt and read off.

    The defaults were chosen by alignment error rate (`python -m benchmarks.align`): agreement is
    worth 0.06, a prior 0.04 for the diagonal model; the HMM's other settings lie on a plateau
    where each moves the rate by less than 0.01. A prior and agreement do not go together:
    products of posteriors make small counts, which a prior takes for nothing.
    """

    model: ModelName = option("hmm", "the alignment model")
    initial_model: Literal["ibm1", "diagonal"] = option("ibm1", "what the HMM starts from")
    iterations: int = option(5, "passes over the text with the model", minimum=1)
    initial_iterations: int = option(4, "passes with the initial model, for the HMM", minimum=0)
    symmetrize: SymmetrizationName = option(
        "gdfa", "how the two directions become one; gdfa is grow-diag-final-and", core=None
    )
    posterior: float = option(
        0.0,
        "take all links at least so probable, instead of the likeliest alignment; 0 is off",
        minimum=0,
        maximum=1,
        core=None,  # the links are read off after training
    )
    null_probability: float = option(
        0.08, "share of words that translate nothing", minimum=1e-6, maximum=0.999
    )
    alpha: float | None = option(
        None,
        "Dirichlet prior of the translations (variational Bayes), 0 for none; "
        "by default 0.01 for the diagonal model, else 0",
        minimum=0,
    )
    agree: bool | None = option(
        None,
        "train the two directions to agree; by default for ibm1 and hmm without --l0",
    )
    l0: bool = option(False, "prefer few translations a word (smoothed l0 norm)")
    l0_alpha: float = option(10.0, "weight of the l0 norm", minimum=0)
    l0_beta: float = option(0.05, "how smooth the l0 norm is", minimum=1e-6)
    tension: float = option(4.0, "pull to the diagonal, first value", minimum=0.1, maximum=14)
    optimize_tension: bool = option(True, "fit the pull to the diagonal")
    max_jump: int = option(10, "wider jumps of the HMM share one weight", unit="words", minimum=1)
    jump_uniform: float = option(
        0.02, "share of jumps of the HMM that go anywhere", minimum=0, maximum=0.999
    )
    max_length: int = option(
        500,
        "longer sentences are not learnt from, and are aligned in pieces",
        unit="words",
        minimum=1,
        maximum=10_000,
    )
    max_cells: int = option(
        1 << 29,
        "pairs of positions whose table entries are kept in memory (4 bytes each); "
        "others are looked up in every pass",
        minimum=0,
    )

    @property
    def alpha_used(self) -> float:
        """`alpha`, or its default for the model."""
        if self.alpha is not None:
            return self.alpha
        return 0.01 if self.model == "diagonal" and not self.agree_used else 0.0

    @property
    def agree_used(self) -> bool:
        """`agree`, or its default for the model."""
        if self.agree is not None:
            return self.agree
        return self.model != "diagonal" and not self.l0
