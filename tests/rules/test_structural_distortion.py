"""Structural distortion: which gaps of a rule are reordered, and how often, by their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic._core import DistortionCounts
from demotic.errors import FormatError
from demotic.model.distortion import read_distortion, write_distortion
from demotic.rules import RuleOptions
from tests.oracle import extraction as oracle
from tests.rules.test_extraction import build
from tests.rules.test_tables import read

REORDERED = {
    "in order": ("a [X,1] ||| x [X,1]", "0-0", (False,)),
    "across a word": ("a [X,1] ||| [X,1] x", "0-1", (True,)),
    "across an unaligned word": ("a [X,1] ||| [X,1] x", "", (False,)),
    "across one of two words": ("a [X,1] b ||| x [X,1] y", "0-2 2-0", (True,)),
    "words that cross each other": ("a b [X,1] ||| x y [X,1]", "0-1 1-0", (False,)),
    "words on one side of both": ("a [X,1] b ||| [X,1] x y", "0-1 2-2", (True,)),
    "two gaps in order": ("[X,1] a [X,2] ||| [X,1] x [X,2]", "1-1", (False, False)),
    "swapped gaps": ("[X,1] a [X,2] ||| [X,2] x [X,1]", "1-1", (True, True)),
    "swapped gaps without links": ("[X,1] a [X,2] ||| [X,2] x [X,1]", "", (True, True)),
    "only the first": ("[X,1] a [X,2] ||| x [X,1] [X,2]", "1-0", (True, False)),
    "only the second": ("[X,1] a [X,2] ||| [X,1] [X,2] x", "1-2", (False, True)),
    "no gap": ("a b ||| x y", "0-1 1-0", ()),
}


@pytest.mark.parametrize("name", REORDERED)
def test_reordered_gaps_of_imported_rules(name: str, tmp_path: Path) -> None:
    sides, links, wanted = REORDERED[name]
    (rule,) = read(tmp_path, f"[X] ||| {sides} ||| F=1 ||| {links}\n", "scfg")
    assert rule.reordered == wanted
    assert oracle.reordered(rule.source, rule.links) == wanted


def test_reordered_gaps_of_moses_rules(tmp_path: Path) -> None:
    (rule,) = read(tmp_path, "[X][X] de [X] ||| of [X][X] [X] ||| 0.5 ||| 0-1 1-0\n", "moses_hiero")
    assert rule.reordered == (True,)


def test_the_most_frequent_alignment_decides(tmp_path: Path) -> None:
    """The rule a [X] -> [X] x is seen with a linked to x, and more often without this link."""
    crossed = oracle.Sentence(["a", "b"], ["y", "x"], frozenset({(0, 1), (1, 0)}))
    unlinked = oracle.Sentence(["a", "b"], ["y", "x"], frozenset({(1, 0)}))
    options = RuleOptions(require_link=False)
    for often, wanted in ((1, True), (3, False)):
        bitext = [crossed, crossed, *[unlinked] * often]
        rules, _ = build(bitext, tmp_path / f"rules{often}", "hiero", options)
        (rule,) = (one for one in rules.find("a [X,1]") if one.target == ("[X,1]", "x"))
        assert rule.reordered == (wanted,)


@pytest.mark.parametrize("sampled", [0, 1, 70, 1000])
def test_gaps_are_counted_in_the_first_sentences(sampled: int, tmp_path: Path) -> None:
    """Each sentence has two gaps over one word, both reordered in every second sentence."""
    swapped, straight = (
        oracle.Sentence(["a", "b"], ["x", "y"], frozenset(links))
        for links in ({(0, 1), (1, 0)}, {(0, 0), (1, 1)})
    )
    options = RuleOptions(distortion_sentences=sampled)
    _, report = build([swapped, straight] * 50, tmp_path / "rules", "hiero", options)
    seen = min(sampled or 100, 100)
    assert report.distortion.reordered == [2 * ((seen + 1) // 2)] + [0] * 9
    assert report.distortion.in_order == [2 * (seen // 2)] + [0] * 9


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "distortion.toml"
    write_distortion(path, DistortionCounts(list(range(10)), [7] * 10))
    found = read_distortion(path)
    assert (found.in_order, found.reordered) == (list(range(10)), [7] * 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("in_order = [1, 2]\nreordered = [3]\n", "2 counts of in_order; expected 10"),
        (f"in_order = {[1] * 10}\nreordered = {[-1] * 10}\n", "at least 0"),
        (f"in_order = {[1] * 10}\n", "reordered is missing"),
    ],
)
def test_wrong_counts_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "distortion.toml").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_distortion(tmp_path / "distortion.toml")
