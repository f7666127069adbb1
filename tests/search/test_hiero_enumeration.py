"""Chart search against the enumeration of all derivations of tiny sentences."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.search import SearchOptions, SearchResult
from tests.oracle.hiero_search import HieroOracle, Tree, Words
from tests.search.spaces import exhaustive, lines, seeds, unlimited_cubes
from tests.search.tiny import sentences
from tests.search.tiny_hiero import TinyHiero, tiny_hiero

MOST = 2000  # derivations that are enumerated

spaces = st.builds(
    SearchOptions, rule_limit=st.just(0), span_limit=st.sampled_from((0, 1, 2, 3, 5))
)


def searched(
    model: TinyHiero, options: SearchOptions, texts: list[Words]
) -> list[tuple[Words, SearchResult]]:
    """Each text, shortened until it has few derivations."""
    found = []
    for words in texts:
        for length in range(len(words), -1, -1):
            (result,) = model.decoder(options).search(lines([words[:length]]))
            if result.forest.number_of_derivations <= MOST:
                found.append((words[:length], result))
                break
    return found


def check_values(oracle: HieroOracle, tree: Tree | None, features: list[float]) -> None:
    ours = dict(zip(oracle.weights, features, strict=True))
    assert ours == pytest.approx(oracle.features(tree), rel=1e-5, abs=1e-5)


@settings(max_examples=150, deadline=None)
@given(seed=seeds, space=spaces)
def test_forest_holds_every_derivation_once(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_hiero(rng, folder), exhaustive(space)
    texts = sentences(rng, 5, 3)
    for words, result in searched(model, options, texts):
        oracle = model.oracle(words, options)
        trees, none = oracle.derivations()
        assert result.fell_back == none
        assert result.forest.number_of_derivations == max(1, len(trees))
        listed = result.kbest(len(trees) + 2)
        by_key = {tree.key: tree for tree in trees}
        assert Counter(model.key(one.steps) for one in listed if words) == Counter(
            tree.key for tree in trees
        )
        assert all(a.score >= b.score - 1e-9 for a, b in pairwise(listed))
        for one in listed:
            tree = by_key[model.key(one.steps)] if words else None
            assert one.words == (tree.words(words) if tree else ())
            check_values(oracle, tree, one.features.tolist())
            assert one.score == pytest.approx(oracle.score(oracle.features(tree)), abs=1e-4)
            assert one.score == pytest.approx(model.weights.array @ one.features, rel=1e-9)


@settings(max_examples=150, deadline=None)
@given(seed=seeds, space=spaces)
def test_best_is_the_best_of_all(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_hiero(rng, folder), exhaustive(space)
    texts = [words for words, _ in searched(model, options, sentences(rng, 6, 4))]
    found = model.decoder(options).translate(lines(texts))
    for i, words in enumerate(texts):
        oracle = model.oracle(words, options)
        trees, none = oracle.derivations()
        scores = [oracle.score(oracle.features(tree)) for tree in trees or [None]]
        assert found.scores[i] == pytest.approx(max(scores), rel=1e-5, abs=1e-4)
        assert (i in found.fell_back) == none
        by_key = {tree.key: tree for tree in trees}
        tree = by_key[model.key(found.steps(i))] if words else None
        values = oracle.features(tree)
        assert found.scores[i] == pytest.approx(oracle.score(values), rel=1e-6, abs=1e-6)
        assert found.scores[i] == pytest.approx(model.weights.array @ found.features[i], rel=1e-9)
        assert found.text[i] == " ".join(tree.words(words) if tree else ())


@settings(max_examples=150, deadline=None)
@given(seed=seeds, space=spaces)
def test_cube_pruning_without_limits_misses_nothing(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    rng = random.Random(seed)
    model = tiny_hiero(rng, folder)
    texts = lines([words for words, _ in searched(model, exhaustive(space), sentences(rng, 7, 4))])
    pruned = model.decoder(unlimited_cubes(space))
    full = model.decoder(exhaustive(space))
    assert pruned.translate(texts).scores == pytest.approx(
        full.translate(texts).scores, rel=1e-5, abs=1e-5
    )
    for a, b in zip(pruned.search(texts), full.search(texts), strict=True):
        assert (a.forest.nodes, a.forest.edges) == (b.forest.nodes, b.forest.edges)
        assert a.forest.number_of_derivations == b.forest.number_of_derivations
        ours, theirs = a.kbest(200), b.kbest(200)
        assert [one.score for one in ours] == pytest.approx(
            [one.score for one in theirs], rel=1e-6, abs=1e-5
        )


@settings(max_examples=80, deadline=None)
@given(seed=seeds, space=spaces)
def test_pruned_search_never_beats_all_and_reports_its_own_score(
    seed: int, space: SearchOptions, folder: Path
) -> None:
    rng = random.Random(seed)
    model = tiny_hiero(rng, folder)
    texts = [words for words, _ in searched(model, exhaustive(space), sentences(rng, 5, 4))]
    options = replace(space, beam_size=rng.choice((1, 2, 5)), pop_limit=rng.choice((1, 3, 20)))
    found = model.decoder(options).translate(lines(texts))
    full = model.decoder(exhaustive(space)).translate(lines(texts))
    for i, words in enumerate(texts):
        assert found.scores[i] <= full.scores[i] + 1e-4 * max(1, abs(full.scores[i]))
        oracle = model.oracle(words, options)
        by_key = {tree.key: tree for tree in oracle.derivations()[0]}
        tree = by_key[model.key(found.steps(i))] if words else None
        check_values(oracle, tree, found.features[i].tolist())


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_links_and_segments(seed: int, folder: Path) -> None:
    """Copied words are linked with themselves; a step's segment holds the words of its tree."""
    rng = random.Random(seed)
    model, options = tiny_hiero(rng, folder), exhaustive(SearchOptions(rule_limit=0))
    for words, result in searched(model, options, sentences(rng, 5, 3)):
        if not words:
            continue
        by_key = {tree.key: tree for tree in model.oracle(words, options).derivations()[0]}
        for one in result.kbest(20):
            tree = by_key[model.key(one.steps)]
            segments = result.decoder.segments(one.steps)
            assert segments[0].source == (0, len(words))
            for step, segment in zip(tree.steps(), segments, strict=True):
                assert segment.source == (step.begin, step.end)
                assert one.words[slice(*segment.target)] == step.words(words)
            copies = [
                (step.begin, segment.target[0])
                for step, segment in zip(tree.steps(), segments, strict=True)
                if step.rule == "copy"
            ]
            assert result.decoder.links(one.steps) == sorted(copies)
