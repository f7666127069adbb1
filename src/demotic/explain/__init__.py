"""Explains why a sentence was translated the way it was."""

from demotic.explain.explain import explain
from demotic.explain.explanation import Explanation

__all__ = ["Explanation", "explain"]
