"""Leave-one-out: a pair is decoded without the rules seen only in it, which leave no gaps.

They are removed before the rules of a source side are cut to the best ones.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic import _core
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.search import SearchOptions
from demotic.train import TrainOptions
from tests.force.phrase_tasks import extracted_model
from tests.force.tiny import TinyModel, Words
from tests.oracle.phrase_search import PhraseOracle, Scores
from tests.search.tiny_parts import HUGE
from tests.train.test_unreachable import no_forests
from tests.train.violations import trainer_of

TRAIN = TrainOptions(unreachable="local")


def table_without(model: TinyModel, pair: int) -> dict[Words, list[tuple[Words, Scores]]]:
    """The rules of a model but those seen only in a pair."""
    table: dict[Words, list[tuple[Words, Scores]]] = defaultdict(list)
    names = model.rules.store.score_names
    for number, rule in enumerate(model.rules):
        if rule.only_sentence != pair:
            scores = dict(zip(names, model.rules.store.scores(number), strict=True))
            table[tuple(rule.source)].append((tuple(rule.target), scores))
    return table


def weights_of(rng: random.Random, model: TinyModel) -> Weights:
    names = dense_features("phrase", model.rules.store.score_names, 0)
    return Weights.of({name: rng.uniform(-1, 1) for name in names})


def test_the_rule_limit_counts_only_rules_that_may_be_used(tmp_path: Path) -> None:
    """The 1-best of each pair, against enumeration with the rules of the other pairs."""
    compared = replaced = 0
    for seed in range(80):
        rng = random.Random(seed)
        model, bitext = extracted_model(rng, tmp_path)
        weights = weights_of(rng, model)
        search = SearchOptions(
            beam_size=HUGE, pop_limit=HUGE, rule_limit=rng.choice((1, 2)), distortion_limit=2
        )
        native: Any = model.native
        trainer = trainer_of("phrase", native, search, TRAIN, weights)
        sources = [" ".join(source) for source, _ in bitext]
        numbers = list(range(len(bitext)))
        text = _core.SourceSentences(native, sources, ["elsewhere"] * len(bitext), [], numbers)
        gold = no_forests(model, tmp_path)
        for number, (source, _) in enumerate(bitext):
            scores = best_scores(model, weights, search, number, source)
            if scores is None:
                continue
            seen: dict[str, Any] = trainer.inspect(text, gold, number)
            assert seen["bins"][-1][1] == pytest.approx(scores[0], abs=1e-3)
            compared += 1
            replaced += scores[1]
    assert compared > 100
    assert replaced > 15  # otherwise the order of limit and removal does not matter


def best_scores(
    model: TinyModel, weights: Weights, search: SearchOptions, pair: int, source: Words
) -> tuple[float, bool] | None:
    """The best score without the rules of the pair, and whether it needs a rule that takes the
    place of one of those; None if nothing is reachable in this order."""
    table = table_without(model, pair)
    oracle = PhraseOracle(table, [], weights, search)
    found = [oracle.score(oracle.features(one)) for one in oracle.derivations(source)]
    if not found:
        return None
    late = PhraseOracle(limited(model, weights, search, pair), [], weights, search)
    others = [late.score(late.features(one)) for one in late.derivations(source)]
    return max(found), not others or max(others) != pytest.approx(max(found), abs=1e-6)


def limited(
    model: TinyModel, weights: Weights, search: SearchOptions, pair: int
) -> dict[Words, list[tuple[Words, Scores]]]:
    """The best rules of each source side, then without those of the pair."""
    everything = PhraseOracle(table_without(model, -2), [], weights, replace(search, rule_limit=0))
    usable = table_without(model, pair)
    chosen: dict[Words, list[tuple[Words, Scores]]] = {}
    for source, rules in table_without(model, -2).items():
        estimated = everything.phrases(source)
        whole = [one for one in estimated if (one.begin, one.end) == (0, len(source))]
        best = {one.target for one in whole[: search.rule_limit]}
        rest = [rule for rule in rules if rule[0] in best and rule in usable.get(source, [])]
        if rest:
            chosen[source] = rest
    return chosen
