"""Queries: minimal states, whole texts at once, threads, files."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic import FormatError
from demotic._core import SENTENCE_END
from demotic._core import LanguageModel as NativeModel
from demotic.lm import LanguageModel
from demotic.lm.text import encode_text
from tests.lm.arpa import parse_arpa
from tests.lm.texts import WORDS, estimated, lines_of, tiny_texts

sentences_with_unknown = st.lists(st.sampled_from([*WORDS, "zzz", "<s>"]), max_size=10)


def by_backing_off(sections, word, context):
    """log10 p(word | context) from the listed n-grams, by the definition of an ARPA model."""
    context = tuple(context)[max(0, len(context) - len(sections) + 1) :]
    if (*context, word) in sections[len(context)]:
        return sections[len(context)][(*context, word)][0]
    backoff = sections[len(context) - 1].get(context, (0, 0))[1]
    return backoff + by_backing_off(sections, word, context[1:])


@given(tiny_texts, st.integers(1, 5), sentences_with_unknown, st.booleans())
def test_scores_are_those_of_the_listed_ngrams(tmp_path_factory, text, order, sentence, begin):
    model = estimated(text, order, "0 1" if order > 1 else "0")
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    model.save(path)
    sections = parse_arpa(path)
    known = set(model.vocabulary.words()) - {"<s>", "</s>"}
    words = [*(word if word in known else "<unk>" for word in sentence), "</s>"]
    context = ["<s>"] if begin else []
    for word, score in zip(words, model.word_scores(sentence, begin=begin), strict=True):
        assert score / math.log(10) == pytest.approx(
            by_backing_off(sections, word, context), abs=2e-6
        )
        context.append(word)


@given(tiny_texts, st.integers(2, 4), sentences_with_unknown)
def test_state_keeps_no_word_that_cannot_begin_anything(text, order, sentence):
    model = estimated(text, order)
    contexts = {tuple(w[:-1]) for s in text for w in windows(["<s>", *s, "</s>"], order)}
    state, history = model.begin_state, ["<s>"]
    for name in sentence:
        word = name if name in WORDS and name in model.vocabulary else "<unk>"
        state, history = model.step(state, word)[1], [*history, word]
        suffixes = [tuple(history[i:]) for i in range(len(history) + 1)]
        assert model.native.length(state) == max(len(s) for s in suffixes if s in contexts)


def windows(words, order):
    return [words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1)]


some_sentences = st.lists(sentences_with_unknown, max_size=50)


@given(some_sentences, st.integers(1, 5), st.booleans(), st.booleans())
def test_whole_texts_equal_single_sentences(text, order, begin, end):
    model = estimated([["a", "b", "c", "a"], ["b", "a"], []], order)
    scores = model.score_text(lines_of(text), begin=begin, end=end)
    assert len(scores.log10) == len(text)
    for i, sentence in enumerate(text):
        one = model.score(sentence, begin=begin, end=end) / math.log(10)
        assert scores.log10[i] == pytest.approx(one, abs=1e-4)
        assert scores.unknown[i] == sum(word not in "abc" for word in sentence)


def test_threads_change_nothing(tmp_path):
    rng = random.Random(3)
    text = [rng.choices(WORDS, k=rng.randrange(15)) for _ in range(5000)]
    model = estimated(text[:2000], 4)
    lines = lines_of(text)
    one, three = (model.token_scores(lines, threads=n) for n in (1, 3))
    assert np.array_equal(one.log10, three.log10)
    assert model.perplexity(lines, threads=1) == model.perplexity(lines, threads=3)
    for threads in (1, 3):
        model.save(tmp_path / f"{threads}.arpa", threads=threads)
    assert (tmp_path / "1.arpa").read_bytes() == (tmp_path / "3.arpa").read_bytes()


def test_perplexity_counts_sentence_ends_and_unknown_words():
    model = estimated([["a", "b"], ["b"]], 2)
    result = model.perplexity(lines_of([["a", "zzz"], []]))
    assert (result.sentences, result.tokens, result.unknown) == (2, 4, 1)
    first, unknown, last = model.word_scores("a zzz")
    (empty,) = model.word_scores("")
    assert math.log(result.with_unknown) == pytest.approx(-(first + unknown + last + empty) / 4)
    assert math.log(result.without_unknown) == pytest.approx(-(first + last + empty) / 3)


def test_ids_of_another_vocabulary():
    model = estimated([["b", "a"]], 2)
    other = encode_text(lines_of([["z", "a", "b"]]))
    mapped = model.native.map(other.vocabulary).tolist()
    assert [model.vocabulary.word(i) for i in mapped] == ["<unk>", "<s>", "</s>", "<unk>", "a", "b"]
    scores = model.score_text(other)
    assert scores.log10[0] * math.log(10) == pytest.approx(model.score("z a b"), abs=1e-5)


def test_what_does_not_belong_to_the_model_is_refused():
    small, large = estimated([["a"]], 1), estimated([["a", "b", "c"]], 3)
    with pytest.raises(IndexError):
        small.native.score(large.begin_state, SENTENCE_END)
    with pytest.raises(IndexError):
        small.native.score(small.begin_state, 99)


@given(tiny_texts, st.integers(1, 5))
def test_binary_and_arpa_round_trips(tmp_path_factory, text, order):
    folder = tmp_path_factory.mktemp("lm")
    model = estimated(text, order, "0 1" if order > 1 else "0")
    model.save(folder / "a.arpa")
    LanguageModel.load(folder / "a.arpa").save(folder / "b.lm")
    mapped = LanguageModel.load(folder / "b.lm")
    mapped.save(folder / "c.arpa.gz")
    again = LanguageModel.load(folder / "c.arpa.gz")
    again.save(folder / "d.arpa")
    assert parse_arpa(folder / "a.arpa") == parse_arpa(folder / "d.arpa")
    assert model.counts == mapped.counts == again.counts
    for sentence in text:
        assert mapped.score(sentence) == again.score(sentence) == model.score(sentence)


def test_repr_says_the_sizes():
    assert repr(estimated([["a", "b"]], 2)) == "LanguageModel(order 2, 5 + 3)"


def test_every_damaged_byte_is_noticed(tmp_path):
    path = tmp_path / "model.lm"
    estimated([["a", "b", "a"], ["b"]], 3).save(path)
    good = path.read_bytes()
    rng = random.Random(1)
    for _ in range(400):
        at = rng.randrange(len(good))
        bad = bytearray(good)
        bad[at] ^= 1 << rng.randrange(8)
        path.write_bytes(bytes(bad) if rng.random() < 0.7 else good[:at])
        with pytest.raises(FormatError):
            NativeModel.open(str(path), True)


@given(tiny_texts, st.integers(1, 4), sentences_with_unknown)
def test_cursor_reads_like_steps(text, order, sentence):
    model = estimated(text, order)
    cursor, state = model.cursor(), model.begin_state
    for word in [*sentence, "</s>"]:
        before = cursor.state
        score, state = model.step(state, word)
        assert cursor.score(word) == score
        assert cursor.state == state
        cursor.state = before
        assert cursor.score(word) == score
    assert model.cursor(state).state == state


def test_cursor_goes_nowhere_outside_its_model():
    large, small = estimated([["a", "b", "c"]] * 3, 3), estimated([["a"]], 1)
    state = large.step(large.begin_state, "a")[1]
    with pytest.raises(IndexError, match="the state belongs to another model"):
        small.cursor(state)
    cursor = small.cursor()
    with pytest.raises(IndexError, match="the state belongs to another model"):
        cursor.state = state
