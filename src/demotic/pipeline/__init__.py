"""From parallel text to a tuned and evaluated translator in one call."""

from demotic.pipeline.options import MakeOptions
from demotic.pipeline.request import MakeRequest
from demotic.pipeline.result import Example, MakeResult, Score, StageResult
from demotic.pipeline.run import make, run_request

__all__ = [
    "Example",
    "MakeOptions",
    "MakeRequest",
    "MakeResult",
    "Score",
    "StageResult",
    "make",
    "run_request",
]
