"""Mixtures: the weighted sum for every listed n-gram, and everything sums to one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic._core import Lines
from demotic.lm import LanguageModel, mix_lms, tune_weight
from tests.lm.arpa import parse_arpa
from tests.lm.texts import estimated, lines_of, tiny_texts

weights = st.sampled_from([0.0, 0.25, 0.5, 0.9, 1.0])


def probability(model: LanguageModel, word: str, context: tuple[str, ...]) -> float:
    """Zero for a word that the model does not have."""
    if word not in model.vocabulary.words():  # the marks are no words of a text
        return 0.0
    state = model.empty_state
    for i, before in enumerate(context):
        start = i == 0 and before == "<s>"
        state = model.begin_state if start else model.step(state, before)[1]
    return math.exp(model.step(state, word)[0])


@given(tiny_texts, tiny_texts, st.integers(1, 4), st.integers(1, 4), weights)
def test_mixture_of_listed_ngrams(tmp_path_factory, text, other_text, order, other_order, weight):
    first, second = estimated(text, order), estimated(other_text, other_order)
    path = tmp_path_factory.mktemp("lm") / "mixed.arpa"
    mixed = mix_lms(first, second, weight)
    mixed.save(path)
    assert mixed.order == max(order, other_order)
    for section in parse_arpa(path):
        for ngram, (log10, _) in section.items():
            if ngram == ("<s>",):
                continue
            expected = weight * probability(first, ngram[-1], ngram[:-1])
            expected += (1 - weight) * probability(second, ngram[-1], ngram[:-1])
            assert 10**log10 == pytest.approx(expected, rel=1e-5, abs=1e-12)


@given(tiny_texts, tiny_texts, st.integers(1, 4), st.sampled_from([0.25, 0.5, 0.9]), st.data())
def test_mixtures_sum_to_one(text, other_text, order, weight, data):
    mixed = mix_lms(estimated(text, order), estimated(other_text, 3), weight)
    sentence = data.draw(st.sampled_from(text + other_text))
    state = mixed.begin_state
    for word in sentence[: data.draw(st.integers(0, len(sentence)))]:
        state = mixed.step(state, word)[1]
    words = [word for word in mixed.vocabulary.words() if word != "<s>"]
    assert math.fsum(math.exp(mixed.step(state, w)[0]) for w in words) == pytest.approx(1, abs=1e-5)


def test_weight_of_one_keeps_the_first():
    first = estimated([["a", "b", "a"], ["b"]], 3)
    mixed = mix_lms(first, estimated([["a", "a"]], 3), 1.0)
    for sentence in ("a b a", "b", "a a b"):
        assert mixed.score(sentence) == pytest.approx(first.score(sentence), abs=1e-4)


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan])
def test_bad_weights(weight):
    model = estimated([["a"]], 1)
    with pytest.raises(ValueError, match="weight"):
        mix_lms(model, model, weight)


def test_tuned_weight_is_the_best():
    first = estimated([["a", "b", "c"]] * 5 + [["d"]], 3)
    second = estimated([["c", "b", "a"]] * 5 + [["e", "d"]], 3)
    text = lines_of([["a", "b", "c"], ["a", "b"], ["c", "b", "a"], ["e"], ["zzz"]])
    tuned = tune_weight(first, second, text)
    assert 0.05 < tuned < 0.95

    def fit(weight: float) -> float:
        """By the definition of the mixture, word by word."""
        total = 0.0
        for sentence in text.tolist():
            context: tuple[str, ...] = ("<s>",)
            for word in [*sentence.split(), "</s>"]:
                here = [m for m in (first, second) if word in m.vocabulary.words()]
                asked = word if here else "<unk>"
                p, q = (probability(m, asked, context) for m in (first, second))
                total += math.log(weight * p + (1 - weight) * q)
                context = (*context, word)
        return total

    assert fit(tuned) >= max(fit(i / 200) for i in range(1, 200)) - 1e-6


def test_empty_held_out_text_is_refused():
    model = estimated([["a"]], 1)
    with pytest.raises(ValueError, match="held-out text is empty"):
        tune_weight(model, model, Lines())
