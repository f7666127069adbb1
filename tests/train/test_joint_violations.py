"""Training with features that look back: gold derivations by enumeration, bad ones of a record."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.features.weights import FeatureIndex, Weights
from demotic.train import TrainOptions
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered
from tests.search.tiny import Tiny, _native, sentences, tiny_model
from tests.train.test_phrase_violations import Bins, bad_bins, check, drawn, look, said

TEMPLATES = (
    "rule",
    "source.before:word target.last:word",
    "past.rule rule",
    "past.first:word past.last:word rule",
    "past.last:word rule",
)


class Scored:
    """A tiny model with weights for all features that some derivations of a sentence have."""

    def __init__(self, rng: random.Random, model: Tiny, words: Words, oracle: PhraseOracle) -> None:
        self.model, self.words, self.oracle = model, words, oracle
        store, vocabulary = model.rules.store, model.rules.vocabulary
        templates = [_core.FeatureTemplate(text) for text in TEMPLATES]
        self.features = _core.TemplateFeatures(templates, [], store, vocabulary, False)
        self.table = _core.SparseTable(self.features.layout)
        self.rules = {(rule.source, rule.target): number for number, rule in enumerate(model.rules)}
        keys = sorted({key for one in oracle.derivations(words) for key in self.keys(one)})
        weights = np.array([rng.uniform(-2, 2) for _ in keys], np.float32)
        self.table.add(np.array(keys, np.uint64), weights, 0)

    def tiny(self, weight: float) -> Tiny:
        native = _core.PhraseModel(
            self.model.rules.store,
            [_native(arpa) for arpa in self.model.arpas],
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
        past, said_ids = _core.NO_RULE, [_core.SENTENCE_BEGIN] * 2
        for phrase in derivation:
            span = (words, _core.SENTENCE_END, phrase.begin, phrase.end)
            rule = _core.NO_RULE
            if phrase.scores is not None:
                source = self.words[phrase.begin : phrase.end]
                rule = self.rules[source, phrase.target]
                found += self.features.rule_keys(rule).tolist()
                found += self.features.mixed_keys(rule, *span).tolist()
                last = (said_ids[-2], said_ids[-1])
                found += self.features.joint_keys(past, last, rule).tolist()
            found += self.features.span_keys(*span).tolist()
            said_ids += map(self.id, phrase.target)
            past = rule
        return found

    def id(self, word: str) -> int:
        """A mark in a text is a word like any other, and not a known one."""
        return _core.UNKNOWN if word == "<s>" else self.model.rules.vocabulary.find(word)

    def sum(self, derivation: Derivation) -> float:
        return sum(self.table.weight(key) for key in self.keys(derivation))


def gold_bins(scored: Scored, weight: float, reference: Words) -> Bins:
    oracle, words = scored.oracle, scored.words
    bins: Bins = defaultdict(lambda: -math.inf)
    for derivation in oracle.derivations(words):
        if said(derivation) == reference:
            for count in range(1, len(derivation) + 1):
                part = derivation[:count]
                number = len(covered(part))
                values = oracle.features(part, complete=number == len(words))
                score = oracle.score(values) + weight * scored.sum(part)
                bins[number] = max(bins[number], score)
    return bins


@pytest.mark.parametrize("seed", range(40))
def test_bins_with_features_that_look_back(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    plain, options = tiny_model(rng, tmp_path), drawn(rng)
    oracle = plain.oracle(options)
    train = TrainOptions(future=False)
    for words in sentences(rng, 4, 3):
        derivations = list(oracle.derivations(words)) if words else []
        if not derivations:
            continue
        scored = Scored(rng, plain, words, oracle)
        model = scored.tiny(0.7)
        reference = said(rng.choice(derivations))
        seen = look(model, options, (words, reference), train, tmp_path / "gold.bin", scored.table)
        assert seen is not None
        gold = gold_bins(scored, 0.7, reference)
        bad = bad_bins(model, options, words, reference, ahead=False)
        check(model, seen, gold, bad)
        check_update(seen, scored)


def check_update(seen: dict[str, object], scored: Scored) -> None:
    """What the update changes in sparse features is worth what it says of their sum."""
    if not seen["updates"]:
        return
    changes: list[tuple[int, float]] = seen["sparse"]  # type: ignore[assignment]
    worth = sum(delta * scored.table.weight(key) for key, delta in changes)
    assert worth == pytest.approx(seen["dense"][-1], abs=1e-4)  # type: ignore[index]
