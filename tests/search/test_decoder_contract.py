"""What holds for every decoder, whatever its kind: it agrees with brute force.

`test_decoder_limits.py` has ties, threads, odd sentences and odd weights.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.features.weights import Weights
from demotic.search import Decoder, SearchOptions
from tests.near import near
from tests.search.decoder_checks import check_candidate, check_translations, same_lists
from tests.search.kinds import (
    KINDS,
    Kind,
    by_kind,
    enumerable,
    exhaustive,
    seeds,
    unlimited_cubes,
    usual,
    yield_of,
)
from tests.search.record_checks import check_record, edges_into
from tests.search.small_models import pairs, prepared_model
from tests.search.tiny_parts import HUGE, lines, long_text, sentences

spaces = st.fixed_dictionaries({name: kind.spaces for name, kind in KINDS.items()})
Spaces = dict[str, SearchOptions]


# Without pruning: every derivation, and nothing else.


@by_kind
@settings(max_examples=200, deadline=None)
@given(seed=seeds, spaces=spaces)
def test_the_best_translation_is_the_best_of_all(
    kind: Kind, seed: int, spaces: Spaces, folder: Path
) -> None:
    rng = random.Random(seed)
    model, options = kind.tiny(rng, folder), exhaustive(spaces[kind.name])
    drawn = enumerable(model, options, sentences(rng, kind.longest, 4))
    found = model.decoder(options).translate(lines(words for words, _ in drawn))
    for i, (words, _) in enumerate(drawn):
        brute = model.brute_force(words, options)
        derivations, fell_back = brute.derivations()
        best = max(map(brute.score, derivations))
        assert found.scores[i] == near(best, rel=1e-4, abs=1e-4)
        assert (i in found.fell_back) == fell_back
        assert found.text[i] == " ".join(found[i].words)
        check_candidate(model, brute, found[i])


@by_kind
@settings(max_examples=120, deadline=None)
@given(seed=seeds, spaces=spaces)
def test_the_forest_holds_every_derivation_once(
    kind: Kind, seed: int, spaces: Spaces, folder: Path
) -> None:
    rng = random.Random(seed)
    model, options = kind.tiny(rng, folder), exhaustive(spaces[kind.name])
    for words, result in enumerable(model, options, sentences(rng, kind.longest, 3)):
        brute = model.brute_force(words, options)
        derivations, fell_back = brute.derivations()
        assert result.fell_back == fell_back
        assert result.forest.number_of_derivations == len(derivations)
        listed = result.kbest(len(derivations) + 1)
        keys = Counter(brute.key(brute.of_steps(one.steps)) for one in listed)
        assert keys == Counter(map(brute.key, derivations))
        assert all(a.score >= b.score - 1e-9 for a, b in pairwise(listed))
        for one in listed:
            check_candidate(model, brute, one)


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds, spaces=spaces, k=st.sampled_from((1, 2, 5, 20)))
def test_kbest_lists_are_those_of_brute_force(
    kind: Kind, seed: int, spaces: Spaces, k: int, folder: Path
) -> None:
    rng = random.Random(seed)
    model, options = kind.tiny(rng, folder), exhaustive(spaces[kind.name])
    decoder = model.decoder(options)
    drawn = enumerable(model, options, sentences(rng, kind.longest, 3))
    source = decoder.sentences(lines(words for words, _ in drawn))
    for distinct in (False, True):
        lists, none = decoder.candidates(source, k=k, distinct=distinct)
        texts, features = lists.texts(source), lists.features.reshape(-1, len(model.weights))
        assert len(none.scores) == 0
        assert lists.sentence.tolist() == list(range(len(drawn)))
        for i, (words, result) in enumerate(drawn):
            scored = model.brute_force(words, options).scored()
            if distinct:
                scored = list(
                    {words: entry for entry in scored[::-1] for words in [entry[1]]}.values()
                )
                scored.sort(key=lambda entry: -entry[0])
            rows = range(lists.offsets[i], lists.offsets[i + 1])
            best = [score for score, *_ in scored[:k]]
            assert lists.scores[rows] == near(best, rel=1e-4, abs=1e-4)
            recorded = result.kbest(k, distinct=distinct)
            assert [texts[row] for row in rows] == [one.text for one in recorded]
            assert np.array_equal(features[rows], [one.features for one in recorded])
            assert not distinct or len({texts[row] for row in rows}) == len(rows)


@by_kind
@settings(max_examples=120, deadline=None)
@given(seed=seeds, spaces=spaces)
def test_cube_pruning_without_limits_misses_nothing(
    kind: Kind, seed: int, spaces: Spaces, folder: Path
) -> None:
    rng, space = random.Random(seed), spaces[kind.name]
    model = kind.tiny(rng, folder)
    cubes, full = model.decoder(unlimited_cubes(space)), model.decoder(exhaustive(space))
    drawn = enumerable(model, exhaustive(space), sentences(rng, kind.longest + 1, 4))
    texts = lines(words for words, _ in drawn)
    scores = full.translate(texts).scores
    assert cubes.translate(texts).scores == near(scores, rel=1e-5, abs=1e-5)
    for a, b in zip(cubes.search(texts), full.search(texts), strict=True):
        assert (a.forest.nodes, a.forest.edges) == (b.forest.nodes, b.forest.edges)
        assert a.forest.number_of_derivations == b.forest.number_of_derivations
        ours, theirs = ([one.score for one in result.kbest(200)] for result in (a, b))
        assert ours == near(theirs, rel=1e-6, abs=1e-5)


# With pruning.


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds, spaces=spaces)
def test_a_pruned_search_reports_its_own_score_and_never_beats_all(
    kind: Kind, seed: int, spaces: Spaces, folder: Path
) -> None:
    rng, space = random.Random(seed), spaces[kind.name]
    model = kind.tiny(rng, folder)
    texts = sentences(rng, 7, 5)
    limits = {"beam_size": rng.choice((1, 2, 5)), "pop_limit": rng.choice((1, 3, 20))}
    options = replace(space, beam_threshold=rng.choice((0, 0, 0.5)), **limits)
    check_translations(model, options, texts)
    found = model.decoder(options).translate(lines(texts))
    full = model.decoder(exhaustive(space, beam_size=5000)).translate(lines(texts))
    for i, score in enumerate(full.scores.tolist()):
        if i in found.fell_back or i not in full.fell_back:
            assert found.scores[i] <= score + 1e-4 * max(1, abs(score))


@by_kind
@settings(max_examples=200, deadline=None)
@given(
    seed=seeds,
    spaces=spaces,
    beam=st.sampled_from((1, 2, 3, 10, HUGE)),
    threshold=st.sampled_from((0.0, 0.0, 0.5, 3.0)),
    pops=st.sampled_from((0, 1, 2, 5, 30, HUGE)),
)
def test_the_record_of_a_search(
    kind: Kind, seed: int, spaces: Spaces, beam: int, threshold: float, pops: int, folder: Path
) -> None:
    """`pops` of 0 stands for no cube pruning."""
    rng, space = random.Random(seed), spaces[kind.name]
    options = replace(space, beam_size=beam, beam_threshold=threshold, cube_pruning=pops > 0)
    options = replace(options, pop_limit=max(1, pops))
    model = kind.tiny(rng, folder)
    texts = sentences(rng, 5, 2)
    results = model.decoder(options).search(lines(texts), record="bins")
    for words, result in zip(texts, results, strict=True):
        assert result.source == words
        brute = model.brute_force(words, options, fell_back=result.fell_back)
        check_record(brute, result, options)


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds, spaces=spaces, beam=st.sampled_from((1, 3, 20)), cubes=st.booleans())
def test_all_calls_tell_of_the_same_search(
    kind: Kind, seed: int, spaces: Spaces, beam: int, cubes: bool, folder: Path
) -> None:
    """The forest is the part of the bins that reaches the goal; the best of both is translated."""
    rng = random.Random(seed)
    options = exhaustive(spaces[kind.name], beam_size=beam)
    decoder = kind.tiny(rng, folder).decoder(replace(options, cube_pruning=cubes, pop_limit=20))
    texts = lines(sentences(rng, 6, 3))
    found = decoder.translate(texts)
    records = (decoder.search(texts, record="bins"), decoder.search(texts, record="forest"))
    for i, (bins, forest) in enumerate(zip(*records, strict=True)):
        reaching = bins.bins.reaches_goal
        assert forest.bins.reaches_goal.all()
        for name in ("bin", "score", "future", "alive"):
            assert np.array_equal(getattr(forest.bins, name), getattr(bins.bins, name)[reaching])
        assert np.array_equal(forest.bins.label, bins.bins.label)
        assert forest.forest == bins.forest.prune(bins.edge_scores)
        assert [one.score for one in forest.kbest(9)] == [one.score for one in bins.kbest(9)]
        assert bins.best.score == near(found.scores[i], rel=1e-5, abs=1e-5)
        assert bins.fell_back == forest.fell_back == (i in found.fell_back)


@by_kind
@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_the_rule_limit_keeps_the_best_rules_of_a_source_side(
    kind: Kind, seed: int, folder: Path
) -> None:
    """Without language models the estimate of a rule is its score, so nothing better is lost."""
    rng = random.Random(seed)
    model = kind.tiny(rng, folder, language_models=0, **kind.plain)
    options = exhaustive(SearchOptions(rule_limit=1))
    store, rules = model.rules.store, list(model.rules)
    for text in lines(sentences(rng, 5, 3)):
        (result,) = model.decoder(options).search([text])
        (free,) = model.decoder(replace(options, rule_limit=0)).search([text])
        assert result.best.score == near(free.best.score, rel=1e-6, abs=1e-5)
        used = {
            (step.rule, step.begin, step.end)
            for node in range(result.forest.nodes)
            for step, _ in edges_into(result, node)
            if step.rule >= 0
        }
        sides = [(*span, store.lhs(rule), rules[rule].source) for rule, *span in used]
        assert len(set(sides)) == len(sides)


@by_kind
def test_a_wider_beam_is_not_worse_on_average(kind: Kind, folder: Path) -> None:
    model = usual(kind, 5, folder, language_models=1)
    texts = lines(long_text(i, 12) for i in range(30))
    means = [
        model.decoder(SearchOptions(rule_limit=0, beam_size=beam, pop_limit=beam))
        .translate(texts)
        .scores.mean()
        for beam in (1, 5, 50, 500)
    ]
    assert means == sorted(means)
    assert means[0] < means[-1]


# Lists of candidates.


SOURCES = [source.lower().replace(".", " .") for source, _ in pairs()[::5]]
SOURCES += ["", "ganz unbekannt", "das haus das buch das kind ist klein . ich sehe das mädchen ."]


@pytest.fixture(scope="module", params=KINDS)
def decoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Decoder:
    return prepared_model(tmp_path_factory.mktemp("models"), request.param).decoder()


@pytest.mark.parametrize("words", ["partial", "potential"])
def test_lists_of_bins_are_the_survivors_of_the_search(decoder: Decoder, words: Any) -> None:
    kind = KINDS[decoder.model.kind]
    source = decoder.sentences(SOURCES)
    _, lists = decoder.candidates(source, bins=words, threads=2)
    texts = lists.texts(source)
    features = lists.features.reshape(len(lists.scores), -1)
    # The scores of the search are float32, the features float64.
    np.testing.assert_allclose(features @ decoder.weights.array, lists.scores, atol=1e-4)
    results = decoder.search(SOURCES, record="bins", monotone=kind.name == "phrase")
    numbers = iter(range(len(lists.bin)))
    for sentence, result in enumerate(results):
        bins = result.bins
        goal_tails = {tail for _, tails in edges_into(result, len(bins.bin)) for tail in tails}
        for number in bins.numbers:
            nodes = [node for node in bins.members(number).tolist() if bins.alive[node]]
            if not nodes:
                continue
            one = next(numbers)
            rows = range(lists.offsets[one], lists.offsets[one + 1])
            assert lists.sentence[one] == sentence
            complete = words == "partial" or nodes[0] in goal_tails
            around = [([], []) if complete else kind.surroundings(result, n) for n in nodes]
            assert [texts[row].split() for row in rows] == [
                before + yield_of(result, node) + after
                for node, (before, after) in zip(nodes, around, strict=True)
            ]
            scores = bins.score[nodes] + bins.future[nodes]
            np.testing.assert_allclose(lists.scores[rows], scores, atol=1e-4)
            covered = bins.end[number] - bins.begin[number] if len(bins.label) else number
            assert lists.covered[one] == covered
    assert next(numbers, None) is None


def test_bins_have_the_same_numbers_under_other_weights(decoder: Decoder) -> None:
    found: dict[tuple[int, int], int] = {}
    for factor in (1.0, -0.1):
        weights = Weights(decoder.weights.index, factor * decoder.weights.array)
        other = decoder.model.decoder(weights=weights)
        _, lists = other.candidates(other.sentences(SOURCES), bins="potential")
        keys = list(zip(lists.sentence.tolist(), lists.bin.tolist(), strict=True))
        assert len(set(keys)) == len(keys)
        assert lists.bin.min() >= 1
        for key, covered in zip(keys, lists.covered.tolist(), strict=True):
            assert found.setdefault(key, covered) == covered


def test_lists_of_one_search_are_those_of_separate_searches(decoder: Decoder) -> None:
    source = decoder.sentences(SOURCES)
    kbest, bins = decoder.candidates(source, k=20, bins="potential")
    assert same_lists(kbest, decoder.candidates(source, k=20)[0])
    assert same_lists(bins, decoder.candidates(source, bins="potential")[1])
    assert len(decoder.candidates(source, k=20)[1].scores) == 0
    threads = decoder.candidates(source, k=20, bins="potential", threads=3)
    assert same_lists(kbest, threads[0])
    assert same_lists(bins, threads[1])
