"""Dense features in plain words: a name, and one line on what it measures."""

from __future__ import annotations

__all__ = ["feature_meaning", "feature_name"]

_NAMES = {
    "source_given_target": (
        "source phrase given target",
        "how often the target side was a translation of this source side in training",
    ),
    "target_given_source": (
        "target phrase given source",
        "how often the source side was translated like this in training",
    ),
    "lexical_source_given_target": (
        "source words given target",
        "the same word by word, from the target to the source",
    ),
    "lexical_target_given_source": (
        "target words given source",
        "the same word by word, from the source to the target",
    ),
    "language_model": (
        "language model",
        "how likely the translation is as a sentence of the target language",
    ),
    "word_penalty": ("length", "counts the words of the translation"),
    "phrase_penalty": ("number of rules", "counts the rules: fewer of them means longer phrases"),
    "distortion": ("jumps", "the distance of jumps in the source sentence"),
    "glue": ("glue", "counts how often pieces were simply put side by side"),
    "pass_through": ("copied words", "counts source words that were copied"),
    "unknown_word": ("unknown words", "counts source words that no rule has"),
    "sparse": (
        "sparse features",
        "the sum of all small features that were learnt in training",
    ),
    "rule_count": ("count of the rule", "how often the rule was seen in training"),
    "source_count": ("count of the source side", "how often its source side was seen in training"),
    "target_count": ("count of the target side", "how often its target side was seen in training"),
    "rule_once": ("rules seen once", "counts rules that were seen only once in training"),
    "source_once": ("source sides seen once", "counts rules whose source side was seen only once"),
    "target_once": ("target sides seen once", "counts rules whose target side was seen only once"),
    "no_gaps": ("rules without gaps", "counts rules that have no gap"),
    "one_gap": ("rules with one gap", "counts rules that have one gap"),
    "two_gaps": ("rules with two gaps", "counts rules that have two gaps"),
}
_SIDES = {"backward": "after the last phrase", "forward": "before the next phrase"}
_ORIENTATIONS = {
    "monotone": "the phrase keeps the order of the source",
    "swap": "the phrase changes places with its neighbour",
    "discontinuous": "the phrase jumps",
}


def feature_name(name: str) -> str:
    """For people; names that are not known lose their underscores only."""
    return _known(name)[0]


def feature_meaning(name: str) -> str:
    """One line, or nothing if the feature is not known; always with the feature's own name."""
    meaning = _known(name)[1]
    return f"{meaning} ({name})" if meaning else name


def _known(name: str) -> tuple[str, str]:
    if name in _NAMES:
        return _NAMES[name]
    family, _, rest = name.partition("_")
    if name.startswith("language_model_"):
        number = name.removeprefix("language_model_")
        return f"language model {number}", _NAMES["language_model"][1]
    side, _, orientation = rest.partition("_")
    if family == "reordering" and side in _SIDES and orientation in _ORIENTATIONS:
        meaning = f"how usual it is that {_ORIENTATIONS[orientation]}, {_SIDES[side]}"
        return f"reordering: {orientation}, {side}", meaning
    return name.replace("_", " "), ""
