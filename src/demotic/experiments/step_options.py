"""The options of a step in the form that search, tuning and training take."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from demotic.experiments.settings import SystemSettings, TrainStep, TuneStep
from demotic.features import Templates
from demotic.learn.options import TuneOptions
from demotic.options import declared
from demotic.search.options import SearchOptions
from demotic.train.options import TrainOptions

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["given_search", "needs_trees", "train_options", "tune_options"]


def given_search(system: SystemSettings, kind: str) -> dict[str, Any]:
    """All search settings that a kind of model has, so that none is taken from a model."""
    return {
        one.name: getattr(system.search, one.name)
        for one in declared(SearchOptions)
        if one.kind in ("", kind)
    }


def tune_options(step: TuneStep) -> TuneOptions:
    return TuneOptions(**{one.name: getattr(step, one.name) for one in fields(TuneOptions)})


def train_options(step: TrainStep, **changed: Any) -> TrainOptions:
    known = {one.name: getattr(step, one.name) for one in fields(TrainOptions)}
    return TrainOptions(**{**known, **changed})


def needs_trees(model: Model, features: str = "") -> bool:
    """Whether the model or new features look at source trees."""
    if model.sparse is not None and model.sparse.features.has_constituents:
        return True
    return features not in ("", "none") and bool(Templates.find(features).trees)
