"""The options of `evaluate`, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.metrics.bleu import ReferenceLengthName
from demotic.metrics.tokens import TokenizeName
from demotic.options import Options, option

__all__ = ["EvaluateOptions"]


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Options):
    """How translations are scored and compared."""

    tokenize: TokenizeName = option(
        "13a", "tokenisation for BLEU; none if the text is already tokenised"
    )
    lowercase: bool = option(False, "ignore case (TER always does, as in sacrebleu)")
    ter_asian: bool = option(
        False, "TER by characters in Chinese and Japanese, which have no spaces between words"
    )
    ref_length: ReferenceLengthName = option(
        "closest", "reference length for BLEU's brevity penalty"
    )
    samples: int = option(1000, "bootstrap samples", minimum=1, maximum=1_000_000)
    trials: int = option(10_000, "trials of approximate randomisation", minimum=1)
    confidence: float = option(
        95.0, "confidence level of the interval", unit="%", minimum=1, maximum=99.9
    )
    seed: int = option(1, "random seed", minimum=0)
    verify: bool = option(False, "also score with sacrebleu, and fail if it differs")
