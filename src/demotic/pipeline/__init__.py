"""From parallel text to a tuned and evaluated translator in one call."""

from demotic.pipeline.options import MakeOptions
from demotic.pipeline.order import MakeOrder
from demotic.pipeline.result import Example, Made, Score, StageResult
from demotic.pipeline.run import make, run_order

__all__ = [
    "Example",
    "Made",
    "MakeOptions",
    "MakeOrder",
    "Score",
    "StageResult",
    "make",
    "run_order",
]
