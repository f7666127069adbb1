"""One learning step while it runs: what is learnt from what, where, and what is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from demotic.experiments.settings import SystemSettings
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model
    from demotic.pipeline.progress import Advance

__all__ = ["RUN", "LearningTask"]

RUN = "run"
"""Folder of a training run in that of its step; not needed when the step is recorded."""


@dataclass(frozen=True)
class LearningTask:
    """`record` gets `figures` and `curves`; the result is `path/model`."""

    model: Model
    dev: DevSet
    system: SystemSettings
    path: Path
    threads: int
    record: dict[str, Any]
    advance: Advance
