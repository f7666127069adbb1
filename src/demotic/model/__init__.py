"""The model directory: what it holds, how it is written, and the steps that build it."""

from __future__ import annotations

from demotic.model.file import MODEL_NAME, ModelInfo, Parts
from demotic.model.model import Model
from demotic.model.output import refuse_existing

__all__ = ["MODEL_NAME", "Model", "ModelInfo", "Parts", "refuse_existing"]
