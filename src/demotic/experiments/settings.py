"""The tables of an experiment file, as frozen dataclasses that schema.py checks.

A system is a model and at most one learning step; `start` names the system that it continues, so
that chains such as build, tune, train, tune again are several systems.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from demotic.align.options import DEFAULT_ALIGNERS, AlignOptions
from demotic.force.options import ForceOptions
from demotic.learn.methods import DEFAULT_METHOD
from demotic.learn.options import TuneOptions
from demotic.lm.estimate import LmOptions
from demotic.options import option
from demotic.rules import RuleOptions
from demotic.schema import Condition
from demotic.search.options import SearchOptions
from demotic.train.options import TrainOptions

__all__ = [
    "BUNDLED",
    "Axis",
    "CorpusSettings",
    "ExperimentSettings",
    "ForceStep",
    "ModelSettings",
    "PlotSettings",
    "SystemSettings",
    "TableSettings",
    "TrainStep",
    "TuneStep",
]

BUNDLED = "bundled"

Scalar = int | float | str | bool
Count = Annotated[int, Condition("a whole number of at least 0", lambda value: value >= 0)]
ClassLm = Annotated[
    str, Condition("CLASSES:ORDER, such as 100:6", re.compile(r"\d+:\d+").fullmatch)
]
Positive = Annotated[int, Condition("a whole number of at least 1", lambda value: value >= 1)]


@dataclass(frozen=True, kw_only=True)
class CorpusSettings:
    """Which text: the bundled corpus, or a folder with train.SRC, train.TGT, dev.SRC and so on."""

    folder: str = BUNDLED
    source: str = ""
    """Language of the source files, as in train.zh; the bundled corpus is zh and en."""
    target: str = ""
    tokenized: bool = True
    """Whether the files hold tokens; raw text is prepared as `demotic prepare` does."""
    train: Count = 0
    """Pairs used, from the beginning of the file; 0 for all."""
    dev: Count = 0
    test: Count = 0
    held_out: Count = 0
    """Sentences at the end of the dev set that are not learnt from: they choose the weights."""


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """How a model is built."""

    kind: Literal["phrase", "hiero"] = "phrase"
    pairs: Count = 0
    """Use only the first pairs of the training text; 0 for all."""
    every: Positive = 1
    """Build from every n-th pair; training on the bitext then uses all the others."""
    rules: RuleOptions = field(default_factory=RuleOptions)
    lm: LmOptions = field(default_factory=LmOptions)
    aligners: tuple[AlignOptions, ...] = tuple(DEFAULT_ALIGNERS)
    class_lms: tuple[ClassLm, ...] = ()
    """Language models of word classes."""
    operations: Count = 0
    """Order of an operation sequence model of phrases; 0 for none."""


@dataclass(frozen=True, kw_only=True)
class TuneStep(TuneOptions):
    """Tuning: the method, and the options of `demotic tune`."""

    method: str = option(DEFAULT_METHOD, "tuning method, or file.py:Class")
    metric: str = option("bleu", "metric to tune for, on tokens")
    features: str = option("", "templates of new sparse features")
    on: Literal["dev", "reachable"] = option(
        "dev", "sentences: the dev set, or those with a reachable reference"
    )


@dataclass(frozen=True, kw_only=True)
class TrainStep(TrainOptions):
    """Training on the bitext: the options of `demotic train`."""

    features: str = option("default", "templates of sparse features, or none")
    on: Literal["train", "dev"] = option(
        "train", "sentences: the training text, or the dev set with each reference as a pair"
    )


@dataclass(frozen=True, kw_only=True)
class ForceStep(ForceOptions):
    """Forced decoding instead of translating: how much of a text is reachable."""

    on: Literal["train", "dev", "test"] = option("train", "text to decode")
    pairs: int = option(0, "pairs used, evenly spaced; 0 for all", minimum=0)


@dataclass(frozen=True, kw_only=True)
class SystemSettings:
    """One row of the results."""

    label: str = ""
    """Shown instead of its name."""
    model: str = ""
    """Name of its model; may be missing if there is only one."""
    start: str = ""
    """Name of the system whose weights it starts with; empty for the model as built."""
    baseline: str = ""
    """Name of the system that it is compared with, instead of the baseline of the file."""
    tune: TuneStep | None = None
    learner: Mapping[str, Scalar] = field(default_factory=dict)
    """Options of the tuning method."""
    train: TrainStep | None = None
    force: ForceStep | None = None
    search: SearchOptions = field(default_factory=SearchOptions)
    """For learning and testing."""
    threads: Count = 0
    """Number of threads, where time is measured; 0 for the number given to the command."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A setting that is varied for all systems."""

    name: str
    values: tuple[Scalar, ...]
    sets: tuple[str, ...]
    """Settings of systems that get the value: `search.beam_size`, or times a factor:
    `search.pop_limit*4`."""


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """A table: one row per system and point, or with `across` one column per value of an axis."""

    title: str
    columns: tuple[str, ...] = ()
    across: str = ""
    value: str = "test"


@dataclass(frozen=True, kw_only=True)
class PlotSettings:
    """A plot: figure `y` by axis `x`, or curves that the runs recorded."""

    title: str
    x: str = ""
    y: str = ""
    curves: tuple[str, ...] = ()
    points: bool = False
    """Draw points without lines."""


@dataclass(frozen=True, kw_only=True)
class ExperimentSettings:
    """A whole file."""

    title: str
    paper: str = ""
    """Where the original is."""
    published: str = ""
    """What the original reports."""
    note: str = ""
    """How this differs from the original, and how to read it."""
    metric: str = "bleu"
    """Metric of dev and test, on tokens."""
    seeds: Positive = 1
    baseline: str = ""
    """The system that the others are compared with."""
    measure: tuple[Literal["lists", "mixtures"], ...] = ()
    """What else to measure: k-best lists and bins on the test set, mixtures of score and gain."""
    sheet: Count = 0
    """Sentences of the error analysis sheet."""
    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    models: Mapping[str, ModelSettings]
    systems: Mapping[str, SystemSettings]
    vary: tuple[Axis, ...] = ()
    tables: tuple[TableSettings, ...] = ()
    plots: tuple[PlotSettings, ...] = ()
