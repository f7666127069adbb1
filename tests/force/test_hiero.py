"""Forced decoding of Hiero: the examples of the paper, and the space of the decoder."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.force import ForceOptions, Reachability
from tests.force.hiero_tasks import ALL, SPAN_LIMITS, HieroForest, drawn_model, model_of
from tests.force.tiny import Pair
from tests.search.kinds import enumerable
from tests.search.tiny_hiero import TinyHiero, grammar_of
from tests.search.tiny_parts import sentences


def forced(
    model: TinyHiero, pairs: Sequence[Pair], folder: Path, span_limit: int = 0
) -> tuple[Reachability, list[HieroForest | None]]:
    tiny, path = model_of(model, folder), folder / "gold.bin"
    found = tiny.force(pairs, ForceOptions(span_limit=span_limit), path)
    forests = {one.pair: one for one in tiny.gold(path, pairs)}
    return found, [
        HieroForest(model.rules, *pair, forests[i]) if i in forests else None
        for i, pair in enumerate(pairs)
    ]


@pytest.mark.parametrize("wanted", [200, pytest.param(1_500, marks=pytest.mark.long)])
def test_forests_are_the_part_of_the_searched_space_with_this_yield(
    wanted: int, tmp_path: Path
) -> None:
    rng = random.Random(wanted)
    for _ in range(wanted):
        model, limit = drawn_model(rng, tmp_path), rng.choice(SPAN_LIMITS)
        options = replace(ALL, span_limit=limit)
        for words, result in enumerable(model, options, sentences(rng, 6, 1)):
            if not words or result.fell_back:
                continue
            listed = result.kbest(result.forest.number_of_derivations + 1)
            yields = sorted({one.words for one in listed})
            pairs = [(words, reference) for reference in rng.sample(yields, min(4, len(yields)))]
            for forest in forced(model, pairs, tmp_path, limit)[1]:
                assert forest
                keys = [model.key(one.steps) for one in listed if one.words == forest.reference]
                assert Counter(forest.derivations()) == Counter(keys)


# The grammar of Zhao et al. (2014), table 1, with the words that its example needs.
BUSH = (
    "X | bushi | Bush",
    "X | shalong | Sharon",
    "X | huitan | a meeting",
    "X | yu [X,1] juxing [X,2] | held [X,2] with [X,1]",
)


def test_the_example_of_the_paper(tmp_path: Path) -> None:
    """Zhao et al. (2014), section 3.2."""
    source = tuple("bushi yu shalong juxing huitan".split())
    reference = tuple("Bush held a meeting with Sharon".split())
    _, (forest,) = forced(grammar_of(tmp_path, *BUSH), [(source, reference)], tmp_path)
    assert forest
    assert len(forest.derivations()) == 1
    spans = {node[1:] for node in forest.nodes if node.label >= 0}
    assert spans == {(0, 1, 0, 1), (2, 3, 5, 6), (4, 5, 2, 4), (1, 5, 1, 6)}
    assert {node[1:] for node in forest.nodes if node.label < 0} == {(0, 1, 0, 1), (0, 5, 0, 6)}


def test_repeated_words_are_told_apart(tmp_path: Path) -> None:
    """Bigrams of "a b a b c" accept "a b c" (Zhao et al. 2014, footnote 2); positions do not."""
    model = grammar_of(tmp_path, "X | p | a b", "X | q | c", "X | r | a b a b")
    texts = (("p p q", 1), ("r q", 1), ("p q", 0), ("p p p q", 0), ("p r q", 0))
    pairs = [(tuple(text.split()), ("a", "b", "a", "b", "c")) for text, _ in texts]
    _, forests = forced(model, pairs, tmp_path)
    assert [len(one.derivations()) if one else 0 for one in forests] == [n for _, n in texts]
    assert forests[0]
    starts = {node[1:] for node in forests[0].nodes if node.label >= 0}
    assert starts == {(0, 1, 0, 2), (1, 2, 2, 4), (2, 3, 4, 5)}


def test_empty_sides(tmp_path: Path) -> None:
    model = grammar_of(tmp_path, "X | a | v", "X | b | ")
    pairs: list[Pair] = [((), ()), ((), ("v",)), (("a",), ()), (("b",), ())]
    found, forests = forced(model, pairs, tmp_path)
    assert found.reachable.tolist() == [False, False, False, True]
    for i, cause in enumerate(("other", "uncovered_word", "uncovered_word", "none")):
        assert found.cause(cause)[i]
    assert forests[3]
    assert len(forests[3].derivations()) == 1
