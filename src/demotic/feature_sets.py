"""Sets of dense features for hierarchical models, named after the papers that used them.

Every set has the four extraction scores, the language model, word_penalty, phrase_penalty, glue,
pass_through and unknown_word; the sets differ in additional rule scores.  The papers describe their
features only in part: our sets have the same number of features and include all that are named and
that we support.  docs/hiero-search.md lists them.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["FEATURE_SETS", "LOW_COUNTS", "OPTIONAL_FEATURES", "FeatureSet"]

FeatureSet = Literal["moses", "c08", "c08-distortion-coarse", "e13", "z14"]

# Additional rule scores, by the names in core/src/rules/extra_scores.cpp.
FEATURE_SETS: dict[FeatureSet, tuple[str, ...]] = {
    # 10 features, as in Moses' hierarchical models.
    "moses": (),
    # 12: Chiang, Marton & Resnik (2008). Theirs distinguish number and name rules, ours gaps.
    "c08": ("one_gap", "two_gaps"),
    # 13: the same with structural distortion, their section 4.
    "c08-distortion-coarse": ("one_gap", "two_gaps"),
    # 14: Eidelman, Marton & Resnik (2013), with a penalty per arity.
    "e13": ("no_gaps", "one_gap", "two_gaps", "rule_once"),
    # 18: Zhao, Huang, Mi & Ittycheriah (2014), with the counts and flags of cdec's extractor.
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

# Flags of rare rules, for both kinds of models (`build --low-counts`).
LOW_COUNTS = ("rule_once", "rule_twice", "rule_thrice")

# Optional dense features of a set, by the names in core/include/demotic/features/dense/.
OPTIONAL_FEATURES: dict[FeatureSet, tuple[str, ...]] = {
    "c08-distortion-coarse": ("structural_distortion",),
}
