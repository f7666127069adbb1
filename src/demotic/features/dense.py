"""The dense features of a model: their names, what they count, and weights to begin with.

A model's score is the sum of weight times value; higher is better.  First come the scores of its
rules under the names that the rule store has, then its language models, then the features that
`core/include/demotic/features/dense_features.h` lists, then the sum of its sparse features.  The
weights are Moses' own starting point.  How the features of Moses, cdec and Joshua map to them:
docs/other-toolkits.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from demotic import _core

__all__ = [
    "FEATURES",
    "OPERATION_FEATURES",
    "OWN_PARTS",
    "UNKNOWN_WORD_VALUE",
    "DenseFeature",
    "Kind",
    "default_weight",
    "dense_features",
    "language_model_name",
]

Kind = Literal["phrase", "hiero"]

UNKNOWN_WORD_VALUE = _core.UNKNOWN_WORD_VALUE


class DenseFeature(NamedTuple):
    kinds: tuple[Kind, ...]
    weight: float
    value: str
    optional: bool = False  # only models that name it in `model.toml` have it


def _listed(feature: _core.DenseFeature) -> DenseFeature:
    phrase: tuple[Kind, ...] = ("phrase",) if feature.phrase else ()
    hiero: tuple[Kind, ...] = ("hiero",) if feature.hiero else ()
    return DenseFeature(phrase + hiero, feature.weight, feature.description, feature.optional)


FEATURES: dict[str, DenseFeature] = {
    "language_model": DenseFeature(
        ("phrase", "hiero"), 0.5, "natural log of the probability, </s> included"
    ),
    "class_language_model": DenseFeature(
        ("phrase", "hiero"),
        0.1,
        "natural log of the probability of the words' classes, </s> included; build --class-lm",
        True,
    ),
    **{feature.name: _listed(feature) for feature in _core.dense_features()},
    "sparse": DenseFeature(
        ("phrase", "hiero"), 1.0, "sum of the weights of its sparse features, if it has any", True
    ),
}

_MODELS = ("language_model", "class_language_model")
OPERATION_FEATURES = tuple(name for name in FEATURES if name.startswith("operation_"))
OWN_PARTS = ("class_language_model", *OPERATION_FEATURES, "sparse")
"""Optional features of models that have a part for them; `features` in `model.toml` omits them."""

_RULE_SCORES = {
    "source_given_target": 0.2,
    "lexical_source_given_target": 0.2,
    "target_given_source": 0.2,
    "lexical_target_given_source": 0.2,
}


def language_model_name(index: int) -> str:
    """The first language model's feature is `language_model`, the second's `language_model_2`."""
    return "language_model" if index == 0 else f"language_model_{index + 1}"


def dense_features(
    kind: Kind,
    score_names: Iterable[str],
    language_models: int | tuple[int, int],
    *,
    optional: Iterable[str] = (),
) -> tuple[str, ...]:
    """Every dense feature of a model, in the order of its weights.

    `language_models` is their number, or the numbers of those of words and of classes, whose
    features are `class_language_model`, `class_language_model_2`, ...; `optional` names the
    optional features that it has; `sparse` is one of them.
    """
    chosen = set(optional)
    words, classes = (language_models, 0) if isinstance(language_models, int) else language_models
    models = [language_model_name(index) for index in range(words)]
    models += ["class_" + language_model_name(index) for index in range(classes)]
    rest = [
        name
        for name, feature in FEATURES.items()
        if kind in feature.kinds
        and name not in _MODELS
        and (name in chosen or not feature.optional)
    ]
    return (*score_names, *models, *rest)


def default_weight(name: str) -> float:
    """The weight before tuning; 0 for scores of a table that are not known by name."""
    for family in _MODELS:
        if name.startswith(family):
            return FEATURES[family].weight
    if name.startswith("reordering_"):
        return 0.3
    if name in FEATURES:
        return FEATURES[name].weight
    return _RULE_SCORES.get(name, 0.0)
