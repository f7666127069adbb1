"""The score computed by sacrebleu itself, for verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.metrics.bleu import Bleu
from demotic.metrics.chrf import Chrf
from demotic.metrics.ter import Ter

if TYPE_CHECKING:
    from demotic.metrics.metric import Metric

__all__ = ["sacrebleu_score"]


def sacrebleu_score(metric: Metric, lines: list[str]) -> float | None:
    """None if sacrebleu does not define what `metric` computes."""
    from sacrebleu.metrics.base import Metric as Theirs
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    theirs: Theirs
    match metric:
        case Bleu(options=options) if options.reference_length == "closest":
            theirs = BLEU(
                tokenize=options.tokenize,
                lowercase=options.lowercase,
                smooth_method=options.smoothing,
                force=True,
            )
        case Ter(options=options):
            theirs = TER(
                normalized=options.normalized,
                no_punct=options.no_punct,
                asian_support=options.asian_support,
                case_sensitive=options.case_sensitive,
            )
        case Chrf(options=options):
            theirs = CHRF(
                char_order=options.char_order,
                word_order=options.word_order,
                beta=options.beta,
                lowercase=options.lowercase,
            )
        case _:
            return None
    return float(theirs.corpus_score(lines, metric.references.streams).score)
