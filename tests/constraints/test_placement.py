"""Tags stay, nest, and go where their words go."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.constraints.placement import Tag, placed_tags, with_unlinked


def check(tags: list[Tag], links: list[tuple[int, int]], source: int, target: int) -> None:
    """Each tag once, positions ascending, pairs nested."""
    placed = placed_tags(tags, links, source, target)
    assert sorted(one.tag for one in placed) == list(range(len(tags)))
    places = [2 * one.at - one.after for one in placed]
    assert places == sorted(places)
    assert all(0 <= one.at <= target for one in placed)
    open_: list[int] = []
    for one in placed:
        tag = tags[one.tag]
        if tag.partner is not None:
            open_.append(tag.partner)
        elif tag.closes:
            assert open_.pop() == one.tag
    assert not open_


def drawn(rng: random.Random, source: int) -> list[Tag]:
    """Random tags that nest."""
    tags: list[Tag] = []
    open_: list[int] = []
    at = 0
    while at <= source and len(tags) < 12:
        action = rng.random()
        if action < 0.3:
            at += 1
        elif action < 0.55:
            open_.append(len(tags))
            tags.append(Tag(at))
        elif action < 0.8 and open_:
            first = open_.pop()
            tags[first] = Tag(tags[first].at, len(tags))
            tags.append(Tag(at, closes=True))
        else:
            tags.append(Tag(at, ends=rng.random() < 0.3))
    return tags


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_tags_nest_whatever_the_links(seed: int) -> None:
    rng = random.Random(seed)
    source, target = rng.randint(0, 8), rng.randint(0, 8)
    pairs = [(s, t) for s in range(source) for t in range(target)]
    links = sorted(rng.sample(pairs, min(len(pairs), rng.randint(0, 10))))
    check(drawn(rng, source), links, source, target)


def spans(tags: list[Tag], links: list[tuple[int, int]], source: int, target: int) -> list[int]:
    return [one.at for one in placed_tags(tags, links, source, target)]


def test_a_pair_follows_its_words() -> None:
    pair = [Tag(0, 1), Tag(1, closes=True)]
    assert spans(pair, [(0, 2), (1, 0), (2, 1)], 3, 3) == [2, 3]
    # A word between two parts belongs to the pair, two do not.
    assert spans(pair, [(0, 0), (1, 1), (0, 2)], 2, 3) == [0, 3]
    assert spans(pair, [(0, 0), (1, 1), (1, 2), (0, 3)], 2, 4) == [0, 1]


def test_a_pair_around_everything_stays_there() -> None:
    assert spans([Tag(0, 1), Tag(2, closes=True)], [(0, 1)], 2, 4) == [0, 4]


def test_a_single_tag_precedes_its_word() -> None:
    assert spans([Tag(1)], [(0, 1), (1, 0)], 2, 2) == [0]
    assert spans([Tag(1)], [(0, 1)], 2, 3) == [2]
    assert spans([Tag(0)], [(0, 1)], 1, 2) == [0]
    assert spans([Tag(1)], [(0, 0)], 1, 2) == [2]


def test_a_single_tag_never_enters_a_pair() -> None:
    tags = [Tag(0, 1), Tag(2, closes=True), Tag(2)]
    placed = placed_tags(tags, [(0, 0), (1, 2), (2, 1)], 3, 3)
    assert [one.tag for one in placed][-1] == 2


def test_parts_of_a_word_in_a_script_without_spaces_stay_together() -> None:
    words, phrases = ["我", "的", "钱", "包"], [(0, 2), (2, 4)]
    assert with_unlinked([(0, 0), (1, 3)], words, phrases) == [(0, 0), (1, 3), (0, 1), (1, 2)]
    assert with_unlinked([(0, 0), (1, 3)], words, [(0, 2), (2, 3), (3, 4)])[2:] == [(0, 1)]
    assert with_unlinked([(0, 1)], ["the", "book"], [(0, 2)]) == [(0, 1)]
    nested = with_unlinked([(0, 0), (1, 2)], ["一", "二", "三", "四"], [(0, 4), (1, 3)])
    assert nested[2:] == [(1, 1), (0, 3)]
    assert with_unlinked([], [], []) == []
