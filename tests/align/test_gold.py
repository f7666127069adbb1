"""Gold alignments: four formats, line-numbered refusals, scores by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic.align import Alignments, Gold, read_gold, read_links, score_alignments, write_links
from demotic.align.score import link_counts, score_counts
from demotic.errors import FormatError

GIZA = """# Sentence pair (1) source length 2 target length 3 alignment score : 0.01
x y z
NULL ({ 2 }) a ({ 1 3 }) b ({ })
# Sentence pair (2) source length 1 target length 1 alignment score : 0.5
x
NULL ({ }) a ({ 1 })
"""


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_pharaoh(tmp_path: Path) -> None:
    gold = read_gold(_write(tmp_path / "gold", "0-0 1?2\n\n2-1\n"))
    assert [gold.sure[k] for k in range(3)] == [[(0, 0)], [], [(2, 1)]]
    assert [gold.possible[k] for k in range(3)] == [[(0, 0), (1, 2)], [], [(2, 1)]]


def test_tsv(tmp_path: Path) -> None:
    gold = read_gold(_write(tmp_path / "gold", "a b\tx y z\t0-0 1-2\nc\td\t\n"))
    assert gold.sentences == [("a b", "x y z"), ("c", "d")]
    assert gold.sure[0] == gold.possible[0] == [(0, 0), (1, 2)]
    assert gold.sure[1] == []


def test_naacl(tmp_path: Path) -> None:
    gold = read_gold(_write(tmp_path / "gold", "0001 1 1 S\n0001 2 3 P\n3 1 0\n3 2 2\n"))
    assert [gold.sure[k] for k in range(3)] == [[(0, 0)], [], [(1, 1)]]
    assert gold.possible[0] == [(0, 0), (1, 2)]


def test_giza(tmp_path: Path) -> None:
    gold = read_gold(_write(tmp_path / "gold", GIZA))
    assert gold.sentences == [("a b", "x y z"), ("a", "x")]
    assert gold.sure[0] == [(0, 0), (0, 2)]
    assert gold.sure[1] == [(0, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0\n0-0 1:2\n", r"line 2: '1:2'; expected links like 0-0"),
        ("0--1\n", r"line 1: '0--1'"),
        ("a\tx\t0-0\na\tx\n", r"line 2: 2 fields"),
        ("a\tx\t0-1\n", r"line 1: the link 0-1; expected positions below 1 and 1"),
        ("1 1 1\n1 1\n", r"line 2: '1 1'; expected sentence source target"),
        ("2 1 1\n1 1 1\n", r"line 2: sentence 1; expected sentences from 1 in ascending order"),
        ("0 1 1\n", r"line 1: sentence 0"),
        ("99999999 1 1\n", r"line 1: sentence 99999999"),
        (GIZA.replace("NULL ({ 2 })", "NULL ({ 2"), r"line 3: .*expected words with their links"),
        (GIZA.replace("({ 1 3 })", "({ 1 4 })"), r"line 3: the position 4"),
        (GIZA + "x\n", r"line 7: 'x'; expected # Sentence pair"),
        (GIZA + "# Sentence pair (3)\n", r"line 7: a pair without its last lines"),
    ],
)
def test_refusals_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_gold(_write(tmp_path / "gold", text))


def _gold(sure: list[list[tuple[int, int]]], possible: list[list[tuple[int, int]]]) -> Gold:
    return Gold(Alignments.from_lists(sure), Alignments.from_lists(possible))


def test_scores_by_hand() -> None:
    """A = {00, 11, 22}, S = {00, 12}, P = {00, 11, 12}: P 2/3, R 1/2, AER 1 - (1 + 2) / (3 + 2)."""
    gold = _gold([[(0, 0), (1, 2)]], [[(0, 0), (1, 1), (1, 2)]])
    score = score_alignments(Alignments.from_lists([[(0, 0), (1, 1), (2, 2)]]), gold)
    assert score.precision == pytest.approx(2 / 3)
    assert score.recall == pytest.approx(1 / 2)
    assert score.aer == pytest.approx(0.4)
    assert score.aer_low == score.aer_high == score.aer


def test_bootstrap_interval_holds_the_rate() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(60):
        found, sure = rng.integers(5, 20, size=2)
        common = rng.integers(0, min(found, sure) + 1)
        rows.append((found, sure, common, common))
    score = score_counts(np.array(rows))
    assert score.aer_low < score.aer < score.aer_high
    assert score == score_counts(np.array(rows))
    assert score.aer_high - score.aer_low < 0.3


def test_nothing_found_and_nothing_wanted() -> None:
    empty = Alignments.from_lists([[]])
    assert score_alignments(empty, _gold([[]], [[]])).aer == 0
    assert score_alignments(empty, _gold([[(0, 0)]], [[(0, 0)]])).aer == 1
    assert score_alignments(Alignments.from_lists([]), _gold([], [])).pairs == 0


def test_different_numbers_of_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="found links for 1 sentence pairs, gold links for 2"):
        link_counts(Alignments.from_lists([[]]), _gold([[], []], [[], []]))


def test_links_survive_a_file(tmp_path: Path) -> None:
    links = Alignments.from_lists([[(0, 0), (3, 1)], [], [(2, 2)]])
    for name in ("links", "links.gz"):
        write_links(tmp_path / name, links)
        assert read_links(tmp_path / name) == links
    assert (tmp_path / "links").read_text() == "0-0 3-1\n\n2-2\n"
