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

    tokenize: TokenizeName = option("13a", "how BLEU cuts text; none: it is cut already")
    lowercase: bool = option(False, "ignore case (TER always does, as sacrebleu)")
    ref_length: ReferenceLengthName = option("closest", "reference length of BLEU")
    samples: int = option(1000, "bootstrap samples", minimum=1, maximum=1_000_000)
    trials: int = option(10_000, "trials of approximate randomisation", minimum=1)
    confidence: float = option(95.0, "of the interval", unit="%", minimum=1, maximum=99.9)
    seed: int = option(1, "start of the random numbers", minimum=0)
    verify: bool = option(False, "score with sacrebleu as well, and refuse if it differs")
