"""Hiero rules on demand: without sampling they equal the table, and so do translations."""

from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import InputError, ModelError
from demotic.rules import Rule, RuleOptions, Rules
from tests.oracle.extraction import Sentence
from tests.rules.on_demand import both, encoded, equal_rules, indexed
from tests.rules.test_on_demand import complete, long_text
from tests.rules.test_several_links import pairs

OPTIONS = [
    {},
    {"tight": True},
    {"max_initial": 4},
    {"max_source_symbols": 3},
    {"max_source_symbols": 7, "max_initial": 6},
    {"max_gaps": 1},
    {"max_gaps": 0},
    {"min_gap": 2},
    {"require_link": False},
    {"share_count": False},
    {"min_count": 2},
    {"min_count": 2, "keep_word_pairs": False},
    {"low_counts": True, "features": "c08"},
]


def by_source(rules: Rules) -> dict[str, list[Rule]]:
    """The rules of a table by source side."""
    return {" ".join(key): [*group] for key, group in groupby(rules, key=lambda r: r.source)}


def compare(table: Rules, ours: Rules) -> int:
    """Asserts that every source side of the table has the same rules on demand."""
    sources = by_source(table)
    for source in sources:
        equal_rules(table, ours, source)
    return sum(map(len, sources.values()))


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), sets=st.integers(1, 2))
def test_equal_to_the_table(
    tmp_path_factory: pytest.TempPathFactory,
    chosen: dict[str, object],
    data: st.DataObject,
    sets: int,
) -> None:
    drawn = data.draw(st.lists(pairs(sets), min_size=1, max_size=4))
    bitext = [[pair[k] for pair in drawn] for k in range(sets)]
    table, ours = both(bitext, tmp_path_factory.mktemp("r"), complete(**chosen), kind="hiero")
    assert ours.store.score_names == table.store.score_names
    compare(table, ours)
    for source in ("zzz", "[X,1]", "[X,1] zzz", "a [X,1] zzz", "zzz [X,1] a"):
        assert ours.find(source) == []


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
def test_equal_to_the_table_on_longer_text(tmp_path: Path, chosen: dict[str, object]) -> None:
    table, ours = both(long_text(60), tmp_path, complete(**chosen), threads=2, kind="hiero")
    assert compare(table, ours) == len(table) > 100
