"""What only phrase search has: distortion limits, wide coverage, monotone spans."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from demotic.search import SearchOptions
from tests.near import near
from tests.oracle.phrase_search import Phrase, PhraseOracle, covered
from tests.search.brute_force import Words
from tests.search.decoder_checks import check_translations
from tests.search.kinds import KINDS, exhaustive, seeds
from tests.search.record_checks import edges_into
from tests.search.tiny_parts import lines, long_text, positive_weights, sentences
from tests.search.tiny_phrase import TinyPhrase, drawn_phrase, tiny_phrase

spaces = KINDS["phrase"].spaces


def usual(seed: int, folder: Path, reordering: str) -> TinyPhrase:
    model = tiny_phrase(random.Random(seed), folder, reordering=reordering, language_models=1)
    return model.weighted(positive_weights(model.weights))


def order_is_allowed(model: TinyPhrase, options: SearchOptions, words: Words) -> bool:
    """Whether each phrase of the translation may follow those before it."""
    found = model.decoder(options).translate(lines([words]))
    phrases = model.brute_force(words, options).of_steps(found.steps(0))
    oracle = model.oracle(options)
    return all(
        oracle.may_follow(len(words), phrases[:i], phrase) for i, phrase in enumerate(phrases)
    )


@pytest.mark.parametrize("reordering", ["none", "backward", "forward", "bidirectional"])
@pytest.mark.parametrize("limit", [-1, 0, 1, 2, 3])
def test_five_words_under_every_limit(reordering: str, limit: int, folder: Path) -> None:
    rng = random.Random(limit)
    model = tiny_phrase(rng, folder, reordering=reordering, language_models=2)
    options = exhaustive(SearchOptions(distortion_limit=limit, rule_limit=0))
    for words in [tuple(rng.choices("abcd", k=5)) for _ in range(2)]:
        (result,) = model.decoder(options).search(lines([words]))
        oracle = model.oracle(options)
        scores = [oracle.score(oracle.features(one)) for one in oracle.derivations(words)]
        assert result.forest.number_of_derivations == len(scores)
        listed = [one.score for one in result.kbest(len(scores))]
        assert listed == near(sorted(scores, reverse=True), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("length", [63, 64, 65, 100, 200])
@pytest.mark.parametrize("limit", [-1, 0, 6, 62, 63, 64, 90])
def test_sentences_wider_than_a_machine_word(length: int, limit: int, folder: Path) -> None:
    model = usual(5, folder, "bidirectional")
    # Distortion is rewarded, so that the search goes as far as it may.
    model = model.weighted(model.weights.replace({"distortion": -0.05}))
    options = SearchOptions(distortion_limit=limit, beam_size=20, pop_limit=40)
    words = long_text(length, length)
    check_translations(model, options, [words])
    assert order_is_allowed(model, options, words)
    steps = model.decoder(options).translate(lines([words])).steps(0)
    starts = [step.begin for step in steps]
    assert (starts == sorted(starts)) == (limit == 0)


def test_without_the_gap_test_coverage_is_wider_than_the_limit(folder: Path) -> None:
    model = usual(5, folder, "backward")
    options = SearchOptions(distortion_limit=5, gap_test=False, beam_size=50)
    words = long_text(1, 90)
    check_translations(model, options, [words])
    found = model.decoder(options).translate(lines([words]))
    assert found.fell_back or order_is_allowed(model, options, words)


def test_the_fallback_is_a_search_without_reordering(folder: Path) -> None:
    options, length = KINDS["phrase"].falls_back
    decoder = usual(3, folder, "bidirectional").decoder(options)
    found = decoder.translate(lines([long_text(1, length), long_text(1, 20)]))
    assert found.fell_back == [0]
    starts = [step.begin for step in found.steps(0)]
    assert starts == sorted(starts)


@pytest.mark.parametrize("language_models", [0, 1])
def test_unknown_words_may_be_dropped(language_models: int, folder: Path) -> None:
    model = tiny_phrase(random.Random(11), folder, language_models=language_models, operations=True)
    options, words = SearchOptions(drop_unknown=True), ("z", "<unk>", "</s>", "z")
    check_translations(model, options, [words])
    found = model.decoder(options).translate(lines([words]))
    assert (found.text, found.links(0)) == ([""], [])
    assert found.features[0][list(model.weights).index("unknown_word")] == -400


@settings(max_examples=60, deadline=None)
@given(seed=seeds, space=spaces)
def test_the_rule_limit_keeps_the_best_by_estimate(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    """The estimate of a rule includes its words under language models without context, but not
    its operations.
    """
    rng = random.Random(seed)
    options = replace(exhaustive(space), rule_limit=1, drop_unknown=False)
    model = drawn_phrase(rng, folder)
    oracle = model.oracle(replace(options, rule_limit=0))
    for words in sentences(rng, 4, 3):
        (result,) = model.decoder(options).search(lines([words]))
        edges = [
            edge for node in range(result.forest.nodes - 1) for edge in edges_into(result, node)
        ]
        used = {step for step, _ in edges}
        spans = [(step.begin, step.end) for step in used]
        assert len(spans) == len(set(spans))  # one rule each
        brute = model.brute_force(words, options)
        for step in used:
            check_best_of_span(brute.joined(step, [])[0], oracle.phrases(words), oracle)


def check_best_of_span(chosen: Phrase, phrases: Sequence[Phrase], oracle: PhraseOracle) -> None:
    rivals = [one for one in phrases if covered([one]) == covered([chosen])]
    estimate = oracle.estimate_without_operations
    best = max(map(estimate, rivals))
    assert estimate(chosen) == near(best, rel=1e-5, abs=1e-5)


@settings(max_examples=100, deadline=None)
@given(seed=seeds, space=spaces)
def test_monotone_translations_of_all_spans(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = drawn_phrase(rng, folder), exhaustive(space, beam_size=1)
    texts = sentences(rng, 6, 3)
    results = model.decoder(options).search(lines(texts), monotone=True)
    for words, result in zip(texts, results, strict=True):
        n, scores = len(words), result._native.monotone_score
        for (begin, end), (score, translations) in model.oracle(options).monotone(words).items():
            assert scores[begin * (n + 1) + end] == near(score, rel=1e-5, abs=1e-4)
            assert result.monotone(begin, end) in translations
        assert result.monotone(n, n) == ()


def test_monotone_translations_must_be_asked_for(folder: Path) -> None:
    (result,) = tiny_phrase(random.Random(1), folder).decoder(SearchOptions()).search(["a b"])
    with pytest.raises(ValueError, match="search with monotone=True"):
        result.monotone(0, 1)
