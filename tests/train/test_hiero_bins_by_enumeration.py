"""The groups that Hiero training compares, against every derivation of small sentences."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.search import SearchOptions
from demotic.train import TrainOptions
from tests.oracle.hiero_search import GLUE, HieroOracle, ScfgRule, Tree, Words
from tests.search.spaces import exhaustive
from tests.search.test_hiero_enumeration import searched
from tests.search.tiny import sentences
from tests.search.tiny_hiero import TinyHiero, tiny_hiero

Group = tuple[str, int, int]
DEPTH = 100


def group_of(tree: Tree, nonterminal: str) -> Group:
    label = tree.rule.lhs if isinstance(tree.rule, ScfgRule) else nonterminal
    return ("glue" if tree.rule == GLUE else label, tree.begin, tree.end)


def members(oracle: HieroOracle, group: Group) -> list[Tree]:
    label, begin, end = group
    if label == "glue":
        return oracle.glued(end, [oracle.space.nonterminal])
    return oracle.of(label, begin, end)


def piece_score(oracle: HieroOracle, tree: Tree, *, starts: bool, ends: bool) -> float:
    """As the search counts a part: what is before its first word is not known yet."""
    values = oracle.features(tree)
    words = tree.words(oracle.source)
    for i, model in enumerate(oracle.language_models):
        name = f"language_model_{i + 1}" if i else "language_model"
        values[name] = model.score(words, begin=starts, end=ends)
    return oracle.score(values)


def expected(
    oracle: HieroOracle, reference: Words
) -> tuple[dict[Group, tuple[float, float]], Group]:
    """Best gold and best other score of every group that has gold trees, and the whole's group."""
    nonterminal, length = oracle.space.nonterminal, len(oracle.source)
    said: dict[Group, set[Words]] = defaultdict(set)
    trees, _ = oracle.derivations()
    for tree in trees:
        if tree.words(oracle.source) == reference:
            for part in tree.steps():
                said[group_of(part, nonterminal)].add(part.words(oracle.source))
    root: Group = (oracle.space.goal or "glue", 0, length)
    found = {}
    for group, strings in said.items():
        best = {True: -math.inf, False: -math.inf}
        for tree in members(oracle, group):
            words = tree.words(oracle.source)
            # The whole has to say the whole reference, other groups a part of it.
            gold = words in strings if group != root else words == reference
            starts, ends = group[0] == "glue" or group == root, group == root
            score = piece_score(oracle, tree, starts=starts, ends=ends)
            best[gold] = max(best[gold], score)
        found[group] = (best[True], best[False])
    return found, root


def look(
    model: TinyHiero, options: SearchOptions, words: Words, reference: Words, path: Path
) -> dict[str, object]:
    sentence = _core.SourceSentences(model.native, [" ".join(words)], [" ".join(reference)])
    forced = _core.ForceOptions()
    forced.span_limit = options.span_limit
    _core.force_corpus(model.native, forced, sentence, str(path), 1, None)
    gold = _core.GoldForests.open(str(path), True)
    assert len(gold) == 1
    native = _core.TrainerOptions()
    native.violations = TrainOptions().violations()
    native.violations.depth = DEPTH
    native.rates = [1.0] * len(model.weights)
    weights = model.weights.array
    trainer = _core.HieroTrainer(model.native, None, options.hiero(), native, weights)
    seen: dict[str, object] = trainer.inspect(sentence, gold, 0)
    return seen


def cases(seed: int, folder: Path) -> Iterator[tuple[TinyHiero, SearchOptions, Words, Words]]:
    rng = random.Random(seed)
    model = tiny_hiero(rng, folder)
    options = exhaustive(SearchOptions(rule_limit=0, span_limit=rng.choice((0, 3))))
    for words, _ in searched(model, options, sentences(rng, 5, 4)):
        trees, fell_back = model.oracle(words, options).derivations() if words else ([], True)
        if not fell_back:
            yield model, options, words, rng.choice(trees).words(words)


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_those_of_enumeration(seed: int, tmp_path: Path) -> None:
    for model, options, words, reference in cases(seed, tmp_path):
        groups, root = expected(model.oracle(words, options), reference)
        seen = look(model, options, words, reference, tmp_path / "gold.bin")
        bins: list[tuple[float, float, bool]] = seen["bins"]  # type: ignore[assignment]
        ours = sorted(pair[:2] for pair in bins)
        assert np.array(ours) == pytest.approx(np.array(sorted(groups.values())), abs=1e-3)
        assert bins[-1][:2] == pytest.approx(groups[root], abs=1e-3)
        both = [bad - gold for gold, bad in groups.values() if math.isfinite(bad)]
        if both:
            assert seen["violation"] == pytest.approx(max(both), abs=1e-3)
        else:
            assert seen["bin"] == -1
