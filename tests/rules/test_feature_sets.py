"""The sets of dense features: how many there are, and that each score is what its name says."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from demotic.errors import Error
from demotic.feature_sets import FEATURE_SETS, FeatureSet
from demotic.features.dense import dense_features
from demotic.rules import Rule, RuleOptions
from tests.oracle.extraction import Sentence
from tests.rules.test_extraction import WORDS_S, WORDS_T, build

SIZES: dict[FeatureSet, int] = {
    "moses": 10,
    "c08": 12,
    "c08-distortion-coarse": 13,
    "e13": 14,
    "z14": 18,
}


def bitext(rng: random.Random) -> list[Sentence]:
    found = []
    for _ in range(12):
        length = rng.randint(1, 6)
        source, target = (rng.choices(words, k=length) for words in (WORDS_S, WORDS_T))
        order = rng.sample(range(length), length)
        found.append(Sentence(source, target, frozenset(enumerate(order))))
    return found


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("name", SIZES)
def test_scores_of_a_set(name: FeatureSet, share: bool, tmp_path: Path) -> None:
    options = RuleOptions(features=name, share_count=share)
    rules, _ = build(bitext(random.Random(3)), tmp_path / "rules", "hiero", options)
    names = rules.store.score_names
    assert tuple(names[4:]) == FEATURE_SETS[name]
    optional = options.optional_features
    assert len(dense_features("hiero", names, 1, optional=optional)) == SIZES[name]
    every = list(rules)
    source, target = (totals(every, side) for side in ("source", "target"))
    for rule in every:
        gaps = sum(symbol.startswith("[") for symbol in rule.source)
        totals_ = source[rule.source], target[rule.target]
        wanted = {
            "rule_count": math.log1p(rule.count),
            "source_count": math.log1p(totals_[0]),
            "target_count": math.log1p(totals_[1]),
            "rule_once": rule.occurrences == 1,
            "source_once": totals_[0] < 1.001,
            "target_once": totals_[1] < 1.001,
            "no_gaps": gaps == 0,
            "one_gap": gaps == 1,
            "two_gaps": gaps == 2,
        }
        ours = {extra: rule.scores[extra] for extra in FEATURE_SETS[name]}
        assert ours == pytest.approx({extra: float(wanted[extra]) for extra in ours}, rel=1e-5)


def totals(rules: list[Rule], side: str) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for rule in rules:
        symbols = getattr(rule, side)
        found[symbols] = found.get(symbols, 0) + rule.count
    return found


def test_phrases_have_one_set_only(tmp_path: Path) -> None:
    with pytest.raises(Error, match="the features z14 for a phrase model"):
        build(bitext(random.Random(1)), tmp_path / "rules", "phrase", RuleOptions(features="z14"))
