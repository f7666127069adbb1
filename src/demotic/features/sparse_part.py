"""The sparse part of a model: templates, their word classes, and the learned weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from demotic import _core
from demotic.errors import ModelError
from demotic.features.dense import Kind
from demotic.features.templates import Templates
from demotic.lines import PathLike
from demotic.rules import Rules
from demotic.verified import open_verified, policy

__all__ = ["SparsePart", "compile_templates"]


def compile_templates(
    templates: Templates, layers: Sequence[_core.ClassLayer], rules: Rules, kind: Kind
) -> _core.TemplateFeatures:
    """The features of a model's rules; raises ModelError for templates that do not fit them."""
    rules.require_table("sparse features")
    if any(one.family == "python" for one in templates.native):
        from demotic.features import own  # noqa: F401 - tells the core how to find functions
    return _core.TemplateFeatures(
        list(templates.native), list(layers), rules.store, rules.vocabulary, kind == "hiero"
    )


@dataclass(frozen=True)
class SparsePart:
    """The opened parts; immutable."""

    templates: Templates
    layers: tuple[_core.ClassLayer, ...]
    features: _core.TemplateFeatures
    weights: _core.StoredSparseWeights

    @classmethod
    def open(
        cls,
        weights: PathLike,
        templates: PathLike,
        classes: Sequence[PathLike],
        rules: Rules,
        kind: Kind,
        *,
        verify: bool = True,
    ) -> SparsePart:
        """Raises ModelError if the weights were learned with other templates, classes or rules."""
        trust = policy(verify)
        layers = tuple(open_verified(_core.ClassLayer.open, path, trust) for path in classes)
        found = Templates.read(templates)
        features = compile_templates(found, layers, rules, kind)
        stored = open_verified(_core.StoredSparseWeights.open, weights, trust)
        if stored.layout != features.layout:
            raise ModelError(
                "sparse weights learned with other templates, word classes or rules",
                path=weights,
                expected=f"weights learned with {templates}",
                advice="restore the templates file, or train the model again",
            )
        return cls(found, layers, features, stored)

    @cached_property
    def native(self) -> _core.Sparse:
        return _core.Sparse(self.features, self.weights)

    @property
    def layout(self) -> int:
        """A hash that identifies the meaning of the weights' keys."""
        return self.features.layout

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"SparsePart({len(self):,} weights, {len(self.templates)} templates)"
