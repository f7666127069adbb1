"""The record of a pruned search: who competed in each bin, who survived, who is part of an end."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.search import SearchOptions, SearchResult, Step
from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered, last_end
from tests.search.spaces import exhaustive, lines, seeds, spaces
from tests.search.tiny import HUGE, Tiny, phrases_of, sentences, tiny_model

START = -1  # in place of a tail: the empty hypothesis
Edge = tuple[int, object]  # tail, key of the phrase


@dataclass
class Opened:
    """A record taken apart: the edges into each node, and one derivation of it."""

    incoming: list[list[Edge]]
    paths: dict[int, Derivation]
    goal_tails: list[int]


def opened(model: Tiny, options: SearchOptions, words: Words, result: SearchResult) -> Opened:
    forest = result.forest
    taken = Opened([], {START: ()}, [])
    for node in range(forest.nodes):
        edges: list[Edge] = []
        for e in range(forest.edge_offsets[node], forest.edge_offsets[node + 1]):
            tails = forest.tails[forest.tail_offsets[e] : forest.tail_offsets[e + 1]].tolist()
            tail = tails[0] if tails else START
            if node == forest.nodes - 1:
                taken.goal_tails.append(tail)
                continue
            step = Step(
                *(int(c[e]) for c in (forest.edge_rule, forest.edge_begin, forest.edge_end))
            )
            (phrase,) = phrases_of(model, words, [step], dropped=options.drop_unknown)
            path = (*taken.paths[tail], phrase)
            first = taken.paths.setdefault(node, path)
            assert covered(path) == covered(first)
            assert last_end(path) == last_end(first) or len(covered(path)) == len(words)
            edges.append((tail, phrase.key))
        taken.incoming.append(edges)
    return taken


def allowed(oracle: PhraseOracle, words: Words, so_far: Derivation) -> list[object]:
    phrases = oracle.phrases(words)
    return [p.key for p in phrases if oracle.may_follow(len(words), so_far, p)]


def signature(model: Tiny, words: Words, path: Derivation) -> object:
    """All that the future can depend on, and no more than the features' definitions need."""
    target = tuple(word for phrase in path for word in phrase.target)
    contexts = tuple(
        ("<s>", *map(arpa._known, target))[-arpa.order + 1 :] if arpa.order > 1 else ()
        for arpa in model.arpas
    )
    done, last = covered(path), path[-1]
    if len(done) == len(words):
        return contexts
    names = model.rules.store.score_names
    begin = last.begin if any(n.startswith("reordering") for n in names) else -1
    forward = tuple(v for n, v in (last.scores or {}).items() if n.startswith("reordering_forward"))
    return frozenset(done), last.end, begin if begin - 1 not in done else -1, forward, contexts


def check_flags(result: SearchResult, taken: Opened, options: SearchOptions) -> None:
    bins = result.bins
    total = bins.score.astype(float) + bins.future
    reaches = {tail for tail in taken.goal_tails if tail != START}
    assert reaches == set(np.flatnonzero(bins.alive & (bins.bin == len(bins))))
    for node in reversed(range(len(bins.bin))):
        if node in reaches:
            reaches |= {tail for tail, _ in taken.incoming[node] if tail != START}
    assert reaches == set(np.flatnonzero(bins.reaches_goal))
    for number in range(1, len(bins) + 1):
        members = bins.members(number)
        alive, dead = members[bins.alive[members]], members[~bins.alive[members]]
        if len(alive) == 0:
            assert len(dead) == 0
            continue
        slack = 1e-5 * max(1, np.abs(total[members]).max())
        best, margin = total[alive].max(), options.beam_threshold or math.inf
        assert len(alive) <= options.beam_size
        assert total[alive].min() >= best - margin - slack
        if len(dead):
            assert total[dead].max() <= total[alive].min() + slack
        if len(alive) < options.beam_size:
            assert (total[dead] < best - margin + slack).all()


def check_numbers(oracle: PhraseOracle, words: Words, result: SearchResult, taken: Opened) -> None:
    """Scores are those of the best derivation; the future is that of the open stretches."""
    bins = result.bins
    best, _ = result.forest.best_of_nodes(result.edge_scores)
    assert bins.score == pytest.approx(best[:-1], rel=1e-4, abs=1e-4)
    spans = oracle.monotone(words)
    for node, future in enumerate(bins.future.tolist()):
        path = taken.paths[node]
        if len(covered(path)) == len(words):
            ended, not_ended = (
                oracle.score(oracle.features(path, complete=c)) for c in (True, False)
            )
            expected = ended - not_ended
        else:
            expected = sum(spans[gap][0] for gap in gaps(len(words), covered(path)))
        assert future == pytest.approx(expected, rel=1e-4, abs=2e-4)
        values = oracle.features(path, complete=False)
        assert oracle.score(values) <= bins.score[node] + 1e-4 * max(1, abs(bins.score[node]))


