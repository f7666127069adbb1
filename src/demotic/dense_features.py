"""The dense features of a model: their names, what they count, and weights to begin with.

A model's score is the sum of weight times value; higher is better.  First come the scores of its
rules under the names that the rule store has, then those below.  The weights are Moses' own
starting point.  How the features of Moses, cdec and Joshua map to them: docs/other-toolkits.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

__all__ = ["UNKNOWN_WORD_VALUE", "Kind", "default_weight", "dense_features", "language_model_name"]

Kind = Literal["phrase", "hiero"]

UNKNOWN_WORD_VALUE = -100.0  # for each unknown word; Moses and Joshua have the same


class DenseFeature(NamedTuple):
    kinds: tuple[Kind, ...]
    weight: float
    value: str


FEATURES: dict[str, DenseFeature] = {
    "language_model": DenseFeature(
        ("phrase", "hiero"), 0.5, "natural log of the probability, </s> included"
    ),
    "word_penalty": DenseFeature(("phrase", "hiero"), -1.0, "-1 for each target word"),
    "phrase_penalty": DenseFeature(
        ("phrase", "hiero"), 0.2, "1 for each rule; glue and copied words do not count"
    ),
    "distortion": DenseFeature(
        ("phrase",), 0.3, "-(distance from the end of the last phrase to the start of this one)"
    ),
    "glue": DenseFeature(("hiero",), 1.0, "1 for each use of S -> S X: pieces minus one"),
    "pass_through": DenseFeature(("hiero",), 0.0, "1 for each source word copied by X -> word"),
    "unknown_word": DenseFeature(
        ("phrase", "hiero"), 1.0, "-100 for each source word copied because no rule has it"
    ),
    "sparse": DenseFeature(
        ("phrase", "hiero"), 1.0, "sum of the weights of its sparse features, if it has any"
    ),
}

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
    kind: Kind, score_names: Iterable[str], language_models: int, *, sparse: bool = False
) -> tuple[str, ...]:
    """Every dense feature of a model, in the order of its weights; `sparse`: it has such a part."""
    models = [language_model_name(index) for index in range(language_models)]
    rest = [
        name
        for name, feature in FEATURES.items()
        if kind in feature.kinds and name != "language_model" and (sparse or name != "sparse")
    ]
    return (*score_names, *models, *rest)


def default_weight(name: str) -> float:
    """0 for what a table calls its own: nobody knows what it means."""
    if name.startswith("language_model"):
        return FEATURES["language_model"].weight
    if name.startswith("reordering_"):
        return 0.3
    if name in FEATURES:
        return FEATURES[name].weight
    return _RULE_SCORES.get(name, 0.0)
