"""Sparse features to be learnt: templates, their word classes, and both compiled for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from demotic import _core
from demotic.features.dense import Kind
from demotic.features.sparse_part import SparsePart, compile_templates
from demotic.features.templates import Templates
from demotic.rules import Rules

__all__ = ["FeatureSet"]


@dataclass(frozen=True)
class FeatureSet:
    """Templates, layers and the native features of a model's rules."""

    templates: Templates
    layers: tuple[_core.ClassLayer, ...]
    native: _core.TemplateFeatures
    tags: str = ""
    """The digest of the tags that layers were made from."""

    @property
    def digest(self) -> str:
        return f"{self.native.layout:016x}{self.tags}"

    @classmethod
    def of(
        cls,
        rules: Rules,
        kind: Kind,
        templates: Templates,
        layers: Sequence[_core.ClassLayer],
        tags: str = "",
    ) -> FeatureSet:
        native = compile_templates(templates, layers, rules, kind)
        return cls(templates, tuple(layers), native, tags)

    @classmethod
    def of_part(cls, part: SparsePart) -> FeatureSet:
        """The features that a model has already."""
        return cls(part.templates, part.layers, part.features)
