"""Rules from several sets of links: counts are added up, positions count once."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import Error
from demotic.rules import Rule, RuleOptions, Rules, extract
from tests.oracle import extraction as oracle
from tests.rules.test_extraction import WORDS_S, WORDS_T, build, lines, long_bitext, plain


@st.composite
def pairs(draw: st.DrawFn, sets: int) -> list[oracle.Sentence]:
    """One pair with several sets of links."""
    source = draw(st.lists(st.sampled_from(WORDS_S), max_size=5))
    target = draw(st.lists(st.sampled_from(WORDS_T), max_size=5))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    some = st.lists(st.sampled_from(cells), max_size=6) if cells else st.just([])
    return [oracle.Sentence(source, target, frozenset(draw(some))) for _ in range(sets)]


def pooled(
    bitexts: list[list[oracle.Sentence]], path: Path, kind: str, options: RuleOptions
) -> tuple[Rules, _core.ExtractReport]:
    """The rules of one text with one set of links per element of `bitexts`."""
    words = _core.VocabularyBuilder()
    sides = []
    for side in ("source", "target"):
        builder = _core.CorpusBuilder(words)
        builder.add(lines([" ".join(getattr(one, side)) for one in bitexts[0]]))
        sides.append(builder.finish())
    links = [
        _core.Alignments.from_lists([sorted(one.links) for one in bitext]) for bitext in bitexts
    ]
    report = extract(*sides, links, path, kind=kind, options=options)
    return Rules.open(path, words.finish()), report


def by_text(rules: Rules) -> dict[oracle.RuleText, Rule]:
    return {(plain(one.source, "source"), plain(one.target, "target")): one for one in rules}


def positions(
    bitexts: list[list[oracle.Sentence]], kind: str
) -> dict[oracle.RuleText, set[tuple[int, tuple[oracle.Span, ...]]]]:
    """Where every rule occurs: its pair, its span and the spans of its gaps."""
    limits = oracle.HieroLimits(tight=False)
    found = defaultdict(set)
    for number, one in [item for bitext in bitexts for item in enumerate(bitext)]:
        hiero = kind == "hiero"
        rules = oracle.hiero(one, limits) if hiero else oracle.phrases(one, 7, tight=False)
        for rule in rules:
            found[rule.rule].add((number, rule.place))
    return found


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@settings(max_examples=40, deadline=None)
@given(data=st.data(), sets=st.integers(1, 3))
def test_pooled_counts(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject, sets: int
) -> None:
    drawn = data.draw(st.lists(pairs(sets), min_size=1, max_size=3))
    bitexts = [[pair[k] for pair in drawn] for k in range(sets)]
    home = tmp_path_factory.mktemp("r")
    ours, report = pooled(bitexts, home / "pooled", kind, RuleOptions())
    joined = [one for bitext in bitexts for one in bitext]
    concatenated, other = build(joined, home / "joined", kind, RuleOptions())
    assert (report.rules, report.occurrences) == (other.rules, other.occurrences)
    assert report.sentences == len(drawn)
    assert report.distortion.in_order == other.distortion.in_order
    wanted, where = by_text(concatenated), positions(bitexts, kind)
    found = by_text(ours)
    assert set(found) == set(wanted)
    for text, rule in found.items():
        assert rule.scores == wanted[text].scores
        assert rule.count == wanted[text].count
        assert rule.occurrences == len(where[text])
        only = next(iter(where[text]))[0] if len(where[text]) == 1 else -1
        assert rule.only_sentence == only


def test_the_same_links_twice_change_counts_only(tmp_path: Path) -> None:
    bitext = long_bitext(60)
    options = RuleOptions(reordering="none")
    once, _ = pooled([bitext], tmp_path / "one", "phrase", options)
    twice, _ = pooled([bitext, bitext], tmp_path / "two", "phrase", options)
    for one, two in zip(once, twice, strict=True):
        assert (one.source, one.target, one.scores) == (two.source, two.target, two.scores)
        assert one.occurrences == two.occurrences
        assert one.only_sentence == two.only_sentence
        assert 2 * one.count == two.count


def test_sets_of_the_wrong_length_are_refused(tmp_path: Path) -> None:
    bitext = long_bitext(6)
    with pytest.raises(Error, match="links of 5 sentence pairs; expected links of 6"):
        pooled([bitext, bitext[:5]], tmp_path / "rules", "phrase", RuleOptions())
