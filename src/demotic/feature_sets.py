"""Sets of features, named after the papers that used them.

A set has a dense part, which `demotic build --features` gives to a hierarchical model, and may have
a sparse part, which `demotic tune --features` and `demotic train --features` learn.

Every dense part has the four extraction scores, the language model, word_penalty, phrase_penalty,
glue, pass_through and unknown_word; they differ in additional rule scores.  The papers describe
their features only in part: our sets have the same number of features and include all that are
named and that we support.  docs/hiero-search.md lists them.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["FEATURE_SETS", "LOW_COUNTS", "OPTIONAL_FEATURES", "SPARSE_PARTS", "FeatureSet"]

FeatureSet = Literal[
    "moses",
    "c08",
    "c08-baseline",
    "c08-syntax-coarse",
    "c08-syntax-fine",
    "c08-distortion-coarse",
    "c08-distortion-fine",
    "c08-all",
    "e13",
    "e13-basic",
    "e13-sparse",
    "y13",
    "z14",
]

# 12 features: Chiang, Marton & Resnik (2008). Theirs distinguish number and name rules, ours gaps.
_C08 = ("one_gap", "two_gaps")
# 14: Eidelman, Marton & Resnik (2013), with a penalty per arity.
_E13 = ("no_gaps", "one_gap", "two_gaps", "rule_once")

# Additional rule scores, by the names in core/src/rules/extra_scores.cpp.
FEATURE_SETS: dict[FeatureSet, tuple[str, ...]] = {
    # 10 features, as in Moses' hierarchical models.
    "moses": (),
    "c08": _C08,
    "c08-baseline": _C08,
    "c08-syntax-coarse": _C08,
    "c08-syntax-fine": _C08,
    # 13: with structural distortion, their section 4.
    "c08-distortion-coarse": _C08,
    "c08-distortion-fine": _C08,
    "c08-all": _C08,
    "e13": _E13,
    "e13-basic": _E13,
    "e13-sparse": _E13,
    # 10: Yu, Huang, Mi & Zhao (2013) have the usual features of phrase models.
    "y13": (),
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

# The sparse part of a set: names of template files in src/demotic/features/, joined by `+`; empty
# if the set has only dense features.
SPARSE_PARTS: dict[FeatureSet, str] = {
    "moses": "",
    "c08": "",
    "c08-baseline": "",
    "c08-syntax-coarse": "syntax-coarse",
    "c08-syntax-fine": "syntax-fine",
    "c08-distortion-coarse": "",
    "c08-distortion-fine": "distortion",
    "c08-all": "syntax-fine+distortion",
    "e13": "",
    "e13-basic": "",
    "e13-sparse": "e13-sparse",
    "y13": "default+nonlocal",
    "z14": "z14",
}
