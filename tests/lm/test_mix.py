"""Mixtures: the weighted sum for every listed n-gram, and everything sums to one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic._core import Lines
from demotic.lm import LanguageModel, mix_lms, tune_weights
from tests.lm.arpa import parse_arpa
from tests.lm.texts import Sentences, estimated, lines_of, tiny_texts

parts = st.lists(st.sampled_from([0, 1, 2, 9]), min_size=4, max_size=4)


def probability(model: LanguageModel, word: str, context: tuple[str, ...]) -> float:
    """Zero for a word that the model does not have."""
    if word not in model.vocabulary.words():  # the marks are no words of a text
        return 0.0
    state = model.empty_state
    for i, before in enumerate(context):
        start = i == 0 and before == "<s>"
        state = model.begin_state if start else model.step(state, before)[1]
    return math.exp(model.step(state, word)[0])


def weights_from(parts: list[int], count: int) -> list[float]:
    """As many weights that add up to 1, some of them 0."""
    chosen = parts[:count] if sum(parts[:count]) else [1] * count
    return [one / sum(chosen) for one in chosen]


@given(st.lists(tiny_texts, min_size=1, max_size=4), parts, st.data())
def test_mixture_of_listed_ngrams(tmp_path_factory, texts, parts, data):
    """Of every n-gram of every model, whichever lists it and however many follow."""
    models = [estimated(text, data.draw(st.integers(1, 4))) for text in texts]
    weights = weights_from(parts, len(models))
    folder = tmp_path_factory.mktemp("lm")
    mixed = mix_lms(models, weights)
    mixed.save(folder / "mixed.arpa")
    assert mixed.order == max(model.order for model in models)
    listed = parse_arpa(folder / "mixed.arpa")
    for number, model in enumerate(models):
        model.save(folder / f"{number}.arpa")
        for section, whole in zip(parse_arpa(folder / f"{number}.arpa"), listed, strict=False):
            assert section.keys() <= whole.keys()
    for section in listed:
        for ngram, (log10, _) in section.items():
            if ngram == ("<s>",):
                continue
            expected = math.fsum(
                weight * probability(model, ngram[-1], ngram[:-1])
                for weight, model in zip(weights, models, strict=True)
            )
            assert 10**log10 == pytest.approx(expected, rel=2e-5, abs=1e-12)


@given(st.lists(tiny_texts, min_size=2, max_size=3), parts, st.data())
def test_mixtures_sum_to_one(texts, parts, data):
    models = [estimated(text, data.draw(st.integers(1, 4))) for text in texts]
    mixed = mix_lms(models, weights_from(parts, len(models)))
    sentence = data.draw(st.sampled_from([sentence for text in texts for sentence in text]))
    state = mixed.begin_state
    for word in sentence[: data.draw(st.integers(0, len(sentence)))]:
        state = mixed.step(state, word)[1]
    words = [word for word in mixed.vocabulary.words() if word != "<s>"]
    assert math.fsum(math.exp(mixed.step(state, w)[0]) for w in words) == pytest.approx(1, abs=1e-5)


def test_the_order_of_the_models_does_not_matter():
    """One after the other, an n-gram of the last model alone would get a backed-off sum."""
    models = [
        estimated([["a", "b"], ["b", "a", "b"]] * 2, 2),
        estimated([["a", "c"], ["c", "b"]], 3),
        estimated([["a", "b", "c", "a"]] * 3, 4),
    ]
    weights = [0.5, 0.2, 0.3]
    one = mix_lms(models, weights)
    other = mix_lms(models[::-1], weights[::-1])
    for sentence in ("a b c a", "c b", "b c c a b", "e"):
        assert one.score(sentence) == pytest.approx(other.score(sentence), abs=1e-4)


def test_weight_of_one_keeps_the_first():
    first = estimated([["a", "b", "a"], ["b"]], 3)
    mixed = mix_lms([first, estimated([["a", "a"]], 3)], [1.0, 0.0])
    for sentence in ("a b a", "b", "a a b"):
        assert mixed.score(sentence) == pytest.approx(first.score(sentence), abs=1e-4)
    assert mix_lms([first], [1.0]) is first


@pytest.mark.parametrize(
    "weights", [[-0.1, 1.1], [0.5, 0.6], [math.nan, 0.5], [1.0], [0.3, 0.3, 0.4]]
)
def test_bad_weights(weights: list[float]):
    model = estimated([["a"]], 1)
    with pytest.raises(ValueError, match="weights"):
        mix_lms([model, model], weights)


def token_probabilities(models: list[LanguageModel], text: Sentences) -> np.ndarray:
    """One row per word and sentence end, by the definition of the mixture."""
    rows = []
    for sentence in text:
        context: tuple[str, ...] = ("<s>",)
        for word in [*sentence, "</s>"]:
            known = any(word in model.vocabulary.words() for model in models)
            asked = word if known else "<unk>"
            rows.append([probability(model, asked, context) for model in models])
            context = (*context, word)
    return np.array(rows)


def test_tuned_weights_are_the_best_of_a_grid():
    models = [
        estimated([["a", "b", "c"]] * 5 + [["d"]], 3),
        estimated([["c", "b", "a"]] * 5 + [["e", "d"]], 3),
        estimated([["b", "b"], ["f"], ["e", "f"]], 2),
    ]
    text = [["a", "b", "c"], ["a", "b"], ["c", "b", "a"], ["e"], ["zzz"], ["b", "b", "f"]]
    for some in (models[:2], models):
        tuned = tune_weights(some, lines_of(text))
        assert min(tuned) > 0.02
        assert math.fsum(tuned) == pytest.approx(1)
        found = token_probabilities(some, text)

        def fit(weights: list[float], found: np.ndarray = found) -> float:
            return float(np.log(found @ weights).sum())

        steps = np.arange(1, 100) / 100
        pairs = [(a, b) for a in steps for b in steps if a + b < 1]
        grid = (
            [[a, 1 - a] for a in steps] if len(some) == 2 else [[a, b, 1 - a - b] for a, b in pairs]
        )
        assert fit(tuned) >= max(map(fit, grid)) - 1e-5


def test_weight_of_a_useless_model():
    good, bad = estimated([["a", "b"]] * 5, 2), estimated([["c"]], 1)
    assert tune_weights([good, bad, good], lines_of([["a", "b"]]))[1] < 1e-3
    assert tune_weights([good], lines_of([["a"]])) == [1.0]


def test_empty_held_out_text_is_refused():
    model = estimated([["a"]], 1)
    with pytest.raises(ValueError, match="held-out text is empty"):
        tune_weights([model, model], Lines())
