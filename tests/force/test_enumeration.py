"""Forced decoding of either kind finds exactly the derivations that enumeration finds."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from demotic import _core
from demotic.force import ForceOptions
from tests.force import hiero_tasks, phrase_tasks
from tests.force.tiny import Pair, TinyModel, check

KINDS = pytest.mark.parametrize("kind", [phrase_tasks, hiero_tasks], ids=["phrase", "hiero"])


@KINDS
@pytest.mark.parametrize("wanted", [1_500, pytest.param(10_000, marks=pytest.mark.long)])
def test_all_derivations_of_drawn_pairs(kind: ModuleType, wanted: int, tmp_path: Path) -> None:
    rng = random.Random(wanted)
    seen: Counter[str] = Counter()
    while seen.total() < wanted:
        seen += check(kind.drawn(rng, tmp_path), tmp_path / "gold.bin")
    assert wanted / 10 < seen["none"] < wanted * 9 / 10
    assert all(seen[why] > wanted / 100 for why in ("unknown_word", "uncovered_word", "other"))
    assert seen["limit"] > 0


@KINDS
@pytest.mark.parametrize("models", [150, pytest.param(1_500, marks=pytest.mark.long)])
def test_leave_one_out(kind: ModuleType, models: int, tmp_path: Path) -> None:
    rng = random.Random(models)
    seen: Counter[str] = Counter()
    for _ in range(models):
        task = kind.left_out(rng, tmp_path)
        seen += check(task, tmp_path / "gold.bin")
        whole = task.model.force(task.pairs, task.options, None)
        seen["reachable with all rules"] += int(whole.reachable.sum())
    assert 0 < seen["none"] < seen["reachable with all rules"] / 2


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_source_sides_with_many_rules(kind: ModuleType, seed: int, tmp_path: Path) -> None:
    """An index finds the rules of such source sides."""
    seen = check(kind.many_rules(random.Random(seed), tmp_path), tmp_path / "gold.bin")
    assert seen["none"] > 3


def ambiguous(kind: ModuleType, folder: Path) -> tuple[TinyModel, list[Pair]]:
    """The second pair is unreachable: its reference has one word too many."""
    source = ("a",) * 12
    return kind.ambiguous(folder), [(source, ("v",) * 12), (source, ("v",) * 13)]


@KINDS
def test_pairs_with_too_many_states_are_undecided(kind: ModuleType, tmp_path: Path) -> None:
    model, pairs = ambiguous(kind, tmp_path)
    options = ForceOptions(distortion_limit=-1, span_limit=0, max_nodes=100)
    found = model.force(pairs[:1], options, tmp_path / "gold.bin")
    assert found.undecided[0]
    assert not found.reachable[0]
    assert len(model.gold(tmp_path / "gold.bin", pairs[:1])) == 0
    assert _core.Cause(int(found.native.cause[0])) == _core.Cause.none
    assert model.force(pairs[:1], ForceOptions(distortion_limit=-1), None).reachable[0]


@KINDS
def test_the_cause_is_undecided_if_the_unlimited_search_is_too_large(
    kind: ModuleType, tmp_path: Path
) -> None:
    model, pairs = ambiguous(kind, tmp_path)
    for most, cause in ((300, "undecided"), (1_000_000, "other")):
        options = ForceOptions(distortion_limit=0, span_limit=1, max_nodes=most)
        found = model.force(pairs, options, None)
        assert found.reachable.tolist() == [True, False]
        assert not found.undecided.any()
        assert found.cause(cause).tolist() == [False, True]


@KINDS
def test_pairs_that_are_too_long_are_undecided(kind: ModuleType, tmp_path: Path) -> None:
    """The look-ahead of phrases and the chart of Hiero have a maximum size."""
    model, _ = ambiguous(kind, tmp_path)
    longest = {"phrase": 3000, "hiero": 1100}[model.kind]
    pairs = [(("a",) * n, ("v",) * m) for n, m in ((longest, longest), (70_000, 1), (30, 30))]
    options = ForceOptions(distortion_limit=0, span_limit=0, find_cause=False)
    found = model.force(pairs, options, None)
    assert found.undecided.tolist() == [True, True, False]
    assert found.reachable.tolist() == [False, False, True]


@KINDS
def test_sentences_need_references(kind: ModuleType, tmp_path: Path) -> None:
    model, _ = ambiguous(kind, tmp_path)
    source = _core.SourceSentences(model.native, ["a"])
    with pytest.raises(ValueError, match="without references"):
        _core.force_corpus(model.native, _core.ForceOptions(), source, None, 1, None)
