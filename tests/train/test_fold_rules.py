"""Sparse features of rules that a fold has and the model lacks: none that names such a rule.

The model could never use the weight of such a feature; in training it would be one feature of many
different rules.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.rules import Rules
from tests.rules.test_extraction import lines

TEMPLATES = (
    "rule",
    "target.first:word",
    "source.before:word rule",
    "source.before:word target.first:word",
    "past.rule rule",
    "past.rule target.first:word",
    "past.last:word rule",
)
MODEL = ("a ||| x", "a ||| y", "b ||| z")
FOLD = ("a ||| w", "a ||| x", "b ||| z", "c ||| x")
LACKED = {"a ||| w", "c ||| x"}


class Fold:
    """The rules of a fold, with the features of a model that lacks some of them."""

    def __init__(self, folder: Path) -> None:
        words = _core.VocabularyBuilder()
        model, self.store = (_store(words, rules, folder) for rules in (MODEL, FOLD))
        self.vocabulary = words.finish()
        templates = [_core.FeatureTemplate(text) for text in TEMPLATES]
        self.of_model = _core.TemplateFeatures(templates, [], model, self.vocabulary, False)
        self.same = _core.map_rules(self.store, model)
        self.features = self.of_model.for_rules(self.store, self.same)
        self.sentence = np.array([self.vocabulary.find(word) for word in ("b", "a", "c")], np.int32)

    def keys(self, rule: int) -> list[int]:
        """Local ones, of the rule applied to the second word."""
        found = self.features.rule_keys(rule).tolist()
        return found + self.features.mixed_keys(rule, *self.span).tolist()

    @property
    def span(self) -> tuple[np.ndarray, int, int, int]:
        return self.sentence, _core.SENTENCE_END, 1, 2

    def names(self, keys: list[int]) -> list[str]:
        return [self.of_model.name(key) for key in keys]

    def number(self, text: str) -> int:
        rules = Rules(self.store, self.vocabulary)
        spelled = [f"{' '.join(rule.source)} ||| {' '.join(rule.target)}" for rule in rules]
        return spelled.index(text)


def _store(words: _core.VocabularyBuilder, rules: tuple[str, ...], folder: Path) -> _core.RuleStore:
    table = _core.RuleTable(words)
    reader = _core.read_table(table, _core.TableFormat.moses_phrases, "table", "score_", 0)
    reader.add(lines([f"{rule} ||| 1 1 1 1" for rule in rules]))
    path = folder / f"rules-{len(rules)}.bin"
    table.write(str(path), _core.Duplicates.refuse, None)
    return _core.RuleStore.open(str(path), True)


@pytest.mark.parametrize("text", FOLD)
def test_local_features(text: str, tmp_path: Path) -> None:
    fold = Fold(tmp_path)
    rule = fold.number(text)
    keys, target = fold.keys(rule), text.rsplit(maxsplit=1)[-1]
    expected = {f"target.first:word={target}", f"source.before:word=b target.first:word={target}"}
    if text not in LACKED:
        expected |= {f"rule={text}", f"source.before:word=b rule={text}"}
        equal = int(fold.same[rule])
        assert fold.features.rule_keys(rule).tolist() == fold.of_model.rule_keys(equal).tolist()
    assert set(fold.names(keys)) == expected
    of_rules, mixed = fold.features.shared_keys([rule], *fold.span)
    assert sorted(of_rules[0] + mixed[0]) == sorted(keys)


def test_rules_of_one_source_side_share_keys_only_of_what_they_have(tmp_path: Path) -> None:
    fold = Fold(tmp_path)
    rules = [fold.number(text) for text in ("a ||| w", "a ||| x")]
    both = zip(*fold.features.shared_keys(rules, *fold.span), strict=True)
    for rule, (of_rule, mixed) in zip(rules, both, strict=True):
        assert sorted(of_rule + mixed) == sorted(fold.keys(rule))


@pytest.mark.parametrize("past", ["", "b ||| z", "c ||| x"])
@pytest.mark.parametrize("text", ["a ||| w", "a ||| x"])
def test_joint_features(past: str, text: str, tmp_path: Path) -> None:
    """A previous rule that the model lacks is not the same as no previous rule."""
    fold = Fold(tmp_path)
    before = fold.number(past) if past else _core.NO_RULE
    last = fold.vocabulary.find("x")
    keys = fold.features.joint_keys(before, (last, last), fold.number(text)).tolist()
    expected = set()
    if past not in LACKED:
        expected.add(f"target.first:word={text[-1]} past.rule={past or '[none]'}")
    if text not in LACKED:
        expected.add(f"rule={text} past.last:word=x")
    if past not in LACKED and text not in LACKED:
        expected.add(f"rule={text} past.rule={past or '[none]'}")
    assert set(fold.names(keys)) == expected
