"""The transformer that benchmarks compare with: subwords, and search by a cache of states."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.transformer.subwords import END, Subwords

WORDS = st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(0, 20))
def test_splits_are_joined_again(sentences: list[list[str]], merges: int) -> None:
    subwords = Subwords.learnt(sentences, merges)
    for sentence in sentences:
        assert subwords.joined(subwords.split(sentence)) == " ".join(sentence)


@given(WORDS, st.integers(0, 10))
def test_learns_the_most_frequent_pairs(words: list[str], merges: int) -> None:
    pieces = [[*word[:-1], word[-1] + END] for word in words]
    expected = []
    for _ in range(merges):
        counts = Counter(pair for one in pieces for pair in pairwise(one))
        best = max(counts, key=lambda pair: (counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        expected.append(best)
        for one in pieces:
            place = 0
            while place + 1 < len(one):
                if (one[place], one[place + 1]) == best:
                    one[place : place + 2] = ["".join(best)]
                place += 1
    assert Subwords.learnt([words], merges).merges == expected


def test_a_search_of_one_is_greedy() -> None:
    torch = pytest.importorskip("torch")
    from benchmarks.transformer.beam_search import beam_search, padded
    from benchmarks.transformer.network import END as STOP
    from benchmarks.transformer.network import PAD, START, UNKNOWN, Shape, Transformer

    torch.manual_seed(3)
    model = Transformer(30, Shape(width=16, inner=32, heads=2, layers=2)).eval()
    lines = [[5, 6, 7, STOP], [8, STOP]]
    with torch.inference_mode():
        found = beam_search(model, lines, 1, 10)
        for line, ids in zip(lines, found, strict=True):
            target = [START]
            for _ in range(10):
                scores = model(padded([line]), torch.tensor([target]))[0, -1]
                scores[[PAD, START, UNKNOWN]] = -torch.inf
                if int(scores.argmax()) == STOP:
                    break
                target.append(int(scores.argmax()))
            assert ids == target[1:]
