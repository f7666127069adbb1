"""Pruning by significance and smoothing against slow oracles."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.rules import RuleOptions, Rules
from tests.oracle import rule_smoothing, significance
from tests.oracle.extraction import Sentence
from tests.rules.test_extraction import build, long_bitext, plain, sentences
from tests.rules.test_several_links import by_text


def monotone(rng: random.Random, number: int, words: int) -> list[Sentence]:
    bitext = []
    for _ in range(number):
        numbers = [
            min(rng.randrange(words), rng.randrange(words)) for _ in range(rng.randint(0, 9))
        ]
        links = frozenset((i, i) for i in range(len(numbers)))
        target = [f"t{n + (rng.random() < 0.2)}" for n in numbers]
        bitext.append(Sentence([f"s{n}" for n in numbers], target, links))
    return bitext


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("level", [-3.0, -0.01, 0.01, 1.5])
def test_removed_rules(tmp_path: Path, kind: str, keep: bool, level: float) -> None:
    bitext = monotone(random.Random(5), 40, 6)
    every, _ = build(bitext, tmp_path / "all", kind, RuleOptions())
    options = RuleOptions(significance=level, keep_word_pairs=keep)
    some, report = build(bitext, tmp_path / "some", kind, options, threads=2)
    wanted = {}
    for text, rule in by_text(every).items():
        value = significance.p_value_of(text, bitext)
        if (keep and len(text[0]) == 1) or -math.log(value) >= math.log(len(bitext)) + level:
            wanted[text] = rule.scores
    assert {text: rule.scores for text, rule in by_text(some).items()} == wanted
    assert 0 < report.removed == len(every) - len(wanted)


@settings(max_examples=40, deadline=None)
@given(bitext=st.lists(sentences(9), min_size=1, max_size=6))
def test_any_bitext(tmp_path_factory: pytest.TempPathFactory, bitext: list[Sentence]) -> None:
    """Repeated words, empty sentences, sides of more words than the index has."""
    home = tmp_path_factory.mktemp("r")
    options = {"max_phrase": 9, "keep_word_pairs": False}
    every, _ = build(bitext, home / "all", "phrase", RuleOptions(**options))
    some, _ = build(bitext, home / "some", "phrase", RuleOptions(**options, significance=0.01))
    level = math.log(len(bitext)) + 0.01
    wanted = {t for t in by_text(every) if -math.log(significance.p_value_of(t, bitext)) >= level}
    assert set(by_text(some)) == wanted


def smoothed(rules: Rules, method: str) -> dict[tuple[object, object], tuple[float, float]]:
    """p(s|t) and p(t|s) by the oracle."""
    sides = [(plain(r.source, "source"), plain(r.target, "target")) for r in rules]
    oracle = getattr(rule_smoothing, method)
    seen = [r.occurrences for r in rules]
    counts = [r.count for r in rules]
    forward = [(t, s) for s, t in sides]
    st_ = oracle(dict(zip(sides, seen, strict=True)), dict(zip(sides, counts, strict=True)))
    ts = oracle(dict(zip(forward, seen, strict=True)), dict(zip(forward, counts, strict=True)))
    return {(s, t): (st_[s, t], ts[t, s]) for s, t in sides}


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("method", ["kneser-ney", "good-turing"])
def test_smoothing(tmp_path: Path, kind: str, method: str) -> None:
    bitext = monotone(random.Random(7), 12, 4)
    plain_rules, _ = build(bitext, tmp_path / "plain", kind, RuleOptions())
    options = RuleOptions(smoothing=method)
    rules, _ = build(bitext, tmp_path / "smooth", kind, options, threads=2)
    wanted = smoothed(plain_rules, method.replace("-", "_"))
    found = by_text(rules)
    assert set(found) == set(wanted)
    for text, rule in found.items():
        backward, forward = wanted[text]
        assert math.exp(rule.scores["source_given_target"]) == pytest.approx(backward, rel=1e-5)
        assert math.exp(rule.scores["target_given_source"]) == pytest.approx(forward, rel=1e-5)


def test_kneser_ney_probabilities_with_backoff_sum_to_one(tmp_path: Path) -> None:
    """What seen rules lose is what all outcomes together gain."""
    bitext = long_bitext(80)
    rules, _ = build(bitext, tmp_path / "rules", "phrase", RuleOptions(smoothing="kneser-ney"))
    sums: dict[tuple[str, ...], float] = {}
    for rule in rules:
        value = math.exp(rule.scores["target_given_source"])
        sums[rule.source] = sums.get(rule.source, 0.0) + value
    assert all(0 < value <= 1 + 1e-5 for value in sums.values())
    assert min(sums.values()) < 0.99


def test_low_counts(tmp_path: Path) -> None:
    rules, _ = build(long_bitext(40), tmp_path / "r", "phrase", RuleOptions(low_counts=True))
    for rule in rules:
        for times, name in enumerate(("rule_once", "rule_twice", "rule_thrice"), 1):
            assert rule.scores[name] == (rule.occurrences == times)
