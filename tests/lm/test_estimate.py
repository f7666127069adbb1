"""Estimation against the definition, and properties of every estimated model."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from demotic import ModelError
from demotic._core import Lines, VocabularyBuilder
from demotic._core import encode as encode_lines
from demotic.lm import LanguageModel, LmOptions, estimate_lm
from demotic.lm.text import EncodedText, encode_text
from tests.lm.arpa import parse_arpa
from tests.lm.texts import WORDS, estimated, lines_of, tiny_texts
from tests.oracle.kneser_ney import KneserNey

orders = st.integers(1, 5)
thresholds = st.lists(st.integers(0, 2), max_size=4).map(lambda t: [0, *sorted(t)])


def written(model: LanguageModel, tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    model.save(path)
    return parse_arpa(path)


def log10(value: float) -> float:
    """Zero, the result of zero discounts, is written as -99."""
    return math.log10(value) if value > 0 else -99.0


def check_against_oracle(sentences, order, prune, tmp_path_factory) -> None:
    prune = prune[:order]
    model = estimated(sentences, order, " ".join(map(str, prune)))
    oracle = KneserNey(sentences, order, prune)
    listed = written(model, tmp_path_factory)
    for n, ngrams in enumerate(listed, start=1):
        assert set(ngrams) - {("<s>",)} == oracle.ngrams(n) - {("<s>",)}
        for ngram, (prob, backoff) in ngrams.items():
            if ngram == ("<s>",):
                assert prob == -99
            else:
                expected = log10(oracle.probability(ngram[-1], ngram[:-1]))
                assert prob == pytest.approx(expected, abs=1e-6)
            if n < order:
                assert backoff == pytest.approx(log10(oracle.backoff(ngram)), abs=1e-6)


NO_DISCOUNT = [[], [], [], [], ["b"], ["b", "c"], ["b", "a", "c"]]  # D1 = 0 for the bigrams


@given(tiny_texts, orders, thresholds)
@example(NO_DISCOUNT, 2, [0])
def test_equals_the_definition(tmp_path_factory, sentences, order, prune):
    check_against_oracle(sentences, order, prune, tmp_path_factory)


def natural_text(seed: int, sentences: int = 400) -> list[list[str]]:
    """Enough text, of skewed frequencies, for discounts of the closed form."""
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(600)]
    weights = [1 / (i + 1) for i in range(600)]
    return [rng.choices(words, weights, k=rng.randrange(12)) for _ in range(sentences)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("prune", [[0], [0, 1], [0, 0, 2]])
def test_equals_the_definition_with_estimated_discounts(tmp_path_factory, order, prune):
    text = natural_text(order)
    assert len(estimated(text, order).fallback_orders) < order
    check_against_oracle(text, order, prune, tmp_path_factory)


def test_closed_form_is_used_where_it_can_be():
    text = natural_text(2)
    model, oracle = estimated(text, 2), KneserNey(text, 2)
    assert model.fallback_orders == ()
    for ours, theirs in zip(model.discounts, oracle.discounts, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12)


@given(tiny_texts, orders, thresholds, st.data())
def test_probabilities_sum_to_one(sentences, order, prune, data):
    model = estimated(sentences, order, " ".join(map(str, prune[:order])))
    words = [w for w in model.vocabulary.words() if w != "<s>"]
    sentence = ["<s>", *data.draw(st.sampled_from(sentences))]
    context = sentence[: data.draw(st.integers(0, len(sentence)))]
    state = model.empty_state
    for i, word in enumerate(context):
        state = model.begin_state if i == 0 else model.step(state, word)[1]
    total = math.fsum(math.exp(model.step(state, word)[0]) for word in words)
    assert total == pytest.approx(1, abs=1e-6)


@given(tiny_texts, st.integers(2, 4))
def test_pruning_only_removes(sentences, order):
    counts = [estimated(sentences, order, f"0 {t}").counts for t in range(3)]
    for more, fewer in itertools.pairwise(counts):
        assert more[0] == fewer[0]
        assert all(a >= b for a, b in zip(more, fewer, strict=True))


def test_sentences_without_words_count():
    model = estimated([[], ["a"], []], 2)
    assert model.step(model.begin_state, "</s>")[0] > model.step(model.begin_state, "a")[0]


def test_small_text_falls_back_or_is_refused():
    text = lines_of([["a", "b"], ["a"]])
    assert estimate_lm(text, LmOptions(order=3)).fallback_orders == (1, 2, 3)
    with pytest.raises(ModelError, match="1-grams seen once, twice or three times"):
        estimate_lm(text, LmOptions(order=3, discount_fallback=False))


def test_no_text_is_refused():
    with pytest.raises(ModelError, match="no text"):
        estimate_lm(Lines())


def test_words_that_do_not_occur_are_left_out():
    words = VocabularyBuilder()
    for word in ("x", "a", "y", "b"):
        words.add(word)
    vocabulary = words.finish()
    text = lines_of([["a", "b", "a"]])
    shared = estimate_lm(EncodedText(encode_lines(vocabulary, text, 1), vocabulary))
    assert shared.vocabulary.words() == ["<unk>", "<s>", "</s>", "a", "b"]
    own = estimate_lm(text)
    assert shared.score("a b a") == own.score("a b a")


def test_unknown_words_in_the_corpus_are_refused():
    vocabulary = encode_text(lines_of([["a"]])).vocabulary
    corpus = encode_lines(vocabulary, lines_of([["a", "b"]]), 1)
    with pytest.raises(ModelError, match="1 tokens that are not in the vocabulary"):
        estimate_lm(EncodedText(corpus, vocabulary))


@pytest.mark.parametrize("prune", ["1", "0 2 1", "0 x", "", "0 0 0 0 0", "0 -1"])
def test_bad_thresholds(prune):
    with pytest.raises(ValueError, match="prune is"):
        LmOptions(order=4, prune=prune)


@pytest.mark.parametrize("order", [0, 11])
def test_bad_order(order):
    with pytest.raises(ValueError, match="order is"):
        LmOptions(order=order)


def test_thresholds_may_be_separated_by_commas():
    assert LmOptions(prune="0,0,1").thresholds() == [0, 0, 1]


def test_several_files_are_one_text(tmp_path):
    (tmp_path / "one").write_text("a b\nc\n")
    (tmp_path / "two").write_text("b a\n")
    together = estimate_lm([tmp_path / "one", tmp_path / "two"])
    at_once = estimated([["a", "b"], ["c"], ["b", "a"]], 4)
    for words in itertools.product(WORDS, repeat=2):
        assert together.score(words) == at_once.score(words)
