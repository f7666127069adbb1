"""Metrics: BLEU, TER and chrF from additive statistics, and significance tests."""

from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.chrf import Chrf, ChrfOptions
from demotic.metrics.evaluation import Evaluation, evaluate, make_metric
from demotic.metrics.metric import Metric
from demotic.metrics.named import METRICS, MetricChoice
from demotic.metrics.options import EvaluateOptions
from demotic.metrics.pseudo_document import PseudoDocument
from demotic.metrics.references import References
from demotic.metrics.ter import Ter, TerOptions
from demotic.metrics.ter_bleu import TerBleu

__all__ = [
    "METRICS",
    "Bleu",
    "BleuOptions",
    "Chrf",
    "ChrfOptions",
    "EvaluateOptions",
    "Evaluation",
    "Metric",
    "MetricChoice",
    "PseudoDocument",
    "References",
    "Ter",
    "TerBleu",
    "TerOptions",
    "evaluate",
    "make_metric",
]
