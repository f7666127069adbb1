"""Dev and test sets share no sentence with the training text, whatever the corpus repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import Error
from demotic.pipeline.split import HeldOut, Split, draw
from demotic.text.pairs import Pair


def corpus(count: int, *, repeat: int = 1) -> list[Pair]:
    lines = [(f"der Satz Nummer {i}", f"the sentence number {i}") for i in range(count)]
    return [Pair(s, t, "x", i) for i, (s, t) in enumerate(lines * repeat, 1)]


def folded(texts: list[str]) -> set[str]:
    return {"".join(text.split()).casefold() for text in texts}


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=60, max_size=120),
    st.integers(0, 5),
)
def test_no_overlap(numbers: list[tuple[int, int]], seed: int) -> None:
    """Also with repeated sources, repeated targets, other case and other spaces."""
    pairs = [
        Pair(f"Quelle  {a}" if i % 2 else f"quelle {a}", f"the target {b}", "x", i)
        for i, (a, b) in enumerate(numbers, 1)
    ]
    if len({a for a, _ in numbers}) < 12:
        return
    split = draw(pairs, dev=3, test=3, seed=seed)
    left = list(split.training(pairs))
    sources = [folded(list(one.source)) for one in (split.dev, split.test)]
    assert [len(one) for one in sources] == [3, 3]
    assert not sources[0] & sources[1]
    for held_out in (split.dev, split.test):
        assert not folded([pair.source for pair in left]) & folded(list(held_out.source))
        assert not folded([pair.target for pair in left]) & folded(list(held_out.references[0]))
    assert len(left) + split.left_out == len(pairs) == split.read


def test_the_draw_does_not_depend_on_the_order() -> None:
    pairs = corpus(500)
    one, two = draw(pairs), draw(pairs[::-1])
    assert set(one.test.source) == set(two.test.source)
    assert set(one.dev.source) == set(two.dev.source)
    assert set(draw(pairs, seed=2).test.source) != set(one.test.source)


def test_sizes_by_the_corpus() -> None:
    split = draw(corpus(2000))
    assert (len(split.dev), len(split.test)) == (100, 100)
    assert len(draw(corpus(30_000)).dev) == 1000
    asked = draw(corpus(100), dev=10, test=11)
    assert (len(asked.dev), len(asked.test)) == (10, 11)


def test_many_different_sentences_are_drawn_as_few_would_be() -> None:
    """The bounded memory of the draw does not change what is drawn."""
    pairs = corpus(400)
    small = draw(pairs, dev=10, test=10)
    every = sorted(range(400), key=lambda i: _key(pairs[i]))[:20]
    assert folded(list(small.test.source)) == folded([pairs[i].source for i in every[:10]])
    assert folded(list(small.dev.source)) == folded([pairs[i].source for i in every[10:]])


def _key(pair: Pair) -> bytes:
    from demotic.pipeline.split import _digest

    return _digest(pair.source, 1)


def test_given_sets_are_kept_and_their_sources_left_out_of_training() -> None:
    """Pairs that have only the target in common are trained on, and counted."""
    pairs = corpus(200)
    test = HeldOut([pairs[7].source], [["no match"]])
    dev = HeldOut(["nichts davon"], [["THE sentence number 9"]])
    split = draw(pairs, dev=dev, test=test)
    assert split.dev is dev
    assert split.test is test
    lines = {pair.line for pair in split.training(pairs)}
    assert lines == set(range(1, 201)) - {8}
    assert (split.left_out, split.shared) == (1, 1)


def test_an_empty_line_of_a_given_set_excludes_nothing() -> None:
    pairs = [*corpus(50), Pair("", "something", "x", 51)]
    held_out = HeldOut(["a sentence", ""], [["ein Satz", ""]])
    assert len(list(Split(held_out, held_out).training(pairs))) == 51


def test_too_little_text() -> None:
    with pytest.raises(Error) as caught:
        draw(corpus(30))
    assert "30 sentence pairs" in str(caught.value)
    assert "--dev-size" in str(caught.value)


def test_odd_sentences_are_not_tested_on() -> None:
    odd = [
        Pair("", "empty", "x", 1),
        Pair("Same text", "same text", "x", 2),
        Pair("a" * 700, "b" * 700, "x", 3),
        Pair("ja", "ok", "x", 4),
    ]
    split = draw([*odd, *corpus(60)], dev=15, test=15)
    assert all(
        text.startswith("der Satz") for one in (split.dev, split.test) for text in one.source
    )
