"""Removing rules with gaps by their counts equals filtering the table of all rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.rules import Rule, RuleOptions, Rules
from tests.rules.test_extraction import build, long_bitext
from tests.rules.test_several_links import pairs, pooled


def kept(rules: Rules, least: float, sets: int = 1) -> list[Rule]:
    """By the definition."""
    return [
        rule
        for rule in rules
        if rule.count >= least * sets or not any(one.startswith("[X,") for one in rule.source)
    ]


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    sets=st.integers(1, 2),
    share=st.booleans(),
    least=st.sampled_from([0.0, 0.05, 0.1, 0.2, 1 / 3, 0.5, 1.0, 2.5]),
)
def test_any_bitext(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    sets: int,
    share: bool,
    least: float,
) -> None:
    """Scores, counts and links of the rules that are left do not change, nor does their order."""
    drawn = data.draw(st.lists(pairs(sets), min_size=1, max_size=5))
    bitexts = [[pair[k] for pair in drawn] for k in range(sets)]
    home = tmp_path_factory.mktemp("r")
    every, _ = pooled(bitexts, home / "all", "hiero", RuleOptions(share_count=share))
    options = RuleOptions(share_count=share, min_gapped_count=least)
    some, report = pooled(bitexts, home / "some", "hiero", options)
    assert [*some] == kept(every, least, sets)
    assert report.removed == len(every) - len(some)


@pytest.mark.parametrize("least", [0.02, 0.1, 1.0])
def test_longer_text_and_threads(tmp_path: Path, least: float) -> None:
    bitext = long_bitext(80)
    every, _ = build(bitext, tmp_path / "all", "hiero", RuleOptions())
    options = RuleOptions(min_gapped_count=least)
    some, report = build(bitext, tmp_path / "one", "hiero", options)
    build(bitext, tmp_path / "two", "hiero", options, threads=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert [*some] == kept(every, least)
    assert 0 < report.removed == len(every) - len(some)


def test_together_with_other_limits(tmp_path: Path) -> None:
    """Every limit is obeyed; word pairs are kept."""
    bitext = long_bitext(60)
    frequent, _ = build(bitext, tmp_path / "all", "hiero", RuleOptions(min_count=2))
    options = RuleOptions(min_count=2, min_gapped_count=0.2)
    some, _ = build(bitext, tmp_path / "some", "hiero", options)
    assert [*some] == kept(frequent, 0.2)
    assert len(some) < len(frequent)
