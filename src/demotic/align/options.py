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
    """How word alignments are learnt and read off."""

    model: ModelName = option("hmm", "the alignment model")
    initial_model: Literal["ibm1", "diagonal"] = option("ibm1", "what the HMM starts from")
    iterations: int = option(5, "passes over the text with the model", minimum=1)
    initial_iterations: int = option(5, "passes with the initial model, for the HMM", minimum=0)
    symmetrize: SymmetrizationName = option(
        "gdfa", "how the two directions become one; gdfa is grow-diag-final-and"
    )
    posterior: float = option(
        0.0,
        "take all links at least so probable, instead of the likeliest alignment; 0 is off",
        minimum=0,
        maximum=1,
    )
    null_probability: float = option(
        0.08, "share of words that translate nothing", minimum=1e-6, maximum=0.999
    )
    alpha: float = option(
        0.0,
        "Dirichlet prior of the translations (variational Bayes); 0 is maximum likelihood",
        minimum=0,
    )
    agree: bool = option(False, "train the two directions to agree")
    l0: bool = option(False, "prefer few translations a word (smoothed l0 norm)")
    l0_alpha: float = option(10.0, "weight of the l0 norm", minimum=0)
    l0_beta: float = option(0.05, "how smooth the l0 norm is", minimum=1e-6)
    tension: float = option(4.0, "pull to the diagonal, first value", minimum=0.1, maximum=14)
    optimize_tension: bool = option(True, "fit the pull to the diagonal")
    max_jump: int = option(10, "wider jumps of the HMM share one weight", unit="words", minimum=1)
    jump_uniform: float = option(
        0.1, "share of jumps of the HMM that go anywhere", minimum=0, maximum=0.999
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
