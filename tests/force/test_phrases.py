"""Forced decoding of phrases: the example of the paper, and long sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.force import ForceOptions
from tests.force.phrase_tasks import oracle_of, table_model
from tests.oracle.phrase_force import Space


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
    assert model.force([pair], ForceOptions(distortion_limit=4), path).cause("limit")[0]
    found = model.force([pair], ForceOptions(distortion_limit=5, gap_test=False), path)
    assert found.reachable[0]
    assert found.derivations[0] == 1
    gold = model.gold(path, [pair])
    assert gold[0].source_begin.tolist() == [0, 1, 4, 6]  # covered words
    assert gold[0].source_end[:3].tolist() == [0, 1, 6]  # ends of the last phrases
    assert gold[0].target_end.tolist() == [0, 1, 3, 5]
    assert gold[0].begin.tolist() == [0, 3, 1]
    assert gold[0].end.tolist() == [1, 6, 3]
    assert len(oracle_of(model, Space(5, False)).spelled(model, gold, 0, pair)) == 1


@pytest.mark.parametrize("words", [30, 64, 100])
@pytest.mark.parametrize(("limit", "orders"), [(0, 1), (2, 2), (6, 2), (-1, 2)])
def test_sentences_beyond_a_machine_word(
    words: int, limit: int, orders: int, tmp_path: Path
) -> None:
    """Every word occurs twice in a row, so that either of the two may come first."""
    table = [((f"a{i}",), (f"x{i}",)) for i in range(words // 2)]
    model = table_model(table, tmp_path)
    source = tuple(f"a{i // 2}" for i in range(words))
    reference = tuple(f"x{i // 2}" for i in range(words))
    pairs = [(source, reference), ((*source, "b"), (*reference, "y"))]
    options = ForceOptions(distortion_limit=limit, prefixes="longest")
    found = model.force(pairs, options, tmp_path / "gold.bin")
    assert found.reachable.tolist() == [True, False]
    assert found.source_words.tolist() == found.target_words.tolist() == [words, words]
    assert found.derivations.tolist() == [float(orders ** (words // 2))] * 2
