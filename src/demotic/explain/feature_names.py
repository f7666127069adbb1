"""Names and one-line descriptions of the dense features, in plain words."""

from __future__ import annotations

__all__ = ["feature_meaning", "feature_name"]

_NAMES = {
    "source_given_target": (
        "source phrase given target",
        "share of the target side's occurrences in training that translate this source side",
    ),
    "target_given_source": (
        "target phrase given source",
        "share of the source side's occurrences in training that were translated this way",
    ),
    "lexical_source_given_target": (
        "source words given target",
        "the same word by word, target to source",
    ),
    "lexical_target_given_source": (
        "target words given source",
        "the same word by word, source to target",
    ),
    "language_model": (
        "language model",
        "how likely the translation is as a sentence of the target language",
    ),
    "class_language_model": (
        "language model of classes",
        "how likely the classes of the translation's words are in this order",
    ),
    "operation_sequence": (
        "operations",
        "how likely the steps are that build both sentences: translating, skipping, jumping",
    ),
    "operation_gaps": ("gaps", "counts source words or groups that were left for later"),
    "operation_open_gaps": ("open gaps", "counts what is still left for later, at each step"),
    "operation_gap_width": ("width of gaps", "how far ahead of what was left for later"),
    "operation_deletions": ("dropped words", "counts source words that were not translated"),
    "word_penalty": ("length", "counts the words of the translation"),
    "phrase_penalty": ("number of rules", "counts the rules: fewer rules mean longer phrases"),
    "distortion": ("jumps", "the total length of jumps in the source sentence"),
    "glue": ("glue", "counts pieces that were simply concatenated"),
    "structural_distortion": (
        "order of gaps",
        "how common it is that parts of this length keep or change their place in the sentence",
    ),
    "pass_through": ("copied words", "counts source words that were copied"),
    "unknown_word": ("unknown words", "counts source words without a rule"),
    "given": ("given translations", "how likely the given translations are, as their user says"),
    "sparse": (
        "sparse features",
        "the sum of all sparse features learnt in training",
    ),
    "rule_count": ("count of the rule", "how often the rule was seen in training"),
    "source_count": ("count of the source side", "how often its source side was seen in training"),
    "target_count": ("count of the target side", "how often its target side was seen in training"),
    "rule_once": ("rules seen once", "counts rules that were seen only once in training"),
    "source_once": ("source sides seen once", "counts rules whose source side was seen only once"),
    "target_once": ("target sides seen once", "counts rules whose target side was seen only once"),
    "no_gaps": ("rules without gaps", "counts rules without gaps"),
    "one_gap": ("rules with one gap", "counts rules with one gap"),
    "two_gaps": ("rules with two gaps", "counts rules with two gaps"),
}
_SIDES = {"backward": "relative to the previous phrase", "forward": "relative to the next phrase"}
_ORIENTATIONS = {
    "monotone": "the phrase keeps the order of the source",
    "swap": "the phrase changes places with its neighbour",
    "discontinuous": "the phrase jumps",
}


def feature_name(name: str) -> str:
    """The name in plain words; unknown names only lose their underscores."""
    return _known(name)[0]


def feature_meaning(name: str) -> str:
    """One line about a feature, with its identifier; only that if the feature is unknown."""
    meaning = _known(name)[1]
    return f"{meaning} ({name})" if meaning else name


def _known(name: str) -> tuple[str, str]:
    if name in _NAMES:
        return _NAMES[name]
    family, _, rest = name.partition("_")
    model, _, number = name.rpartition("_")
    if model in ("language_model", "class_language_model"):
        return f"{_NAMES[model][0]} {number}", _NAMES[model][1]
    hierarchical = rest.startswith("hierarchical_")
    side, _, orientation = rest.removeprefix("hierarchical_").partition("_")
    if family == "reordering" and side in _SIDES and orientation in _ORIENTATIONS:
        meaning = f"how common it is that {_ORIENTATIONS[orientation]} {_SIDES[side]}"
        meaning += ", or to the phrases around it as a block" if hierarchical else ""
        return f"reordering: {orientation}, {side}", meaning
    return name.replace("_", " "), ""
