"""Violations of reachable prefixes of unreachable pairs, against enumeration.

A prefix is not the end of the sentence: scores do not contain </s>, and features see the word that
follows in the pair.
"""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

from demotic import _core
from demotic.force import ForceOptions
from demotic.search import SearchOptions
from demotic.train import TrainOptions
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered
from tests.search.tiny_parts import HUGE, sentences
from tests.search.tiny_phrase import TinyPhrase, tiny_phrase
from tests.train.test_joint_violations import Scored, check_sparse_update, yield_of
from tests.train.violations import Pairs, check_bins, trainer_of

WEIGHT = 0.7
TEMPLATES = ("rule", "source.after:word target.last:word", "source.before:word source.after:word")
TRAIN = TrainOptions(compare_by="score")


class ScoredPrefix(Scored):
    """The derivations of the first words of a sentence."""

    templates = TEMPLATES

    def __init__(
        self, rng: random.Random, model: TinyPhrase, whole: Words, size: int, oracle: PhraseOracle
    ) -> None:
        self.after = whole[size]
        super().__init__(rng, model, whole[:size], oracle)

    @property
    def next_word(self) -> int:
        return self.id(self.after)

    def score(self, part: Derivation) -> float:
        """Of a partial derivation: without the end of the sentence, with unknown words to come."""
        brute = self.model.brute_force(self.words, self.oracle.options)
        values = self.oracle.features(part, complete=False)
        score = self.oracle.score(values) + WEIGHT * self.sum(part)
        return score if brute.is_whole(part) else score + brute.unknown_penalties(part)


def expected_bins(scored: ScoredPrefix, reference: Words) -> Pairs:
    """The best gold derivation of each bin, and the best hypothesis that is not gold.

    Of hypotheses with equal futures, only the best is compared; nothing is returned if two of them
    tie, because a search may keep either.
    """
    words = scored.words
    brute = scored.model.brute_force(words, scored.oracle.options)
    gold, bad = [-math.inf] * len(words), [-math.inf] * len(words)
    best: dict[Any, tuple[float, Derivation]] = {}
    for derivation in scored.oracle.derivations(words):
        for count in range(1, len(derivation) + 1):
            part = derivation[:count]
            score, place = scored.score(part), len(covered(part)) - 1
            if yield_of(derivation) == reference:
                gold[place] = max(gold[place], score)
            state = place, brute.state(part)
            before = best.get(state)
            if before and math.isclose(score, before[0]) and yield_of(part) != yield_of(before[1]):
                return []
            if before is None or score > before[0]:
                best[state] = score, part
    for (place, _), (score, part) in best.items():
        text = yield_of(part)
        if text != (reference if brute.is_whole(part) else reference[: len(text)]):
            bad[place] = max(bad[place], score)
    return list(zip(gold, bad, strict=True))


def prefix_pair(
    rng: random.Random, oracle: PhraseOracle, words: Words
) -> tuple[Words, Words] | None:
    """A pair whose reference is unreachable after the first words."""
    size = rng.randint(1, len(words) - 1)
    derivations = list(oracle.derivations(words[:size]))
    return (words, (*yield_of(rng.choice(derivations)), "elsewhere")) if derivations else None


def test_bins_of_prefixes(tmp_path: Path) -> None:
    compared = updates = 0
    for seed in range(80):
        rng = random.Random(seed)
        plain = tiny_phrase(rng, tmp_path)
        search = SearchOptions(
            beam_size=HUGE, pop_limit=HUGE, rule_limit=0, distortion_limit=rng.choice((0, 2, 6))
        )
        oracle = plain.oracle(search)
        for words in (one for one in sentences(rng, 4, 4) if len(one) > 1):
            pair = prefix_pair(rng, oracle, words)
            gold = pair and prefixes_of(plain, search, pair, tmp_path)
            if not gold:
                continue
            size, length = gold.forest(0).source_length, gold.forest(0).target_length
            if size == len(words):
                continue
            scored = ScoredPrefix(rng, plain, words, size, oracle)
            model = scored.tiny(WEIGHT)
            source = _core.SourceSentences(model.native, *map(_joined, pair), [size])
            trainer = trainer_of("phrase", model.native, search, TRAIN, model.weights, scored.table)
            seen: dict[str, Any] = trainer.inspect(source, gold, 0)
            expected = expected_bins(scored, pair[1][:length])
            if not expected:
                continue
            check_bins(model, seen, expected)
            check_sparse_update(seen, scored)
            compared += 1
            updates += seen["updates"]
    assert compared > 60
    assert updates > 20


def prefixes_of(
    model: TinyPhrase, search: SearchOptions, pair: tuple[Words, Words], folder: Path
) -> _core.GoldForests | None:
    """The longest reachable prefix; None if there is none."""
    limits = ForceOptions(
        distortion_limit=search.distortion_limit,
        gap_test=search.gap_test,
        prefixes="longest",
        min_source_words=1,
        find_cause=False,
    )
    source = _core.SourceSentences(model.native, *map(_joined, pair))
    _core.force_corpus(model.native, limits.native(), source, str(folder / "gold"), 1, None)
    gold = _core.GoldForests.open(str(folder / "gold"), True)
    return gold if len(gold) else None


def _joined(words: Words) -> list[str]:
    return [" ".join(words)]
