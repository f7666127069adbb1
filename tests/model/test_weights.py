"""Weights: read, written, refused by name and line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import FormatError, ModelError
from demotic.features.dense import dense_features
from demotic.features.weights import FeatureIndex, Weights


@given(
    st.dictionaries(
        st.text("abcXYZ_019()|=:", min_size=1).filter(lambda name: not name.endswith("=")),
        st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_written_weights_are_read_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, float]
) -> None:
    path = tmp_path_factory.mktemp("weights") / "weights.tsv"
    weights = Weights.of(values)
    weights.write(path)
    again = Weights.read(path)
    assert again.index == weights.index
    assert again.array.tobytes() == weights.array.tobytes()


def test_forms_of_cdec(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("# comment\n\na 1\nb=2\nc\t-3e-1\n  d   4\np(e|f)=x=5\n")
    assert dict(Weights.read(path)) == {"a": 1, "b": 2, "c": -0.3, "d": 4, "p(e|f)=x": 5}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("b\tnan", "the weight nan of b; expected a finite number"),
        ("b\tinf", "the weight inf of b"),
        ("b\tx", "the weight x of b"),
        ("a\t2", "a second weight for a, after the one on line 2"),
        ("b", "'b'; expected a feature's name"),
        ("b\t1\t2", "expected a feature's name"),
        ("b 1 2", "expected a feature's name"),
        ("=1", "expected a feature's name"),
    ],
)
def test_faults_name_feature_and_line(line: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.tsv"
    path.write_text(f"# feature\na\t1\n{line}\n")
    with pytest.raises(FormatError) as caught:
        Weights.read(path)
    assert caught.value.line == 3
    assert found in str(caught.value)


def test_weights_cannot_be_changed() -> None:
    weights = Weights.of({"a": 1.0, "b": 2.0})
    with pytest.raises(ValueError, match="read-only"):
        weights.array[0] = 5
    changed = weights.replace({"b": 3})
    assert dict(weights) == {"a": 1, "b": 2}
    assert dict(changed) == {"a": 1, "b": 3}
    with pytest.raises(ModelError, match="no feature called c; expected a, b"):
        weights.replace({"c": 1})


def test_an_array_given_is_copied() -> None:
    values = np.array([1.0])
    weights = Weights(FeatureIndex(["a"]), values)
    values[0] = 2
    assert weights["a"] == 1
    with pytest.raises(ModelError, match="the weight nan of a"):
        Weights(FeatureIndex(["a"]), [float("nan")])


def test_order_and_completeness() -> None:
    weights = Weights.of({"a": 1, "b": 2})
    assert list(weights.ordered(["b", "a"]).array) == [2, 1]
    with pytest.raises(ModelError, match="no weight for c and a weight for b"):
        weights.ordered(["a", "c"])
    with pytest.raises(ModelError, match="two features called a"):
        FeatureIndex(["a", "a"])


def test_default_weights_are_those_of_moses() -> None:
    scores = ("source_given_target", "reordering_backward_swap", "own")
    assert dict(Weights.default(dense_features("phrase", scores, 2))) == {
        "source_given_target": 0.2,
        "reordering_backward_swap": 0.3,
        "own": 0,
        "language_model": 0.5,
        "language_model_2": 0.5,
        "word_penalty": -1,
        "phrase_penalty": 0.2,
        "distortion": 0.3,
        "unknown_word": 1,
    }
    names = dense_features("hiero", (), 0)
    assert names == ("word_penalty", "phrase_penalty", "glue", "pass_through", "unknown_word")