def gaps(length: int, done: set[int]) -> list[tuple[int, int]]:
    found, begin = [], None
    for word in range(length + 1):
        open_here = word < length and word not in done
        if open_here and begin is None:
            begin = word
        if not open_here and begin is not None:
            found.append((begin, word))
            begin = None
    return found


limits = st.fixed_dictionaries(
    {
        "beam_size": st.sampled_from((1, 2, 3, 10, HUGE)),
        "beam_threshold": st.sampled_from((0.0, 0.0, 0.5, 3.0)),
    }
)


@settings(max_examples=200, deadline=None)
@given(seed=seeds, space=spaces, limit=limits, pops=st.sampled_from((0, 1, 2, 5, 30, HUGE)))
def test_record_of_bins(
    seed: int, space: SearchOptions, limit: dict[str, int], pops: int, folder: Path
) -> None:
    """`pops` of 0 stands for no cube pruning."""
    rng = random.Random(seed)
    model = tiny_model(rng, folder)
    options = replace(space, cube_pruning=pops > 0, pop_limit=max(1, pops), **limit)
    texts = sentences(rng, 5, 2)
    results = model.decoder(options).search(lines(texts), record="bins")
    for words, result in zip(texts, results, strict=True):
        where = replace(options, distortion_limit=0) if result.fell_back else options
        oracle = model.oracle(where)
        taken = opened(model, options, words, result)
        check_edges(oracle, words, result, taken)
        check_flags(result, taken, options)
        check_numbers(oracle, words, result, taken)
        seen = defaultdict(set)
        for node, number in enumerate(result.bins.bin.tolist()):
            made = signature(model, words, taken.paths[node])
            assert made not in seen[number], "two hypotheses with the same future"
            seen[number].add(made)


def check_edges(oracle: PhraseOracle, words: Words, result: SearchResult, taken: Opened) -> None:
    """Every step from a survivor entered its bin exactly once; of cubes, as many as were popped."""
    options, bins = oracle.options, result.bins
    tried = [edge for edges in taken.incoming[:-1] for edge in edges]
    survivors = [START, *np.flatnonzero(bins.alive).tolist()]
    possible = [
        (node, key) for node in survivors for key in allowed(oracle, words, taken.paths[node])
    ]
    assert len(tried) == len(set(tried))
    assert set(tried) <= set(possible)
    if not options.cube_pruning:
        assert set(tried) == set(possible)
        return
    popped, at_hand = defaultdict(int), defaultdict(int)
    for node, key in tried:
        popped[len(covered(taken.paths[node])) + key[1] - key[0]] += 1  # type: ignore[index]
    for node, key in possible:
        at_hand[len(covered(taken.paths[node])) + key[1] - key[0]] += 1  # type: ignore[index]
    assert popped == {n: min(options.pop_limit, count) for n, count in at_hand.items()}


@settings(max_examples=60, deadline=None)
@given(seed=seeds, space=spaces, beam=st.sampled_from((1, 3, 20)))
def test_forest_is_the_part_of_the_bins_that_reaches_the_goal(
    seed: int, space: SearchOptions, beam: int, folder: Path
) -> None:
    rng = random.Random(seed)
    decoder = tiny_model(rng, folder).decoder(exhaustive(space, beam_size=beam))
    texts = lines(sentences(rng, 6, 3))
    for bins, forest in zip(
        decoder.search(texts, record="bins"), decoder.search(texts, record="forest"), strict=True
    ):
        reaching = bins.bins.reaches_goal
        assert forest.bins.reaches_goal.all()
        for name in ("bin", "score", "future", "alive"):
            kept = getattr(bins.bins, name)[reaching]
            assert np.array_equal(getattr(forest.bins, name), kept)
        assert forest.forest == bins.forest.prune(bins.edge_scores)


@settings(max_examples=100, deadline=None)
@given(seed=seeds, space=spaces)
def test_monotone_translations_of_all_spans(seed: int, space: SearchOptions, folder: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_model(rng, folder), exhaustive(space, beam_size=1)
    texts = sentences(rng, 6, 3)
    results = model.decoder(options).search(lines(texts), monotone=True)
    for words, result in zip(texts, results, strict=True):
        n, scores = len(words), result._native.monotone_score
        for (begin, end), (score, translations) in model.oracle(options).monotone(words).items():
            assert scores[begin * (n + 1) + end] == pytest.approx(score, rel=1e-5, abs=1e-4)
            assert result.monotone(begin, end) in translations
        assert result.monotone(n, n) == ()


def test_monotone_translations_must_be_asked_for(folder: Path) -> None:
    (result,) = tiny_model(random.Random(1), folder).decoder(SearchOptions()).search(["a b"])
    with pytest.raises(ValueError, match="search with monotone=True"):
        result.monotone(0, 1)
