"""Experiments: systems compared over seeds and settings, described by a TOML file.

Names are imported on first use, because the --help of a verb needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.experiments.file import Experiment, read_experiment, shipped
    from demotic.experiments.results import ExperimentResult
    from demotic.experiments.run import run_experiment

_MODULES = {
    "Experiment": ".file",
    "ExperimentResult": ".results",
    "read_experiment": ".file",
    "run_experiment": ".run",
    "shipped": ".file",
}

__all__ = ["Experiment", "ExperimentResult", "read_experiment", "run_experiment", "shipped"]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
