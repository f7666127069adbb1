"""From parallel text to a tuned and evaluated translator in one call."""

from demotic.make.result import Example, Made, Score, StageResult

__all__ = ["Example", "Made", "Score", "StageResult"]
