"""Pairs behind a rule: the search agrees with enumeration and with extraction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic._core import Alignments
from demotic.rules import RuleOptions, Rules, extract
from demotic.text.bitext_search import BitextSearch, Pattern, matches
from demotic.text.pairs import Pair
from demotic.text.parallel import ParallelCorpus

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def corpus_of(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> ParallelCorpus:
    texts = ((" ".join(source), " ".join(target)) for source, target in pairs)
    return ParallelCorpus.from_pairs(Pair(*text, "f", i) for i, text in enumerate(texts, 1))


def all_places(words: Sequence[int], pattern: Pattern) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to cut a stretch into as many pieces as the pattern has symbols."""
    for cuts in combinations(range(len(words) + 1), len(pattern) + 1):
        places = tuple(pairwise(cuts))
        if all(
            symbol < 0 or [*words[begin:end]] == [symbol]
            for symbol, (begin, end) in zip(pattern, places, strict=True)
        ):
            yield places


def text(corpus: ParallelCorpus, i: int) -> tuple[str, str]:
    return corpus.source.text(i), corpus.target.text(i)


PATTERNS = st.lists(st.sampled_from([0, 1, 2, -1]), min_size=1, max_size=4).map(
    lambda symbols: tuple(
        symbol if symbol >= 0 else -1 - symbols[:i].count(-1) for i, symbol in enumerate(symbols)
    )
)


@given(st.lists(st.integers(0, 2), max_size=7), PATTERNS, st.integers(0, 7))
def test_places_are_those_of_brute_force(words: list[int], pattern: Pattern, limit: int) -> None:
    found = sorted(matches(words, pattern, limit))
    has_gap = any(symbol < 0 for symbol in pattern)
    expected = [
        places
        for places in all_places(words, pattern)
        if not (limit and has_gap) or places[-1][1] - places[0][0] <= limit
    ]
    assert found == sorted(expected)


def supported(
    links: set[tuple[int, int]],
    source: Pattern,
    above: Sequence[tuple[int, int]],
    target: Pattern,
    below: Sequence[tuple[int, int]],
) -> bool:
    """No link leaves the phrase pair or one of its gaps, and each of them has one."""

    def consistent(left: tuple[int, int], right: tuple[int, int]) -> bool:
        inside = [(left[0] <= i < left[1], right[0] <= j < right[1]) for i, j in links]
        return all(a == b for a, b in inside) and (True, True) in inside

    whole = (above[0][0], above[-1][1]), (below[0][0], below[-1][1])
    gaps = [(above[source.index(-k)], below[target.index(-k)]) for k in (1, 2) if -k in source]
    return all(consistent(*one) for one in (whole, *gaps))


RULES = st.sampled_from(
    [("a", "a"), ("a b", "b"), ("a a", "a"), ("c", "a b"), ("a 1", "1 b"), ("1 b", "c 1"),
     ("a 1 a", "1 b"), ("1 a 2", "2 a 1"), ("1 a 2", "1 2 c"), ("b 1 c 2", "a 1 2")]
)  # fmt: skip


def pattern_of(text: str, corpus: ParallelCorpus) -> Pattern:
    return tuple(
        -int(word) if word.isdigit() else corpus.vocabulary.find(word) for word in text.split()
    )


@settings(max_examples=200, deadline=None)
@given(PAIRS, RULES, st.integers(1, 4), st.data())
def test_pairs_are_those_of_brute_force(
    pairs: list[tuple[list[str], list[str]]],
    rule: tuple[str, str],
    wanted: int,
    data: st.DataObject,
) -> None:
    links = [
        data.draw(st.sets(st.sampled_from([(i, j) for i in range(len(s)) for j in range(len(t))])))
        for s, t in pairs
    ]
    corpus = corpus_of([*pairs, ("abc", "abc")])  # all words are known
    links.append(set())
    source, target = (pattern_of(side, corpus) for side in rule)
    search = BitextSearch(corpus, [Alignments.from_lists([sorted(one) for one in links])])
    found = search.find(source, target, wanted)
    contained, backed = set(), set()
    for i in range(len(corpus)):
        for above in all_places(corpus.source.ids(i).tolist(), source):
            for below in all_places(corpus.target.ids(i).tolist(), target):
                contained.add(text(corpus, i))
                if supported(links[i], source, above, target, below):
                    backed.add(text(corpus, i))
    assert len(found) == min(wanted, len(contained))
    assert len({text(corpus, one.pair) for one in found}) == len(found)
    for one in found:
        pair = text(corpus, one.pair)
        assert pair in (backed if one.supported else contained - backed)
        assert one.source in {*all_places(corpus.source.ids(one.pair).tolist(), source)}
        assert one.target in {*all_places(corpus.target.ids(one.pair).tolist(), target)}
        if one.supported:
            assert supported(links[one.pair], source, one.source, target, one.target)
    assert [one.supported for one in found] == sorted(
        (one.supported for one in found), reverse=True
    )


TEXT = [
    ("das haus ist klein", "the house is small", "0-0 1-1 2-2 3-3"),
    ("das das buch ist alt", "the the book is old", "0-0 1-1 2-2 3-3 4-4"),
    ("heute ist das haus alt", "the house is old today", "0-4 1-2 2-0 3-1 4-3"),
    ("ich sehe das haus nicht", "i do not see the house", "0-0 1-3 2-4 3-5 4-2"),
]


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_every_extracted_rule_is_found_in_as_many_pairs_as_it_was_seen(
    kind: str, tmp_path: Path
) -> None:
    corpus = corpus_of([(s.split(), t.split()) for s, t, _ in TEXT])
    links = Alignments.from_lists(
        [[(int(x[0]), int(x[2])) for x in one.split()] for _, _, one in TEXT]
    )
    options = RuleOptions(reordering="none")
    path = tmp_path / "rules.bin"
    extract(corpus.source.sentences, corpus.target.sentences, links, path, kind=kind,  # type: ignore[arg-type]
            options=options)  # fmt: skip
    rules = Rules.open(path, corpus.vocabulary)
    search = BitextSearch(corpus, [links], max_span=options.max_initial)
    for rule in rules:
        source, target = (
            tuple(-int(w[3]) if w.startswith("[X,") else corpus.vocabulary.find(w) for w in side)
            for side in (rule.source, rule.target)
        )
        found = search.find(source, target, 10)
        pairs = sum(one.supported for one in found)
        assert 1 <= pairs <= rule.occurrences
        if rule.only_sentence >= 0:
            assert [one.pair for one in found if one.supported] == [rule.only_sentence]
            (first,) = search.find(source, target, 1, seen=1, first=rule.only_sentence)
            assert (first.pair, first.supported) == (rule.only_sentence, True)


def test_without_links_containment_is_all_that_is_known() -> None:
    corpus = corpus_of([("a b", "c"), ("b", "c")])
    (found,) = BitextSearch(corpus).find(pattern_of("a b", corpus), pattern_of("c", corpus), 3)
    assert (found.pair, found.supported) == (0, False)


def test_equal_pairs_are_shown_once_and_short_ones_first() -> None:
    corpus = corpus_of([("a b c", "a"), ("a", "a"), ("a", "a"), ("a b", "a")])
    links = Alignments.from_lists([[(0, 0)]] * 4)
    found = BitextSearch(corpus, [links]).find(pattern_of("a", corpus), pattern_of("a", corpus), 9)
    assert [one.pair for one in found] == [1, 3, 0]
