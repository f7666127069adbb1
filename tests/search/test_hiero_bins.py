"""The record of a pruned chart search: the groups N[i:j], who survived in them, who reaches S."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from demotic.search import SearchOptions, SearchResult
from tests.oracle.hiero_search import HieroOracle
from tests.search.spaces import exhaustive, lines, seeds
from tests.search.test_hiero_enumeration import searched
from tests.search.tiny import sentences
from tests.search.tiny_hiero import TinyHiero, tiny_hiero

Edge = tuple[int, int, int, tuple[int, ...]]  # rule, begin, end, tails


def incoming(result: SearchResult) -> list[list[Edge]]:
    """The edges into each node; the last is the goal."""
    forest, found = result.forest, []
    for node in range(forest.nodes):
        edges = range(forest.edge_offsets[node], forest.edge_offsets[node + 1])
        found.append(
            [
                (
                    int(forest.edge_rule[e]),
                    int(forest.edge_begin[e]),
                    int(forest.edge_end[e]),
                    tuple(forest.tails[forest.tail_offsets[e] : forest.tail_offsets[e + 1]]),
                )
                for e in edges
            ]
        )
    return found


def check_groups(model: TinyHiero, result: SearchResult) -> None:
    """Every bin is one nonterminal over one span, and its nodes are derived as that."""
    bins, labels = result.bins, model.rules.store.labels
    names = [*zip(bins.label.tolist(), bins.begin.tolist(), bins.end.tolist(), strict=True)]
    assert len(set(names)) == len(names) == len(bins)
    for node, edges in enumerate(incoming(result)[:-1]):
        label, begin, end = names[bins.bin[node]]
        for rule, first, last, tails in edges:
            assert (first, last) == (begin, end)
            places = [names[bins.bin[tail]] for tail in tails]
            assert all(begin <= b < e <= end for _, b, e in places)
            if rule >= 0:
                assert model.rules.store.lhs(rule) == label
            elif rule == -1:
                assert (labels[label], end - begin, tails) == (model.space.nonterminal, 1, ())
            else:
                assert label == -1
                assert [b for _, b, _ in places] in ([0], [0, places[-1][1]])


def check_survivors(result: SearchResult, options: SearchOptions) -> None:
    bins = result.bins
    total = bins.score.astype(float) + bins.future
    for number in bins.numbers:
        members = bins.members(number)
        alive, dead = members[bins.alive[members]], members[~bins.alive[members]]
        slack = 1e-5 * max(1, np.abs(total[members]).max())
        assert 1 <= len(alive) <= options.beam_size
        if len(dead):
            assert total[dead].max() <= total[alive].min() + slack
            assert len(alive) == options.beam_size or options.beam_threshold
        if options.beam_threshold:
            assert total[alive].min() >= total[alive].max() - options.beam_threshold - slack
            if len(alive) < options.beam_size:
                assert (total[dead] < total[alive].max() - options.beam_threshold + slack).all()


def check_reaching(result: SearchResult) -> None:
    bins, edges = result.bins, incoming(result)
    reaches = {tail for _, _, _, tails in edges[-1] for tail in tails}
    if reaches:
        (root,) = {int(bins.bin[node]) for node in reaches}
        members = bins.members(root)
        assert reaches == set(members[bins.alive[members]])
        assert (bins.begin[root], bins.end[root]) == (0, len(result.source))
    for node in reversed(range(len(bins.bin))):
        for _, _, _, tails in edges[node]:
            assert all(bins.alive[tail] for tail in tails)
            if node in reaches:
                reaches |= set(tails)
    assert reaches == set(np.flatnonzero(bins.reaches_goal))


@settings(max_examples=150, deadline=None)
@given(seed=seeds)
def test_record_of_a_pruned_search(seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    model = tiny_hiero(rng, folder)
    options = SearchOptions(
        beam_size=rng.choice((1, 2, 5)),
        pop_limit=rng.choice((2, 10, 100)),
        cube_pruning=rng.random() < 0.7,
        beam_threshold=rng.choice((0, 0, 0.5, 2)),
        span_limit=rng.choice((0, 2, 3)),
    )
    texts = lines(sentences(rng, 7, 3))
    decoder = model.decoder(options)
    everything, reaching = (decoder.search(texts, record=kind) for kind in ("bins", "forest"))
    for all_, part in zip(everything, reaching, strict=True):
        check_groups(model, all_)
        check_survivors(all_, options)
        check_reaching(all_)
        best, _ = all_.forest.best_of_nodes(all_.edge_scores)
        assert all_.bins.score == pytest.approx(best[:-1], rel=1e-4, abs=1e-4)
        assert len(part.bins.bin) == np.count_nonzero(all_.bins.reaches_goal)
        assert part.bins.reaches_goal.all()
        assert np.array_equal(part.bins.score, all_.bins.score[all_.bins.reaches_goal])
        assert np.array_equal(part.bins.label, all_.bins.label)
        assert [one.score for one in part.kbest(9)] == [one.score for one in all_.kbest(9)]


@settings(max_examples=80, deadline=None)
@given(seed=seeds)
def test_groups_are_those_of_the_parse(seed: int, folder: Path) -> None:
    """Without pruning: all N[i:j] that the grammar derives, each with all its derivations."""
    rng = random.Random(seed)
    model, options = tiny_hiero(rng, folder), exhaustive(SearchOptions(rule_limit=0, span_limit=3))
    for words, _ in searched(model, options, sentences(rng, 5, 2)):
        (result,) = model.decoder(options).search(lines([words]), record="bins")
        oracle, bins = model.oracle(words, options), result.bins
        counts = derivations_by_bin(result)
        names = [*zip(bins.label.tolist(), bins.begin.tolist(), bins.end.tolist(), strict=True)]
        ours = {name: counts[i] for i, name in enumerate(names) if name[0] >= 0}
        assert ours == expected_groups(model, oracle, len(words))
        assert bins.future[bins.bin != root_of(result)].tolist() == [0] * np.count_nonzero(
            bins.bin != root_of(result)
        )


def derivations_by_bin(result: SearchResult) -> dict[int, int]:
    counts: list[int] = []
    found: dict[int, int] = defaultdict(int)
    for node, edges in enumerate(incoming(result)[:-1]):
        counts.append(sum(int(np.prod([counts[t] for t in tails])) for *_, tails in edges))
        found[int(result.bins.bin[node])] += counts[node]
    return found


def expected_groups(
    model: TinyHiero, oracle: HieroOracle, length: int
) -> dict[tuple[int, int, int], int]:
    found = {}
    for i, label in enumerate(model.rules.store.labels):
        for begin, end in product(range(length), range(1, length + 1)):
            if begin < end and (trees := oracle.of(label, begin, end)):
                found[i, begin, end] = len(trees)
    return found


def root_of(result: SearchResult) -> int:
    tails = incoming(result)[-1][0][3]
    return int(result.bins.bin[tails[0]]) if tails else -1


def test_rule_limit_keeps_the_best_by_estimate(folder: Path) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        model = tiny_hiero(rng, folder, language_models=0)
        options = exhaustive(SearchOptions(rule_limit=1))
        for text in lines(sentences(rng, 5, 3)):
            (result,) = model.decoder(options).search([text])
            (free,) = model.decoder(replace(options, rule_limit=0)).search([text])
            # Without a language model the estimate is the score, so nothing better is lost.
            assert result.best.score == pytest.approx(free.best.score, rel=1e-6, abs=1e-5)
            used = [e for edges in incoming(result)[:-1] for e in edges if e[0] >= 0]
            sides = [(e[1:], model.rules.store.lhs(e[0]), source_of(model, e[0])) for e in used]
            assert len(set(sides)) == len(sides)


def source_of(model: TinyHiero, rule: int) -> tuple[str, ...]:
    return list(model.rules)[rule].source


def test_monotone_translations_of_spans_belong_to_phrases(folder: Path) -> None:
    decoder = tiny_hiero(random.Random(1), folder).decoder(SearchOptions())
    with pytest.raises(ValueError, match="only phrase search"):
        decoder.search(["a"], monotone=True)
