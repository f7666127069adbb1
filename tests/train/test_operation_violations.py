"""Gold derivations under an operation sequence model, which looks back further than one phrase."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from demotic.train import TrainOptions
from tests.oracle.phrase_search import Derivation, Words, covered
from tests.search.tiny_parts import sentences
from tests.search.tiny_phrase import TinyPhrase, tiny_phrase
from tests.train.violations import TRAINED, check_update, phrase_options, seen_by


def yield_of(derivation: Derivation) -> Words:
    return tuple(word for phrase in derivation for word in phrase.target)


def gold_scores(
    model: TinyPhrase, found: list[Derivation], words: Words, reference: Words
) -> list[list[float]]:
    """The scores of all beginnings of gold derivations, by covered words, without future cost."""
    oracle, brute = model.oracle(TRAINED_OPTIONS), model.brute_force(words, TRAINED_OPTIONS)
    scores: list[list[float]] = [[] for _ in words]
    for derivation in found:
        if yield_of(derivation) != reference:
            continue
        for count in range(1, len(derivation) + 1):
            part = derivation[:count]
            number = len(covered(part))
            whole = number == len(words)
            score = oracle.score(oracle.features(part, complete=whole))
            scores[number - 1].append(score + (0 if whole else brute.unknown_penalties(part)))
    return scores


TRAINED_OPTIONS = phrase_options(random.Random(0))


@pytest.mark.parametrize("seed", range(30))
def test_gold_scores_are_those_of_gold_derivations(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    model = tiny_phrase(rng, tmp_path, operations=True)
    for words in sentences(rng, 4, 3):
        found = list(model.oracle(TRAINED_OPTIONS).derivations(words)) if words else []
        if not found:
            continue
        reference = yield_of(rng.choice(found))
        train = TrainOptions(compare_by="score")
        seen = seen_by(model, TRAINED_OPTIONS, (words, reference), train, tmp_path / "gold.bin")
        bins = [pair[0] for pair in seen["bins"]][TRAINED["phrase"].first_bin :]
        expected = gold_scores(model, found, words, reference)
        for score, possible in zip(bins, expected, strict=True):
            assert math.isfinite(score) == bool(possible)
            if possible:
                assert min(abs(score - one) for one in possible) < 1e-3
                assert score < max(possible) + 1e-3
        check_update(model.weights.array, seen)
