"""The bins that training compares, by brute force, and what a trainer reports of them.

In every bin with gold derivations training compares the best of them with the best derivation on
the beam that is not gold.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from demotic import _core
from demotic.search import SearchOptions
from demotic.train import TrainOptions
from tests.near import near
from tests.oracle.hiero_search import GLUE, HieroOracle, Tree
from tests.oracle.phrase_search import Derivation, covered
from tests.search.brute_force import Words
from tests.search.kinds import TinyModel, exhaustive
from tests.search.record_checks import OpenedRecord
from tests.search.tiny_hiero import TinyHiero, tiny_hiero
from tests.search.tiny_parts import HUGE
from tests.search.tiny_phrase import TinyPhrase, tiny_phrase

__all__ = [
    "TRAINED",
    "Pairs",
    "Seen",
    "Trained",
    "bad_phrase_scores",
    "check_bins",
    "check_update",
    "phrase_options",
    "seen_by",
    "trainer_of",
]

Pairs = list[tuple[float, float]]  # best gold and best bad score of each bin, the whole last
Seen = dict[str, Any]  # what Trainer.look returns


@dataclass(frozen=True)
class Trained:
    """What differs between the kinds of models in the tests of violations."""

    tiny: Callable[..., TinyModel]
    options: Callable[[random.Random], SearchOptions]
    trainer: Callable[..., Any]
    expected: Callable[[Any, SearchOptions, Words, Words, TrainOptions], Pairs]
    first_bin: int  # before it, bins hold nothing
    in_order: bool  # bins have an order that brute force knows


def trainer_of(
    kind: str,
    native: Any,
    search: SearchOptions,
    train: TrainOptions,
    weights: Any,
    table: _core.SparseTable | None = None,
) -> Any:
    options = _core.TrainerOptions()
    options.violations = train.violations()
    options.rates = [1.0] * len(weights)
    limits = search.phrase() if kind == "phrase" else search.hiero()
    return TRAINED[kind].trainer(native, table, limits, options, weights.array)


def seen_by(
    model: TinyModel,
    search: SearchOptions,
    pair: tuple[Words, Words],
    train: TrainOptions,
    path: Path,
    table: _core.SparseTable | None = None,
) -> Seen:
    """What a trainer sees of a pair whose reference is reachable."""
    source, reference = (" ".join(side) for side in pair)
    limits = _core.ForceOptions()
    limits.distortion_limit, limits.gap_test = search.distortion_limit, search.gap_test
    limits.span_limit = search.span_limit
    sentence = _core.SourceSentences(model.native, [source], [reference])
    _core.force_corpus(model.native, limits, sentence, str(path), 1, None)
    gold = _core.GoldForests.open(str(path), True)
    assert len(gold) == 1
    trainer = trainer_of(model.kind, model.native, search, train, model.weights, table)
    seen: Seen = trainer.inspect(sentence, gold, 0)
    return seen


def check_bins(model: TinyModel, seen: Seen, expected: Pairs) -> None:
    """All bins, the chosen one, and the update."""
    kind = TRAINED[model.kind]
    bins = [pair[:2] for pair in seen["bins"]]
    found = bins[kind.first_bin :]
    assert found[-1] == near(expected[-1], abs=1e-3)
    arranged = list if kind.in_order else sorted
    ours, theirs = np.array(arranged(found)), np.array(arranged(expected))
    assert ours == near(theirs, abs=1e-3)
    violations = [bad - gold for gold, bad in expected if math.isfinite(gold + bad)]
    if seen["correct"] or not violations:
        assert seen["bin"] == -1
        assert not seen["updates"]
        return
    gold, bad = bins[seen["bin"]]
    assert bad - gold == near(max(violations), abs=1e-3)
    assert seen["violation"] == near(bad - gold, abs=1e-6)
    check_update(model.weights.array, seen)


def check_update(weights: Any, seen: Seen) -> None:
    """An update changes what the two derivations differ in, so weights times it is a violation."""
    if seen["updates"]:
        change = float(weights @ np.array(seen["dense"]))
        assert -change == near(seen["violation"], abs=1e-3)


# Phrases: bins by number of covered words; gold is what agrees with the reference so far.


def phrase_options(rng: random.Random) -> SearchOptions:
    return SearchOptions(
        beam_size=rng.choice((1, 2, 4, HUGE)),
        pop_limit=HUGE,
        rule_limit=0,
        cube_pruning=rng.random() < 0.5,
        distortion_limit=rng.choice((-1, 0, 1, 3, 6)),
        early_distortion=rng.random() < 0.3,
        future_cost=rng.random() < 0.6,
    )


def _phrase_bins(
    model: TinyPhrase, options: SearchOptions, words: Words, reference: Words, train: TrainOptions
) -> Pairs:
    brute = model.brute_force(words, options)
    gold = [-math.inf] * len(words)
    complete = set()
    for derivation in brute.derivations()[0]:
        if brute.target(derivation) != reference:
            continue
        for count in range(1, len(derivation) + 1):
            part = derivation[:count]
            complete.add(brute.key(part))
            score = brute.score(part, complete=False)
            if train.compare_by == "ranking" or brute.is_whole(part):
                score += brute.future(part)
            else:
                score += brute.unknown_penalties(part)
            place = len(covered(part)) - 1
            gold[place] = max(gold[place], score)

    def is_gold(part: Derivation) -> bool:
        text = brute.target(part)
        if train.dead_ends == "bad" and brute.key(part) not in complete:
            return False
        return text == (reference if brute.is_whole(part) else reference[: len(text)])

    bad = bad_phrase_scores(model, options, words, is_gold, by_score=train.compare_by == "score")
    return list(zip(gold, bad, strict=True))


def bad_phrase_scores(
    model: TinyPhrase,
    options: SearchOptions,
    words: Words,
    is_gold: Callable[[Derivation], bool],
    *,
    by_score: bool,
) -> list[float]:
    """The best score of each bin among the survivors of a recorded search that are not gold."""
    (result,) = model.decoder(options).search([" ".join(words)], record="bins")
    brute = model.brute_force(words, options, fell_back=result.fell_back)
    record, bins = OpenedRecord.of(brute, result), result.bins
    bad = [-math.inf] * len(words)
    for node, derivation in record.best.items():
        if bins.alive[node] and not is_gold(derivation):
            bare = by_score and not brute.is_whole(derivation)
            rest = brute.unknown_penalties(derivation) if bare else float(bins.future[node])
            place = int(bins.bin[node]) - 1
            bad[place] = max(bad[place], float(bins.score[node]) + rest)
    return bad


# Hiero: bins by nonterminal and span; gold is what yields the same words as a part of a gold tree.


def _hiero_options(rng: random.Random) -> SearchOptions:
    """Training goes down the k best of a hypothesis, so brute force is compared without a beam."""
    return exhaustive(SearchOptions(rule_limit=0, span_limit=rng.choice((0, 3))))


def _hiero_bins(
    model: TinyHiero, options: SearchOptions, words: Words, reference: Words, train: TrainOptions
) -> Pairs:
    brute = model.brute_force(words, options)
    yields: dict[Hashable, set[Words]] = defaultdict(set)
    whole: Hashable = None
    for tree in brute.oracle.derivations()[0]:
        if tree.words(words) == reference:
            whole = brute.bin(tree)
            for part in tree.steps():
                yields[brute.bin(part)].add(part.words(words))
    yields[whole] = {reference}  # parts of it are not gold there
    pairs = {}
    for name, gold_yields in yields.items():
        best = {True: -math.inf, False: -math.inf}
        for tree in _trees_of(brute.oracle, name):
            gold = tree.words(words) in gold_yields
            best[gold] = max(best[gold], brute.score(tree, complete=name == whole))
        pairs[name] = best[True], best[False]
    return [*(pair for name, pair in pairs.items() if name != whole), pairs[whole]]


def _trees_of(oracle: HieroOracle, name: Any) -> list[Tree]:
    label, begin, end = name
    if label == GLUE:
        return oracle.glued(end, [oracle.space.nonterminal])
    return oracle.of(label, begin, end)


TRAINED = {
    "phrase": Trained(tiny_phrase, phrase_options, _core.PhraseTrainer, _phrase_bins, 1, True),
    "hiero": Trained(tiny_hiero, _hiero_options, _core.HieroTrainer, _hiero_bins, 0, False),
}
