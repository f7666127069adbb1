"""Small models with sparse features: new ones, and ones with weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from demotic import _core
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.features.layers import LayerTexts, make_layers
from demotic.learn.tuned_weights import SparseTunedWeights
from demotic.model import Model

JOINT = "past.rule rule", "past.first:word past.last:word rule", "past.last:word rule"


def new_features(model: Model, *, joint: bool = False) -> FeatureSet:
    """Those of z14; with features that look back if asked for."""
    templates = Templates.find("z14")
    if joint:
        texts = [*templates.texts, *JOINT]
        templates = Templates(_core.FeatureTemplate(text) for text in texts)
    layers = make_layers(templates.layers, model.vocabulary, LayerTexts())
    return FeatureSet.of(model.rules, model.info.kind, templates, layers)


def with_random_weights(
    model: Model, home: Path, lines: list[str], features: FeatureSet, *, common: float = 0.5
) -> Model:
    """A model with sparse weights for most features that the lines' candidates have."""
    tuned = SparseTunedWeights(model, features)
    decoder = tuned.decoder(tuned.start.array, model.decoder().options)
    best, _ = decoder.candidates(decoder.sentences(lines), k=20, parts=True)
    keys = np.unique(best.keys)
    values = np.random.default_rng(3).normal(scale=0.3, size=len(keys)).astype(np.float32)
    values[::7] = 0
    path = home.with_name(home.name + "-weights.bin")
    _core.store_weights(str(path), keys, values, features.native.layout)
    return model.derive(
        home,
        weights=tuned.start.replace({"sparse": common}),
        sparse=path,
        templates=features.templates,
        classes=features.layers,
    )
