"""Learners: weights and evidence in, weights out."""

from demotic.learn.evidence import Pool
from demotic.learn.forest_evidence import ForestEvidence, ForestLearner
from demotic.learn.forest_mira import ForestMira
from demotic.learn.hgmert import HypergraphMert
from demotic.learn.learner import Learner, LearnerResult, Metric
from demotic.learn.merge import merge
from demotic.learn.mert import Mert
from demotic.learn.mira import Mira
from demotic.learn.pro import Pro
from demotic.learn.rampion import Rampion
from demotic.learn.rm import RelativeMargin

__all__ = [
    "ForestEvidence",
    "ForestLearner",
    "ForestMira",
    "HypergraphMert",
    "Learner",
    "LearnerResult",
    "Mert",
    "Metric",
    "Mira",
    "Pool",
    "Pro",
    "Rampion",
    "RelativeMargin",
    "merge",
]
