"""The settings of a word aligner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

from demotic.errors import InputError
from demotic.options import Options, declared, option, parsed

__all__ = [
    "DEFAULT_ALIGNERS",
    "AlignOptions",
    "ModelName",
    "SymmetrizationName",
    "aligner_names",
    "aligners",
]

ModelName = Literal["ibm1", "diagonal", "hmm"]
SymmetrizationName = Literal["gdfa", "gdf", "gd", "intersection", "union", "forward", "backward"]


@dataclass(frozen=True, kw_only=True)
class AlignOptions(Options):
    """How word alignments are learnt and extracted.

    The defaults were chosen by alignment error rate (`python -m benchmarks.align`): agreement
    lowers it by 0.06, the prior by 0.04 for the diagonal model; the HMM's other settings each
    change it by less than 0.01. The prior and agreement should not be combined: products of
    posteriors make small counts, which the prior removes.
    """

    model: ModelName = option("hmm", "alignment model")
    initial_model: Literal["ibm1", "diagonal"] = option("ibm1", "model that initialises the HMM")
    iterations: int = option(5, "EM iterations of the model", minimum=1)
    initial_iterations: int = option(4, "EM iterations of the HMM's initial model", minimum=0)
    symmetrize: SymmetrizationName = option(
        "gdfa", "symmetrisation heuristic; gdfa is grow-diag-final-and", core=None
    )
    posterior: float = option(
        0.0,
        "keep links with at least this posterior instead of the Viterbi alignment; 0 disables",
        minimum=0,
        maximum=1,
        core=None,  # the links are read off after training
    )
    null_probability: float = option(
        0.08, "probability of alignment to the empty word", minimum=1e-6, maximum=0.999
    )
    alpha: float | None = option(
        None,
        "Dirichlet prior on translation probabilities (variational Bayes); 0 for none; "
        "default 0.01 for the diagonal model, else 0",
        minimum=0,
    )
    agree: bool | None = option(
        None,
        "train both directions to agree (default: on for ibm1 and hmm without --l0)",
    )
    l0: bool = option(False, "prefer few translations per word (smoothed l0 norm)")
    l0_alpha: float = option(10.0, "weight of the l0 norm", minimum=0)
    l0_beta: float = option(0.05, "smoothness of the l0 norm", minimum=1e-6)
    tension: float = option(4.0, "initial diagonal tension", minimum=0.1, maximum=14)
    optimize_tension: bool = option(True, "optimise the diagonal tension")
    max_jump: int = option(
        10, "HMM jumps over more words than this share one probability", minimum=1
    )
    jump_uniform: float = option(
        0.02, "probability mass of uniformly distributed HMM jumps", minimum=0, maximum=0.999
    )
    max_length: int = option(
        500,
        "exclude longer sentences from training, and align them in pieces",
        unit="words",
        minimum=1,
        maximum=10_000,
    )
    max_cells: int = option(
        1 << 29,
        "position pairs whose table entries are kept in memory (4 bytes each); "
        "the others are looked up in every iteration",
        minimum=0,
    )
    memory: int = option(
        0,
        "memory for training, like 4G: fewer position pairs are kept where it is short; 0 for no "
        "limit",
        unit="bytes",
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


# Those of `demotic build`, chosen by the mean BLEU of several tasks (docs/tables-results.md).
DEFAULT_ALIGNERS = (AlignOptions(), AlignOptions(model="diagonal"))


def aligners(names: str) -> tuple[AlignOptions, ...]:
    """Aligners from text like `hmm,diagonal` or `hmm:posterior=0.4`. Raises InputError."""
    found = tuple(map(_aligner, names.split(",")))
    if len(set(found)) < len(found):
        raise InputError(f"the aligners {names}", expected="each aligner once")
    return found


def _aligner(text: str) -> AlignOptions:
    """From `MODEL` or `MODEL:OPTION=VALUE:...`."""
    model, *settings = text.split(":")
    given = {"model": model}
    for setting in settings:
        name, _, given[name] = setting.partition("=")
    return AlignOptions(**parsed(declared(AlignOptions), given))


def aligner_names() -> Iterator[str]:
    """What precedes the options of the first, second, ... aligner in `model.toml`."""
    return ("align" if number == 1 else f"align_{number}" for number in count(1))
