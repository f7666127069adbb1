"""Forced decoding finds exactly the derivations that enumeration finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from demotic import _core
from demotic.force import ForceOptions
from demotic.force.options import BEGINNINGS
from tests.force.tiny_pairs import (
    Pair,
    TinyForce,
    drawn_pair,
    extracted_model,
    found_by_search,
    table_model,
)
from tests.oracle.phrase_force import Forced, Space

PAIRS = 10  # per model
LONGEST = 5


def drawn_options(rng: random.Random) -> ForceOptions:
    return ForceOptions(
        distortion_limit=rng.choice((-1, 0, 1, 2, 3, 6)),
        gap_test=rng.random() < 0.7,
        beginnings=rng.choice(BEGINNINGS),
        min_source_words=rng.randint(1, 3),
    )


def check(
    model: TinyForce,
    pairs: list[Pair],
    oracles: list[Forced],
    options: ForceOptions,
    path: Path,
    *,
    leave_one_out: bool = False,
) -> int:
    """The number of reachable pairs."""
    found = model.force(pairs, options, path, leave_one_out=leave_one_out)
    gold = model.gold(path, pairs)
    forests: dict[int, list[int]] = {i: [] for i in range(len(pairs))}
    for i, forest in enumerate(gold):
        forests[forest.pair].append(i)
    for i, (pair, oracle) in enumerate(zip(pairs, oracles, strict=True)):
        every = oracle.derivations(*pair)
        assert found.whole[i] == bool(every)
        assert not found.undecided[i]
        if every:
            assert [gold[one].whole for one in forests[i]] == [True]
            assert found_by_search(model, gold, forests[i][0], pair) == every
            assert found.derivations[i] == len(every)
            assert found.cause("none")[i]
            continue
        assert found.cause(oracle.cause(*pair))[i]
        wanted = (
            []
            if options.beginnings == "none"
            else oracle.beginnings(*pair, options.min_source_words)
        )
        wanted = wanted[:1] if options.beginnings == "longest" else wanted
        assert [(gold[f].source_length, gold[f].target_length) for f in forests[i]] == wanted
        assert found.beginning[i] == bool(wanted)
        for one, (source, target) in zip(forests[i], wanted, strict=True):
            every = oracle.derivations(pair[0][:source], pair[1][:target])
            assert found_by_search(model, gold, one, pair) == every
    return int(found.whole.sum())


def check_drawn(models: int, folder: Path) -> None:
    reached = 0
    for seed in range(models):
        rng = random.Random(seed)
        model, _ = extracted_model(rng, folder)
        options = drawn_options(rng)
        oracle = model.oracle(Space(options.distortion_limit, options.gap_test))
        pairs = [drawn_pair(rng, oracle, LONGEST) for _ in range(PAIRS)]
        reached += check(model, pairs, [oracle] * PAIRS, options, folder / "gold.bin")
    assert 0.1 < reached / (models * PAIRS) < 0.9


def check_left_out(models: int, folder: Path) -> None:
    for seed in range(models):
        rng = random.Random(seed)
        model, bitext = extracted_model(rng, folder)
        options = drawn_options(rng)
        space = Space(options.distortion_limit, options.gap_test)
        oracles = [model.oracle(space, i) for i in range(len(bitext))]
        check(model, bitext, oracles, options, folder / "gold.bin", leave_one_out=True)


def test_all_derivations_of_drawn_pairs(tmp_path: Path) -> None:
    check_drawn(110, tmp_path)


def test_leave_one_out(tmp_path: Path) -> None:
    check_left_out(110, tmp_path)


@pytest.mark.long
def test_all_derivations_of_many_pairs(tmp_path: Path) -> None:
    check_drawn(1000, tmp_path)
    check_left_out(1000, tmp_path)


def test_phrases_with_hundreds_of_rules(tmp_path: Path) -> None:
    """Such rules are found by an index; target sides may be longer than what it hashes."""
    for seed in range(12):
        rng = random.Random(seed)
        table = {
            (source, tuple(rng.choices(("x", "y"), k=rng.choice((1, 2, 3, 4, 5, 8, 9, 10)))))
            for source in (("a",), ("b",), ("a", "b"))
            for _ in range(150)
        }
        model = table_model(sorted(table), tmp_path)
        options = ForceOptions(distortion_limit=2)
        oracle = model.oracle(Space(2, True))
        pairs = [
            (tuple(rng.choices("ab", k=3)), tuple(rng.choices("xy", k=rng.randint(3, 12))))
            for _ in range(4)
        ]
        check(model, pairs, [oracle] * 4, options, tmp_path / "gold.bin")


def test_the_running_example(tmp_path: Path) -> None:
    """Yu et al. (2013), section 2.1: three rules, and the states named there."""
    table = {"Bushi": "Bush", "juxing le huitan": "held talks", "yu Shalong": "with Sharon"}
    model = table_model([(tuple(s.split()), tuple(t.split())) for s, t in table.items()], tmp_path)
    pair = (
        tuple("Bushi yu Shalong juxing le huitan".split()),
        tuple("Bush held talks with Sharon".split()),
    )
    path = tmp_path / "gold.bin"
    # The jump back from the end to "yu" is five words.
    assert not model.force([pair], ForceOptions(distortion_limit=4), path).whole[0]
    assert model.force([pair], ForceOptions(distortion_limit=4), path).cause("limit")[0]
    found = model.force([pair], ForceOptions(distortion_limit=5, gap_test=False), path)
    assert found.whole[0]
    assert found.derivations[0] == 1
    gold = model.gold(path, [pair])[0]
    assert gold.source_begin.tolist() == [0, 1, 4, 6]  # covered words
    assert gold.source_end[:3].tolist() == [0, 1, 6]  # ends of the last phrases
    assert gold.target_end.tolist() == [0, 1, 3, 5]
    assert gold.begin.tolist() == [0, 3, 1]
    assert gold.end.tolist() == [1, 6, 3]
    assert found_by_search(model, model.gold(path, [pair]), 0, pair)


@pytest.mark.parametrize("words", [30, 64, 100])
@pytest.mark.parametrize(("limit", "ways"), [(0, 1), (2, 2), (6, 2), (-1, 2)])
def test_sentences_beyond_a_machine_word(words: int, limit: int, ways: int, tmp_path: Path) -> None:
    """Every word occurs twice in a row, so that either of the two may come first."""
    table = [((f"a{i}",), (f"x{i}",)) for i in range(words // 2)]
    model = table_model(table, tmp_path)
    source = tuple(f"a{i // 2}" for i in range(words))
    reference = tuple(f"x{i // 2}" for i in range(words))
    pairs = [(source, reference), ((*source, "b"), (*reference, "y"))]
    options = ForceOptions(distortion_limit=limit, beginnings="longest")
    found = model.force(pairs, options, tmp_path / "gold.bin")
    assert found.whole.tolist() == [True, False]
    assert found.source_words.tolist() == found.target_words.tolist() == [words, words]
    assert found.derivations.tolist() == [float(ways ** (words // 2))] * 2


def test_caps_are_said(tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",))], tmp_path)
    pair = ("a",) * 30, ("x",) * 30
    options = ForceOptions(distortion_limit=-1, max_nodes=1000)
    found = model.force([pair], options, tmp_path / "gold.bin")
    assert found.undecided[0]
    assert not found.whole[0]
    assert len(model.gold(tmp_path / "gold.bin", [pair])) == 0
    assert _core.Cause(int(found.native.cause[0])) == _core.Cause.none


def test_pairs_too_large_for_the_outlook_are_undecided(tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",))], tmp_path)
    pairs = [(("a",) * n, ("x",) * n) for n in (3000, 300)]
    found = model.force(pairs, ForceOptions(distortion_limit=0), tmp_path / "gold.bin")
    assert found.undecided.tolist() == [True, False]
    assert found.whole.tolist() == [False, True]
