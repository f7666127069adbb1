"""The `paths` file of Brown clusters: what is written is read, and faults are named by line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import FormatError, IoError
from demotic._core import VocabularyBuilder
from demotic.text.brown import BrownOptions, brown_clusters, read_paths, write_paths
from tests.text.encoded import encoded

SENTENCES = [["the", "cat", "sat"], ["the", "dog", "sat"], ["a", "dog", "ran"], ["a", "cat"]]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.sampled_from("abcdefgä中"), max_size=6), max_size=6),
    st.integers(1, 5),
    st.integers(1, 2),
)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: list[list[str]],
    classes: int,
    min_count: int,
) -> None:
    path = tmp_path_factory.mktemp("paths") / "paths"
    corpus, vocabulary = encoded(sentences)
    options = BrownOptions(classes=classes, min_count=min_count)
    made = brown_clusters(corpus, vocabulary, options)
    write_paths(path, made, vocabulary)
    read = read_paths(path, vocabulary)
    assert read.bits == made.bits
    assert np.array_equal(read.word_class, made.word_class)
    with_class = made.word_class >= 0
    assert np.array_equal(read.counts, np.where(with_class, made.counts, 0))
    assert read.information is None


def test_lines_are_by_class_and_falling_count(tmp_path: Path) -> None:
    corpus, vocabulary = encoded([["a", "b", "a", "b", "c", "a"]])
    clusters = brown_clusters(corpus, vocabulary, BrownOptions(classes=1))
    write_paths(tmp_path / "paths", clusters, vocabulary)
    assert (tmp_path / "paths").read_text() == "\ta\t3\n\tb\t2\n\tc\t1\n"


def test_words_of_other_vocabularies_are_left_out_but_their_classes_stay(tmp_path: Path) -> None:
    (tmp_path / "paths").write_text("00\tcat\t3\n01\t<unk>\t9\n10\tunheard\t2\n11\tdog\t1\n")
    vocabulary = VocabularyBuilder()
    for word in ("dog", "cat", "new"):
        vocabulary.add(word)
    clusters = read_paths(tmp_path / "paths", vocabulary.finish())
    assert clusters.bits == ("00", "01", "10", "11")
    assert clusters.word_class.tolist() == [-1, -1, -1, 3, 0, -1]
    assert clusters.counts.tolist() == [0, 0, 0, 1, 3, 0]
    assert repr(clusters) == "BrownClusters(4 classes of 2 words)"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("0\ta\t1\n1 b 2\n", 2, "1 fields; expected bit string, tab, word, tab, count"),
        ("0\ta\t1\n\n", 2, "1 fields"),
        ("0\ta\t1\t7\n", 1, "4 fields"),
        ("0x\ta\t1\n", 1, "the bit string '0x'; expected only 0 and 1"),
        ("0\ta\t1\n1\tb\tmany\n", 2, "the count 'many'"),
        ("0\ta\t-1\n", 1, "the count '-1'"),
        ("0\ta\t²\n", 1, "the count '²'"),
        ("0\ta\t" + "9" * 30 + "\n", 1, "the count '9999"),
        ("0\t\t1\n", 1, "the word ''; expected one word"),
        ("0\ta b\t1\n", 1, "the word 'a b'"),
        ("0\ta\t1\n10\tb\t1\n11\ta\t1\n", 3, "the word 'a' again (see line 1)"),
        ("0\ta\t1\n1\tb\t1\n01\tc\t1\n", 3, "an extension of the one on line 1"),
        ("011\ta\t1\n01\tb\t1\n", 1, "an extension of the one on line 2"),
    ],
)
def test_faults_are_named_by_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "paths"
    path.write_text(text)
    _, vocabulary = encoded(SENTENCES)
    with pytest.raises(FormatError) as raised:
        read_paths(path, vocabulary)
    assert raised.value.line == line
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    _, vocabulary = encoded(SENTENCES)
    with pytest.raises(IoError, match="nowhere"):
        read_paths(tmp_path / "nowhere", vocabulary)
