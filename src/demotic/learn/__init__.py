"""Learners map weights and evidence to new weights; the tuning loop provides evidence.

Names are imported on first use, because the --help of a verb only needs the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.learn.evidence import Pool
    from demotic.learn.forest_evidence import ForestEvidence, ForestLearner
    from demotic.learn.forest_mira import ForestMira
    from demotic.learn.hgmert import HypergraphMert
    from demotic.learn.learner import Learner, LearnerResult
    from demotic.learn.loop import tune
    from demotic.learn.merging import merge
    from demotic.learn.mert import Mert
    from demotic.learn.methods import METHODS
    from demotic.learn.mira import Mira
    from demotic.learn.options import TuneOptions
    from demotic.learn.pro import Pro
    from demotic.learn.rampion import Rampion
    from demotic.learn.rm import RelativeMargin
    from demotic.learn.runs import Tuned, TuneRequest, tune_model
    from demotic.learn.tune_result import TuneResult

_MODULES = {
    "METHODS": ".methods",
    "DevSet": ".dev_set",
    "ForestEvidence": ".forest_evidence",
    "ForestLearner": ".forest_evidence",
    "ForestMira": ".forest_mira",
    "HypergraphMert": ".hgmert",
    "Learner": ".learner",
    "LearnerResult": ".learner",
    "Mert": ".mert",
    "Mira": ".mira",
    "Pool": ".evidence",
    "Pro": ".pro",
    "Rampion": ".rampion",
    "RelativeMargin": ".rm",
    "TuneOptions": ".options",
    "TuneRequest": ".runs",
    "TuneResult": ".tune_result",
    "Tuned": ".runs",
    "merge": ".merging",
    "tune": ".loop",
    "tune_model": ".runs",
}

__all__ = [
    "METHODS",
    "DevSet",
    "ForestEvidence",
    "ForestLearner",
    "ForestMira",
    "HypergraphMert",
    "Learner",
    "LearnerResult",
    "Mert",
    "Mira",
    "Pool",
    "Pro",
    "Rampion",
    "RelativeMargin",
    "TuneOptions",
    "TuneRequest",
    "TuneResult",
    "Tuned",
    "merge",
    "tune",
    "tune_model",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
