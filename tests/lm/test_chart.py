"""Two-sided states: any bracketing of a sentence scores like a left-to-right pass."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic._core import SENTENCE_END, ChartScorer
from tests.lm.test_query import sentences_with_unknown
from tests.lm.texts import estimated, tiny_texts


def ids_of(model, sentence):
    return [model.vocabulary.find(w) if w not in ("<s>", "</s>") else 0 for w in sentence]


def score_piece(model, words, rng):
    """A random tree over `words`: rules of one to four symbols, words and pieces."""
    scorer = ChartScorer(model.native)
    rest = list(words)
    while rest:
        size = rng.randrange(1, len(rest) + 1)
        if size == len(words) or rng.random() < 0.4:
            size = 1
        part, rest = rest[:size], rest[size:]
        if rng.random() < 0.5 and size == 1:
            scorer.terminal(part[0])
        else:
            score, state = score_piece(model, part, rng) if len(part) > 1 else one_word(model, part)
            scorer.nonterminal(state, score)
    return scorer.finish()


def one_word(model, words):
    scorer = ChartScorer(model.native)
    for word in words:
        scorer.terminal(word)
    return scorer.finish()


def in_sentence(model, score, state):
    """The score of a piece between <s> and </s>."""
    scorer = ChartScorer(model.native)
    scorer.start()
    scorer.nonterminal(state, score)
    scorer.terminal(SENTENCE_END)
    return scorer.finish()[0]


@given(tiny_texts, st.integers(1, 5), sentences_with_unknown, st.randoms(use_true_random=False))
def test_any_bracketing_gives_the_same_score(text, order, sentence, rng):
    model = estimated(text, order, "0 1" if order > 1 else "0")
    words = ids_of(model, sentence)
    score, state = score_piece(model, words, rng)
    total = in_sentence(model, score, state)
    assert total == pytest.approx(model.score(sentence), abs=1e-4, rel=1e-5)


@given(tiny_texts, st.integers(2, 4), st.lists(sentences_with_unknown, min_size=2, max_size=12))
def test_equal_states_have_equal_futures(text, order, pieces):
    model = estimated(text, order)
    groups = {}
    for piece in pieces:
        score, state = one_word(model, ids_of(model, piece))
        groups.setdefault(state, []).append(score)
        # A state reached in another way is the same state.
        again = score_piece(model, ids_of(model, piece), random.Random(len(piece)))[1]
        assert again == state
    for state, scores in groups.items():
        for context in pieces:
            gains = []
            for score in scores:
                scorer = ChartScorer(model.native)
                for word in ids_of(model, context):
                    scorer.terminal(word)
                scorer.nonterminal(state, score)
                scorer.terminal(SENTENCE_END)
                gains.append(scorer.finish()[0] - score)
            assert max(gains) - min(gains) < 1e-4


def test_left_words_are_those_that_may_still_change():
    model = estimated([["a", "b", "c"], ["d", "b", "c"]], 3)
    _, state = one_word(model, ids_of(model, ["b", "c", "d"]))
    assert state.full
    assert [model.vocabulary.word(i) for i in state.left] == ["b", "c"]
    _, open_state = one_word(model, ids_of(model, ["b"]))
    assert not open_state.full
    assert hash(open_state) != hash(state)
    assert state != None  # noqa: E711 - the operator is what is tested
    assert state.right != "something else"


def test_an_empty_piece_changes_nothing():
    model = estimated([["a", "b"], ["b", "a"]], 3)
    nothing = ChartScorer(model.native).finish()
    scorer = ChartScorer(model.native)
    scorer.terminal(ids_of(model, ["a"])[0])
    scorer.nonterminal(nothing[1], nothing[0])
    scorer.terminal(ids_of(model, ["b"])[0])
    assert scorer.finish() == one_word(model, ids_of(model, ["a", "b"]))
