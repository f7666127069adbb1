"""Operation sequences of sentence pairs: hand-made ones, the oracle, and execution."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from tests.oracle.operations import Piece, executed, generated

Links = list[tuple[int, int]]


def operations_of(pairs: list[tuple[str, str, Links]]) -> list[list[str]]:
    words = _core.VocabularyBuilder()
    sides = []
    for side in range(2):
        builder = _core.CorpusBuilder(words)
        lines = _core.Lines()
        for pair in pairs:
            lines.append(pair[side])
        builder.add(lines)
        sides.append(builder.finish())
    text = _core.Lines()
    for *_, links in pairs:
        text.append(" ".join(f"{s}-{t}" for s, t in sorted(links)))
    links = _core.Alignments.parse(text, "links")
    corpus, names = _core.operation_text(*sides, links, words.finish())
    found = [names.word(word) for word in corpus.words.tolist()]
    offsets = corpus.offsets.tolist()
    return [found[a:b] for a, b in pairwise(offsets)]


def diagonal(*targets: int) -> Links:
    return list(enumerate(targets))


@pytest.mark.parametrize(
    ("source", "target", "links", "expected"),
    [
        ("a b", "x y", diagonal(0, 1), ["=a \tx ", "=b \ty "]),
        # A swap: a gap, then back to it.
        ("a b", "x y", diagonal(1, 0), ["_", "=b \tx ", "<1", "=a \ty "]),
        # Forward again after the gap is filled.
        ("a b c", "x y z", diagonal(1, 0, 2), ["_", "=b \tx ", "<1", "=a \ty ", ">>", "=c \tz "]),
        # A cept with two source words around another: the gap is filled later.
        ("a b c", "x y", [(0, 0), (2, 0), (1, 1)], ["=a c \tx ", "_", ">", "<1", "=b \ty "]),
        ("a b c", "x y", [(0, 0), (2, 1)], ["=a \tx ", "-b", "=c \ty "]),
        ("a b", "x y", [(1, 1)], ["+x", "-a", "=b \ty "]),
        # Later target words of a cept have no operation of their own.
        ("a b", "x y z", [(0, 0), (0, 2), (1, 1)], ["=a \tx z ", "=b \ty "]),
        # Two open gaps: the one on the left is the second.
        ("a b c d", "w x y z", diagonal(2, 0, 3, 1),
         ["_", "=b \tw ", "_", "=d \tx ", "<2", "=a \ty ", ">>", "<1", "=c \tz "]),
        ("<unk> a a", "<s> a a", diagonal(0, 1, 2), ["=<unk> \t<s> ", "=a \ta ", "=a \ta "]),
        ("a b", "x", [], []),
    ],
)  # fmt: skip
def test_hand_made_pairs(source: str, target: str, links: Links, expected: list[str]) -> None:
    assert operations_of([(source, target, links)]) == [expected]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str, Links]:
    source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=8))
    target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=8))
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return " ".join(source), " ".join(target), draw(st.lists(link, max_size=10, unique=True))


@settings(max_examples=300, deadline=None)
@given(st.lists(pairs(), min_size=1, max_size=4))
def test_the_oracle_agrees_and_operations_regenerate_the_pair(
    chosen: list[tuple[str, str, Links]],
) -> None:
    for (source, target, links), found in zip(chosen, operations_of(chosen), strict=True):
        if not links:
            assert found == []
            continue
        piece = Piece(0, source.split(), target.split(), frozenset(links))
        assert found == generated([piece]).operations
        words, translated = executed(found)
        assert words == source.split()
        assert sorted(translated) == sorted(target.split())
