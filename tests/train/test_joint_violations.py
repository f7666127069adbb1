"""Violations with sparse features that look back at earlier steps of a derivation."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.features.weights import FeatureIndex, Weights
from demotic.train import TrainOptions
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered
from tests.search.tiny_parts import native_language_model, sentences
from tests.search.tiny_phrase import TinyPhrase, tiny_phrase
from tests.train.violations import (
    bad_phrase_scores,
    check_bins,
    check_update,
    phrase_options,
    seen_by,
)

TEMPLATES = (
    "rule",
    "source.before:word target.last:word",
    "past.rule rule",
    "past.first:word past.last:word rule",
    "past.last:word rule",
)


class Scored:
    """A tiny model with weights for all features that some derivations of a sentence have."""

    templates = TEMPLATES
    next_word = _core.SENTENCE_END  # after the last word

    def __init__(
        self, rng: random.Random, model: TinyPhrase, words: Words, oracle: PhraseOracle
    ) -> None:
        self.model, self.words, self.oracle = model, words, oracle
        store, vocabulary = model.rules.store, model.rules.vocabulary
        templates = [_core.FeatureTemplate(text) for text in self.templates]
        self.features = _core.TemplateFeatures(templates, [], store, vocabulary, False)
        self.table = _core.SparseTable(self.features.layout)
        self.rules = {(rule.source, rule.target): number for number, rule in enumerate(model.rules)}
        keys = sorted({key for one in oracle.derivations(words) for key in self.keys(one)})
        weights = np.array([rng.uniform(-2, 2) for _ in keys], np.float32)
        self.table.add(np.array(keys, np.uint64), weights, 0)

    def tiny(self, weight: float) -> TinyPhrase:
        native = _core.PhraseModel(
            self.model.rules.store,
            [native_language_model(arpa) for arpa in self.model.arpas],
            self.model.rules.vocabulary,
            _core.Sparse(self.features, self.table),
            self.model.unknown_phrase_penalty,
        )
        names = [*self.model.weights, "sparse"]
        values = np.append(self.model.weights.array, weight)
        return replace(self.model, native=native, weights=Weights(FeatureIndex(names), values))

    def keys(self, derivation: Derivation) -> list[int]:
        words = np.array(list(map(self.id, self.words)), np.int32)
        found: list[int] = []
        past, last_ids = _core.NO_RULE, [_core.SENTENCE_BEGIN] * 2
        for phrase in derivation:
            span = (words, self.next_word, phrase.begin, phrase.end)
            rule = _core.NO_RULE
            if phrase.scores is not None:
                source = self.words[phrase.begin : phrase.end]
                rule = self.rules[source, phrase.target]
                found += self.features.rule_keys(rule).tolist()
                found += self.features.mixed_keys(rule, *span).tolist()
                last = (last_ids[-2], last_ids[-1])
                found += self.features.joint_keys(past, last, rule).tolist()
            found += self.features.span_keys(*span).tolist()
            last_ids += map(self.id, phrase.target)
            past = rule
        return found

    def id(self, word: str) -> int:
        """A mark such as <s> in a text is an unknown word."""
        return _core.UNKNOWN if word == "<s>" else self.model.rules.vocabulary.find(word)

    def sum(self, derivation: Derivation) -> float:
        return sum(self.table.weight(key) for key in self.keys(derivation))


def gold_scores(scored: Scored, weight: float, reference: Words) -> list[float]:
    """The best score of each bin among the beginnings of gold derivations, without future cost."""
    oracle, words = scored.oracle, scored.words
    best = [-math.inf] * len(words)
    brute = scored.model.brute_force(words, oracle.options)
    for derivation in oracle.derivations(words):
        if yield_of(derivation) == reference:
            for count in range(1, len(derivation) + 1):
                part = derivation[:count]
                number = len(covered(part))
                values = oracle.features(part, complete=number == len(words))
                score = oracle.score(values) + weight * scored.sum(part)
                score += 0 if number == len(words) else brute.unknown_penalties(part)
                best[number - 1] = max(best[number - 1], score)
    return best


@pytest.mark.parametrize("seed", range(40))
def test_bins_with_features_that_look_back(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    plain, options = tiny_phrase(rng, tmp_path), phrase_options(rng)
    oracle = plain.oracle(options)
    train = TrainOptions(compare_by="score")
    for words in sentences(rng, 4, 3):
        derivations = list(oracle.derivations(words)) if words else []
        if not derivations:
            continue
        scored = Scored(rng, plain, words, oracle)
        model = scored.tiny(0.7)
        reference = yield_of(rng.choice(derivations))

        def is_gold(part: Derivation, words: Words = words, reference: Words = reference) -> bool:
            text, whole = yield_of(part), len(covered(part)) == len(words)
            return text == (reference if whole else reference[: len(text)])

        seen = seen_by(
            model, options, (words, reference), train, tmp_path / "gold.bin", scored.table
        )
        bad = bad_phrase_scores(model, options, words, is_gold, by_score=True)
        check_bins(model, seen, list(zip(gold_scores(scored, 0.7, reference), bad, strict=True)))
        check_sparse_update(seen, scored)


def yield_of(derivation: Derivation) -> Words:
    return tuple(word for phrase in derivation for word in phrase.target)


def check_sparse_update(seen: dict[str, object], scored: Scored) -> None:
    """The changes of sparse features add up to that of the dense feature that is their sum."""
    if not seen["updates"]:
        return
    changes: list[tuple[int, float]] = seen["sparse"]  # type: ignore[assignment]
    change = sum(delta * scored.table.weight(key) for key, delta in changes)
    assert change == pytest.approx(seen["dense"][-1], abs=1e-4)  # type: ignore[index]


def test_updates_have_only_sparse_features_of_the_two_derivations(tmp_path: Path) -> None:
    """Future costs have no sparse features, so an update changes exactly what was compared."""
    partial = 0
    for seed in range(120):
        rng = random.Random(seed)
        plain, options = tiny_phrase(rng, tmp_path), phrase_options(rng)
        options = replace(options, future_cost=True)
        oracle = plain.oracle(options)
        for words in filter(None, sentences(rng, 4, 2)):
            derivations = list(oracle.derivations(words))
            if not derivations:
                continue
            scored = Scored(rng, plain, words, oracle)
            reference = yield_of(rng.choice(derivations))
            pair = (words, reference)
            model, train = scored.tiny(0.7), TrainOptions()
            seen = seen_by(model, options, pair, train, tmp_path / "gold.bin", scored.table)
            if not seen["updates"] or seen["bin"] == len(words):
                continue
            partial += 1
            changes = dict(seen["sparse"])
            assert changes in _differences(scored, derivations, reference, seen["bin"])
            check_sparse_update(seen, scored)
            check_update(model.weights.array, seen)
    assert partial > 10


def _differences(
    scored: Scored, derivations: list[Derivation], reference: Words, size: int
) -> list[dict[int, int]]:
    """Keys of any gold derivation of `size` covered words minus those of any other one."""
    parts = {
        tuple(phrase.key for phrase in one[:count]): one[:count]
        for one in derivations
        for count in range(1, len(one) + 1)
        if len(covered(one[:count])) == size
    }
    gold, bad = [], []
    for part in parts.values():
        text = yield_of(part)
        side = gold if text == reference[: len(text)] else bad
        side.append(Counter(scored.keys(part)))
    found = []
    for one in gold:
        for other in bad:
            keys = one.keys() | other.keys()
            found.append({key: one[key] - other[key] for key in keys if one[key] != other[key]})
    return found
