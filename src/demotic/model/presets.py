"""Presets of `demotic build` and `demotic make`: how much to spend on a model, in one word.

docs/models-results.md has the gain and the cost of every part.  An option that is given explicitly
takes precedence over the preset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from demotic.align.options import AlignOptions, aligners
from demotic.features.dense import Kind
from demotic.lm.estimate import LmOptions
from demotic.model.class_lm import ClassLmOptions
from demotic.model.file import Scalar
from demotic.model.operations import OperationOptions
from demotic.rules import RuleOptions

__all__ = ["DEFAULT_PRESET", "PRESETS", "Preset"]


@dataclass(frozen=True)
class Preset:
    """The options in which a preset differs from the defaults of the options classes."""

    text: str
    align: str
    rules: Mapping[str, Any] = field(default_factory=dict)
    phrase_rules: Mapping[str, Any] = field(default_factory=dict)
    """Options of rules that only phrase models have."""
    hiero_rules: Mapping[str, Any] = field(default_factory=lambda: _FEWER_RULES)
    """Options of rules that only Hiero models have."""
    class_lms: tuple[str, ...] = ()
    operations: int = 0
    """Order of the operation sequence model, which only phrase models have; 0 for none."""
    order: int = LmOptions.order
    phrase_search: Mapping[str, Scalar] = field(default_factory=dict)
    """Search settings of phrase models, which the model keeps."""

    def flags(self, kind: Kind) -> dict[str, Any]:
        """The values of the flags of `demotic build` that some preset changes."""
        plain = RuleOptions()
        others = self.hiero_rules if kind == "phrase" else self.phrase_rules
        return {
            "align": self.align,
            "class_lms": self.class_lms,
            "operations": self.operations if kind == "phrase" else 0,
            "order": self.order,
            **self._rules(kind),
            **{name: getattr(plain, name) for name in others},
        }

    def _rules(self, kind: Kind) -> dict[str, Any]:
        return {**self.rules, **(self.phrase_rules if kind == "phrase" else self.hiero_rules)}

    @property
    def aligners(self) -> tuple[AlignOptions, ...]:
        return aligners(self.align)

    def options(self, kind: Kind) -> dict[str, Any]:
        """The same as fields of `BuildOptions`."""
        phrase = kind == "phrase"
        return {
            "align": self.aligners,
            "class_lms": tuple(map(ClassLmOptions.parsed, self.class_lms)),
            "operations": OperationOptions(self.operations if phrase else 0),
            "lm": LmOptions(order=self.order),
            "rules": RuleOptions(**self._rules(kind)),
            "search": self.search(kind),
        }

    def search(self, kind: Kind) -> Mapping[str, Scalar]:
        """Search settings of the model that differ from the defaults."""
        return self.phrase_search if kind == "phrase" else {}


DEFAULT_PRESET = "balanced"

# About a third of the rules at the same mean BLEU (docs/tables-results.md).
_FEWER_RULES: dict[str, Any] = {"min_gapped_count": 0.04}

# What gains on the mean of the dev sets (docs/models-results.md).
_STRONG: dict[str, Any] = {
    "align": "hmm,diagonal",
    "rules": {"low_counts": True},
    "phrase_rules": {"orientation": "hierarchical"},
    "class_lms": ("100:6",),
    "operations": 5,
}

PRESETS = {
    "fast": Preset("one aligner and no further models, for the shortest build", "hmm"),
    "balanced": Preset(
        "two aligners, scores for rare rules, a language model of word classes, and for phrases "
        "hierarchical reordering and operations, with a beam of 60",
        phrase_search={"beam_size": 60, "pop_limit": 120},
        **_STRONG,
    ),
    "best": Preset(
        "the same with a beam of 200, and all rules of Hiero",
        hiero_rules={"min_gapped_count": 0.0},
        **_STRONG,
    ),
}
