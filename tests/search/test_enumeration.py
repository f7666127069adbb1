"""With an unlimited beam the search finds what trying every derivation finds, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings

from demotic.search import SearchOptions, Step
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words
from tests.search.spaces import exhaustive, lines, seeds, spaces, unlimited_cubes
from tests.search.tiny import Tiny, phrases_of, sentences, tiny_model

LONGEST = 4


def keys(derivation: Derivation) -> tuple[object, ...]:
    return tuple(phrase.key for phrase in derivation)


def every(oracle: PhraseOracle, words: Words) -> tuple[list[Derivation], PhraseOracle]:
    """All derivations; where there are none those without reordering, as the search falls back."""
    if found := list(oracle.derivations(words)):
        return found, oracle
    monotone = oracle.under(replace(oracle.options, distortion_limit=0))
    return list(monotone.derivations(words)), monotone


def check_values(
    model: Tiny,
    options: SearchOptions,
    words: Words,
    steps: Sequence[Step],
    values: Sequence[float],
) -> None:
    """Each feature equals what the oracle makes of the same steps."""
    oracle = model.oracle(options)
    again = oracle.features(phrases_of(model, words, steps, dropped=options.drop_unknown))
    assert dict(zip(model.weights, values, strict=True)) == pytest.approx(again, rel=1e-6, abs=1e-6)


@settings(max_examples=250, deadline=None)
@given(seed=seeds, space=spaces)
def test_best_translation_is_the_best_of_all(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_model(rng, folder), exhaustive(space)
    texts = sentences(rng, LONGEST, 4)
    found = model.decoder(options).translate(lines(texts))
    for i, words in enumerate(texts):
        all_of_them, oracle = every(model.oracle(options), words)
        best = max(oracle.score(oracle.features(one)) for one in all_of_them)
        assert found.scores[i] == pytest.approx(best, rel=1e-4, abs=1e-4)
        assert found.scores[i] == pytest.approx(model.weights.array @ found.features[i], rel=1e-9)
        check_values(model, options, words, found.steps(i), found.features[i].tolist())
        assert (i in found.fell_back) == (oracle.options.distortion_limit != space.distortion_limit)


@settings(max_examples=150, deadline=None)
@given(seed=seeds, space=spaces)
def test_forest_holds_every_derivation_once(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_model(rng, folder), exhaustive(space)
    texts = sentences(rng, LONGEST, 3)
    for words, result in zip(texts, model.decoder(options).search(lines(texts)), strict=True):
        all_of_them, oracle = every(model.oracle(options), words)
        assert result.forest.number_of_derivations == len(all_of_them)
        listed = result.kbest(len(all_of_them) + 1)
        spelled = [
            phrases_of(model, words, one.steps, dropped=options.drop_unknown) for one in listed
        ]
        assert Counter(map(keys, spelled)) == Counter(map(keys, all_of_them))
        assert all(a.score >= b.score - 1e-9 for a, b in pairwise(listed))
        for one, phrases in zip(listed, spelled, strict=True):
            assert one.words == tuple(word for phrase in phrases for word in phrase.target)
            values = oracle.features(phrases)
            assert dict(zip(model.weights, one.features, strict=True)) == pytest.approx(
                values, rel=1e-6, abs=1e-6
            )
            assert one.score == pytest.approx(model.weights.array @ one.features, rel=1e-9)


@settings(max_examples=150, deadline=None)
@given(seed=seeds, space=spaces)
def test_cube_pruning_without_limits_misses_nothing(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    rng = random.Random(seed)
    model = tiny_model(rng, folder)
    texts = lines(sentences(rng, LONGEST + 1, 4))
    pruned = model.decoder(unlimited_cubes(space))
    full = model.decoder(exhaustive(space))
    assert pruned.translate(texts).scores == pytest.approx(
        full.translate(texts).scores, rel=1e-5, abs=1e-5
    )
    for a, b in zip(pruned.search(texts), full.search(texts), strict=True):
        assert (a.forest.nodes, a.forest.edges) == (b.forest.nodes, b.forest.edges)
        assert a.forest.number_of_derivations == b.forest.number_of_derivations
        some = min(200, int(b.forest.number_of_derivations))
        ours = [one.score for one in a.kbest(some)]
        assert ours == pytest.approx([one.score for one in b.kbest(some)], rel=1e-6, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, space=spaces)
def test_pruned_search_never_beats_all_and_reports_its_own_score(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    rng = random.Random(seed)
    model = tiny_model(rng, folder)
    texts = sentences(rng, 7, 5)
    options = replace(space, beam_size=rng.choice((1, 2, 5)), pop_limit=rng.choice((1, 3, 20)))
    found = model.decoder(options).translate(lines(texts))
    full = model.decoder(exhaustive(space)).translate(lines(texts))
    for i, words in enumerate(texts):
        if i in found.fell_back or i not in full.fell_back:
            assert found.scores[i] <= full.scores[i] + 1e-4 * max(1, abs(full.scores[i]))
        check_values(model, options, words, found.steps(i), found.features[i].tolist())


@settings(max_examples=60, deadline=None)
@given(seed=seeds, space=spaces)
def test_rule_limit_keeps_the_best_by_estimate(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    rng = random.Random(seed)
    options = replace(exhaustive(space), rule_limit=1, drop_unknown=False)
    model = tiny_model(rng, folder)
    oracle = model.oracle(replace(options, rule_limit=0))
    for words in sentences(rng, LONGEST, 3):
        (result,) = model.decoder(options).search(lines([words]))
        used = {(b, e, r) for _, r, b, e in _edges(result.forest)}
        spans = [(b, e) for b, e, _ in used]
        assert len(spans) == len(set(spans))  # one rule each
        for begin, end, rule in used:
            rivals = [p for p in oracle.phrases(words) if (p.begin, p.end) == (begin, end)]
            (chosen,) = phrases_of(model, words, [Step(rule, begin, end)])
            best = max(map(oracle.estimate, rivals))
            assert oracle.estimate(chosen) == pytest.approx(best, rel=1e-5, abs=1e-5)


def _edges(forest: object) -> list[tuple[int, int, int, int]]:
    columns = zip(
        range(forest.edges),  # type: ignore[attr-defined]
        forest.edge_rule.tolist(),  # type: ignore[attr-defined]
        forest.edge_begin.tolist(),  # type: ignore[attr-defined]
        forest.edge_end.tolist(),  # type: ignore[attr-defined]
        strict=True,
    )
    return [row for row in columns if row[1] != -2]


@pytest.mark.parametrize("reordering", ["none", "backward", "forward", "bidirectional"])
@pytest.mark.parametrize("limit", [-1, 0, 1, 2, 3])
def test_five_words_under_every_limit(reordering: str, limit: int, folder: Path) -> None:
    rng = random.Random(limit)
    model = tiny_model(rng, folder, reordering=reordering, language_models=2)
    options = exhaustive(SearchOptions(distortion_limit=limit, rule_limit=0))
    oracle = model.oracle(options)
    for words in [tuple(rng.choices("abcd", k=5)) for _ in range(2)]:
        (result,) = model.decoder(options).search(lines([words]))
        scores = [oracle.score(oracle.features(one)) for one in oracle.derivations(words)]
        assert result.forest.number_of_derivations == len(scores)
        listed = sorted((one.score for one in result.kbest(len(scores))), reverse=True)
        assert listed == pytest.approx(sorted(scores, reverse=True), rel=1e-6, abs=1e-6)
