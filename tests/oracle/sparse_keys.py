"""The sparse features of a finished derivation, step by step from its rules and spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from demotic import _core
from demotic.features.feature_set import FeatureSet
from demotic.model import Model
from demotic.search.decoder import COPIED, GLUE, Step

__all__ = ["derivation_keys"]


def derivation_keys(
    model: Model, features: FeatureSet, sentence: str, steps: Sequence[Step], *, joint: bool = False
) -> Counter[int]:
    """How often each key fires; `joint`: with features of the past, for steps in target order."""
    find, native = model.vocabulary.find, features.native
    words = np.array([find(word) for word in sentence.split()], np.int32)
    found: Counter[int] = Counter()
    past, last = _core.NO_RULE, [_core.SENTENCE_BEGIN] * 2
    for rule, begin, end in steps:
        if rule == GLUE:
            continue
        span = (words, _core.SENTENCE_END, begin, end)
        found.update(native.span_keys(*span).tolist())
        if rule == COPIED:
            past, last = _core.NO_RULE, [*last, int(words[begin])]
            continue
        found.update(native.rule_keys(rule).tolist())
        found.update(native.mixed_keys(rule, *span).tolist())
        if joint:
            found.update(native.joint_keys(past, (last[-2], last[-1]), rule).tolist())
        past, last = rule, [*last, *model.rules.store.target(rule)]
    return found
