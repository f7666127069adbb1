"""The bins that training looks at, against gold derivations by enumeration and a record's bins."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.search import SearchOptions
from demotic.train import TrainOptions
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered
from tests.search.test_bins import opened
from tests.search.tiny import HUGE, Tiny, sentences, tiny_model

Bins = dict[int, float]
Key = tuple[object, ...]


def said(derivation: Derivation) -> Words:
    return tuple(word for phrase in derivation for word in phrase.target)


def key_of(derivation: Derivation) -> Key:
    return tuple(phrase.key for phrase in derivation)


def future(oracle: PhraseOracle, words: Words, derivation: Derivation) -> float:
    """The best monotone score of each open stretch."""
    best, done, total = oracle.monotone(words), covered(derivation), 0.0
    begin = 0
    while begin < len(words):
        if begin in done:
            begin += 1
            continue
        end = begin
        while end < len(words) and end not in done:
            end += 1
        total += best[begin, end][0]
        begin = end
    return total


def gold_bins(oracle: PhraseOracle, words: Words, reference: Words, *, ahead: bool) -> Bins:
    bins: Bins = defaultdict(lambda: -math.inf)
    for derivation in oracle.derivations(words):
        if said(derivation) != reference:
            continue
        for count in range(1, len(derivation) + 1):
            part = derivation[:count]
            complete = len(covered(part)) == len(words)
            score = oracle.score(oracle.features(part, complete=complete))
            if ahead and not complete:
                score += future(oracle, words, part)
            number = len(covered(part))
            bins[number] = max(bins[number], score)
    return bins


def bad_bins(
    model: Tiny,
    options: SearchOptions,
    words: Words,
    reference: Words,
    *,
    ahead: bool,
    completed: set[Key] | None = None,
) -> Bins:
    """`completed`: what agrees with the reference so far is bad if it is not among these."""
    (result,) = model.decoder(options).search([" ".join(words)], record="bins")
    taken, found = opened(model, options, words, result), result.bins
    bins: Bins = defaultdict(lambda: -math.inf)
    for number in found.numbers:
        for node in found.members(number).tolist():
            text = said(taken.paths[node])
            complete = number == len(words)
            gold = text == reference if complete else text == reference[: len(text)]
            if completed is not None:
                gold = gold and key_of(taken.paths[node]) in completed
            if found.alive[node] and not gold:
                rest = found.future[node] if ahead or complete else 0.0
                bins[number] = max(bins[number], float(found.score[node] + rest))
    return bins


def look(
    model: Tiny,
    options: SearchOptions,
    pair: tuple[Words, Words],
    train: TrainOptions,
    path: Path,
    table: _core.SparseTable | None = None,
) -> dict[str, object] | None:
    """What training sees; None if the reference cannot be derived."""
    source, reference = (" ".join(side) for side in pair)
    forced = _core.ForceOptions()
    forced.distortion_limit, forced.gap_test = options.distortion_limit, options.gap_test
    sentence = _core.SourceSentences(model.native, [source], [reference])
    _core.force_corpus(model.native, forced, sentence, str(path), 1, None)
    gold = _core.GoldForests.open(str(path), True)
    if len(gold) == 0:
        return None
    native = _core.TrainerOptions()
    native.violations = train.violations()
    native.rates = [1.0] * len(model.weights)
    weights = model.weights.array
    trainer = _core.PhraseTrainer(model.native, table, options.phrase(), native, weights)
    seen: dict[str, object] = trainer.inspect(sentence, gold, 0)
    return seen


def drawn(rng: random.Random) -> SearchOptions:
    beam = rng.choice((1, 2, 4, HUGE))
    return SearchOptions(
        beam_size=beam,
        pop_limit=HUGE,
        rule_limit=0,
        cube_pruning=rng.random() < 0.5,
        distortion_limit=rng.choice((-1, 0, 1, 3, 6)),
        early_distortion=rng.random() < 0.3,
    )


@pytest.mark.parametrize("seed", range(60))
def test_bins_are_those_of_enumeration(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    model = tiny_model(rng, tmp_path)
    options = drawn(rng)
    oracle = model.oracle(options)
    reachable = 0
    for words in sentences(rng, 4, 4):
        derivations = list(oracle.derivations(words)) if words else []
        if not derivations:
            continue
        reference = said(rng.choice(derivations))
        train = TrainOptions(future=rng.random() < 0.7)
        seen = look(model, options, (words, reference), train, tmp_path / "gold.bin")
        assert seen is not None
        reachable += 1
        gold = gold_bins(oracle, words, reference, ahead=train.future)
        bad = bad_bins(model, options, words, reference, ahead=train.future)
        check(model, seen, gold, bad)
    assert reachable or seed % 7  # most models derive something


@pytest.mark.parametrize("seed", range(30))
def test_dead_ends_may_count_as_bad(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    model = tiny_model(rng, tmp_path)
    options = drawn(rng)
    oracle = model.oracle(options)
    train = TrainOptions(dead_ends="bad")
    for words in sentences(rng, 4, 4):
        derivations = list(oracle.derivations(words)) if words else []
        if not derivations:
            continue
        reference = said(rng.choice(derivations))
        golden = [one for one in derivations if said(one) == reference]
        prefixes = {key_of(one[:count]) for one in golden for count in range(1, len(one) + 1)}
        seen = look(model, options, (words, reference), train, tmp_path / "gold.bin")
        assert seen is not None
        gold = gold_bins(oracle, words, reference, ahead=True)
        bad = bad_bins(model, options, words, reference, ahead=True, completed=prefixes)
        check(model, seen, gold, bad)


def check(model: Tiny, seen: dict[str, object], gold: Bins, bad: Bins) -> None:
    found: list[tuple[float, float, bool]] = seen["bins"]  # type: ignore[assignment]
    violations = {}
    for number in range(1, len(found)):
        assert found[number][0] == pytest.approx(gold[number], abs=1e-3)
        assert found[number][1] == pytest.approx(bad[number], abs=1e-3)
        if math.isfinite(gold[number]) and math.isfinite(bad[number]):
            violations[number] = bad[number] - gold[number]
    if not violations:
        assert seen["bin"] == -1
        return
    most = max(violations.values())
    assert violations[seen["bin"]] == pytest.approx(most, abs=1e-3)  # type: ignore[index]
    assert seen["violation"] == pytest.approx(most, abs=1e-3)
    if seen["updates"]:
        change = np.array(seen["dense"])
        assert -float(model.weights.array @ change) == pytest.approx(most, abs=1e-3)
