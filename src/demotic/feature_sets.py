"""Sets of dense features for hierarchical models, by the papers whose experiments had them.

Every set has the four scores of extraction, the language model, word_penalty, phrase_penalty, glue,
pass_through and unknown_word; the sets differ in the scores of rules that come on top.  Papers say
only in part what they had: ours have their numbers of features and what they name, as far as we
have it.  docs/hiero-search.md lists them.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["FEATURE_SETS", "FeatureSet"]

FeatureSet = Literal["moses", "c08", "e13", "z14"]

# Scores of rules beside the four, by the names of core/src/rules/extra_scores.cpp.
FEATURE_SETS: dict[FeatureSet, tuple[str, ...]] = {
    # 10 features, as Moses' hierarchical models have them.
    "moses": (),
    # 12: Chiang, Marton & Resnik (2008). Theirs tell number and name rules apart, ours gaps.
    "c08": ("one_gap", "two_gaps"),
    # 14: Eidelman, Marton & Resnik (2013), with penalties for each arity.
    "e13": ("no_gaps", "one_gap", "two_gaps", "rule_once"),
    # 18: Zhao, Huang, Mi & Ittycheriah (2014), with counts and flags as cdec's extractor has them.
    "z14": (
        "rule_count",
        "source_count",
        "target_count",
        "rule_once",
        "source_once",
        "target_once",
        "one_gap",
        "two_gaps",
    ),
}
