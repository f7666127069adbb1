"""Translating from Python: raw text, tokens, options, refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demotic
from demotic import search
from demotic._core import Lines
from demotic.errors import ModelError
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.search.stream import LineTranslator, timed_batches
from demotic.search.text import RawText
from tests.search.small_models import pairs, prepared_model, token_model


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def model(home: Path) -> Model:
    return prepared_model(home)


@pytest.fixture(scope="module")
def tokens(home: Path) -> Model:
    return token_model(home)


def test_raw_text_is_restored(model: Model) -> None:
    source, target = zip(*pairs(), strict=True)
    found = model.translate(source, threads=2)
    assert sum(a == b for a, b in zip(found, target, strict=True)) > 0.7 * len(target)
    assert all(text[0].isupper() and text.endswith(".") for text in found)
    assert model.translate(line for line in ["", "Das Haus ist alt."]) == ["", "The house is old."]


def test_one_sentence_in_is_one_out(tokens: Model) -> None:
    assert tokens.translate(["das haus\nist\talt .", " "]) == ["the house is old .", ""]


def test_options(model: Model) -> None:
    sentence = ["Heute kenne ich das Kind."]
    near = model.translate(sentence, options=SearchOptions(distortion_limit=0))
    assert near == ["Today i know the child."]
    assert model.translate(sentence) == ["I know the child today."]


def test_a_string_is_not_a_list_of_sentences(model: Model) -> None:
    for translate in (model.translate, model.decoder().translate, model.search):
        with pytest.raises(TypeError, match=r"write \[sentence\]"):
            translate("Das Haus")


def test_a_candidate_of_the_translations(tokens: Model) -> None:
    found = tokens.decoder().translate(["das haus ist alt .", "das zebra"])
    for i in range(2):
        candidate = found[i]
        assert candidate.text == found.text[i]
        assert candidate.score == pytest.approx(candidate.features @ tokens.weights.array)
        segments = found.decoder.segments(candidate.steps)
        assert segments[-1].target[1] == len(candidate.words)
        assert [s.source for s in segments] == [(x.begin, x.end) for x in candidate.steps]


def test_dropped_words_have_no_target(tokens: Model) -> None:
    decoder = tokens.decoder(SearchOptions(drop_unknown=True))
    (segment,) = decoder.segments(decoder.translate(["zebra"]).steps(0))
    assert segment == ((0, 1), (0, 0))


def test_raw_text_needs_a_preparation(tokens: Model, model: Model) -> None:
    assert RawText(model).is_raw
    assert not RawText(model, tokenized=True).is_raw
    assert not RawText(tokens).is_raw
    with pytest.raises(ModelError, match="raw text for a model without a preparation"):
        RawText(tokens, tokenized=False)


def test_hiero_models_translate_too(tmp_path: Path) -> None:
    hiero = prepared_model(tmp_path, "hiero")
    assert hiero.translate(["Das Haus ist alt.", "", "Zebra"]) == ["The house is old.", "", "Zebra"]


def test_recording_does_not_change_the_best_translation(model: Model) -> None:
    plain = LineTranslator(model.decoder(), model.raw_text)
    source = plain.prepared([line for line, _ in pairs()[:20]])
    recorded = LineTranslator(model.decoder(), model.raw_text, record=True, nbest=3)
    texts, fell_back = plain.texts(source)
    assert fell_back == []
    for one, other, text in zip(
        plain.lines(source, 5), recorded.lines(source, 5), texts, strict=True
    ):
        assert one.number == other.number
        assert one.candidates[0].text == other.candidates[0].text
        assert model.raw_text.restored(one.candidates[0].text) == text
        np.testing.assert_allclose(one.candidates[0].features, other.candidates[0].features)
        assert one.result is None
        assert other.result is not None


@given(st.lists(st.integers(0, 50)), st.integers(1, 9), st.integers(1, 40))
def test_paced_lines_keep_their_order(sizes: list[int], first: int, most: int) -> None:
    chunks, lines = [], []
    for size in sizes:
        chunk = Lines()
        for _ in range(size):
            chunk.append(str(len(lines)))
            lines.append(str(len(lines)))
        chunks.append(chunk)
    batches = [*timed_batches(chunks, first=first, most=most)]
    assert [line for batch in batches for line in batch] == lines
    assert all(1 <= len(batch) <= most for batch in batches)
    if batches:
        assert len(batches[0]) <= first


def test_names_of_the_package() -> None:
    for name in ("SearchOptions", "SearchResult", "Decoder", "Forest"):
        assert getattr(demotic, name).__name__ == name
    for name in search.__all__:
        assert getattr(search, name) is not None
    assert dir(search) == sorted(search.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = search.nothing
