"""Presets of `demotic build`: what a model costs and how good it is, in one word.

docs/tables.md has the gain and the cost of every part.  An option that is given explicitly takes
precedence over the preset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from demotic.align.options import AlignOptions, aligners
from demotic.rules import RuleOptions

__all__ = ["DEFAULT_PRESET", "PRESETS", "Preset"]


@dataclass(frozen=True)
class Preset:
    """The options in which a preset differs from the defaults of the options classes."""

    text: str
    align: str
    rules: dict[str, Any] = field(default_factory=dict)

    @property
    def aligners(self) -> tuple[AlignOptions, ...]:
        return aligners(self.align)

    @property
    def rule_options(self) -> RuleOptions:
        return RuleOptions(**self.rules)


DEFAULT_PRESET = "balanced"

PRESETS = {
    "fast": Preset("links of one aligner: the smallest rule table and the shortest build", "hmm"),
    "balanced": Preset("rules from the links of two aligners", "hmm,diagonal"),
    "best": Preset(
        "also three flags for rare rules, learnt by tuning", "hmm,diagonal", {"low_counts": True}
    ),
}
