"""Layers of word classes: their contents, their files, and layers from tags."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import FormatError
from demotic._core import RESERVED_WORDS, Vocabulary, VocabularyBuilder
from demotic.text.brown import BrownOptions, brown_clusters
from demotic.text.classes import (
    ClassLayer,
    brown_layer,
    character_layer,
    layer_from_names,
    type_layer,
    word_type,
)
from demotic.text.tags import most_frequent_tags, read_tag_corpus, read_tag_list
from tests.text.encoded import encoded


def vocabulary_of(*words: str) -> Vocabulary:
    builder = VocabularyBuilder()
    for word in words:
        builder.add(word)
    return builder.finish()


def by_word(layer: ClassLayer, vocabulary: Vocabulary) -> dict[str, str]:
    return {word: layer.class_name(layer[i]) for i, word in enumerate(vocabulary.words())}


NONE = {"<unk>": "-", "<s>": "-", "</s>": "-"}


def test_a_layer_is_a_value_with_look_ups() -> None:
    layer = layer_from_names("colour", [None, None, None, "red", None, "blue", "red"])
    assert len(layer) == 7
    assert layer.name == "colour"
    assert layer.names == ["-", "red", "blue"]
    assert layer.classes.tolist() == [0, 0, 0, 1, 0, 2, 1]
    assert layer[6] == 1
    assert repr(layer) == "ClassLayer(colour: 2 classes of 7 words)"
    with pytest.raises(ValueError, match="read-only"):
        layer.classes[3] = 2
    for beyond in (-1, 7):
        with pytest.raises(IndexError):
            layer[beyond]
    with pytest.raises(IndexError):
        layer.class_name(3)


@pytest.mark.parametrize(
    ("classes", "names", "message"),
    [
        ([0, 0, 0, 2], ["-", "a"], "without a name"),
        ([0, 0, 0, -1], ["-", "a"], "without a name"),
        ([0, 1, 0], ["-", "a"], "reserved word"),
        ([0, 0], ["-"], "reserved words"),
        ([0, 0, 0], ["a"], "class 0"),
        ([0, 0, 0], [], "class 0"),
    ],
)
def test_contradictions_are_refused(classes: list[int], names: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ClassLayer("x", np.array(classes, np.int32), names)


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=5), st.lists(st.none() | st.text(max_size=3), max_size=20))
def test_save_and_open(
    tmp_path_factory: pytest.TempPathFactory, name: str, names: list[str | None]
) -> None:
    path = str(tmp_path_factory.mktemp("layer") / "layer")
    layer = layer_from_names(name, [None] * RESERVED_WORDS + names)
    layer.save(path)
    again = ClassLayer.open(path, verify=True)
    assert (again.name, again.names) == (layer.name, layer.names)
    assert np.array_equal(again.classes, layer.classes)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "layer"
    layer_from_names("x", [None, None, None, "a", "b"]).save(str(path))
    good = path.read_bytes()
    for at in range(0, len(good), 7):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(FormatError):
            ClassLayer.open(str(path), verify=True)


def test_without_checksums_no_damage_reaches_a_look_up(tmp_path: Path) -> None:
    path = tmp_path / "layer"
    layer_from_names("x", [None, None, None, "ä", "b", "中"]).save(str(path))
    good = path.read_bytes()
    refused = set()
    for at in range(64, len(good)):
        for flip in (1, 0x80):
            path.write_bytes(good[:at] + bytes([good[at] ^ flip]) + good[at + 1 :])
            try:
                layer = ClassLayer.open(str(path), verify=False)
            except FormatError as error:
                refused.add(error.found)
                continue
            assert all(0 <= found < len(layer.names) for found in layer.classes.tolist())
            assert layer.names[layer[0]] == "-"
    assert refused >= {
        "name offsets that do not fit the names",
        "no class 0 named '-'",
        "a reserved word with a class other than 0",
        "a class without a name",
        "a class name that is not UTF-8",
        "a name that is not UTF-8",
    }


def test_brown_layers() -> None:
    corpus, vocabulary = encoded([["the", "cat", "sat"], ["a", "dog", "sat"], ["the", "dog"]] * 3)
    clusters = brown_clusters(corpus, vocabulary, BrownOptions(classes=4, min_count=4))
    full = brown_layer("brown", clusters)
    assert full.names == ["-", *clusters.bits]
    found = by_word(full, vocabulary)
    assert found["cat"] == "-"  # too rare
    assert found["<s>"] == "-"
    assert found["sat"] == clusters.bits[clusters.word_class[vocabulary.find("sat")]]
    short = brown_layer("brown-1", clusters, prefix=1)
    assert short.names == ["-", "0", "1"]
    for word, bits in by_word(short, vocabulary).items():
        assert bits == found[word][:1]
    with pytest.raises(ValueError, match="prefix is 0"):
        brown_layer("brown-0", clusters, prefix=0)


def test_character_layers_count_characters_not_bytes() -> None:
    vocabulary = vocabulary_of("中国", "中", "國", "-", "été")
    left = character_layer("left", vocabulary, "leftmost")
    assert by_word(left, vocabulary) == NONE | {
        "中国": "中",
        "中": "中",
        "國": "國",
        "-": "-",
        "été": "é",
    }
    assert left[vocabulary.find("-")] != 0  # the hyphen's class has the name of none, not its id
    right = character_layer("right", vocabulary, "rightmost")
    assert by_word(right, vocabulary)["中国"] == "国"


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        *[(word, "punctuation") for word in (",", "...", "。", "«", "$", "=", "--", "'", "€")],
        *[(word, "digit") for word in ("7", "3.5", "1,000", "50%", "-2", "٣", "½", "Ⅷ", "$5")],
        *[(word, "alpha") for word in ("cat", "don't", "été", "中国", "नमस्ते", "co-op", "U.S.")],
        *[(word, "other") for word in ("mp3", "2nd", "a1", "第3", "\ue000", "a\u200d", "")],
    ],
)
def test_word_types(word: str, kind: str) -> None:
    assert word_type(word) == kind


def test_type_layer() -> None:
    vocabulary = vocabulary_of("mp3", "cat", ",", "7", "dog")
    layer = type_layer("type", vocabulary)
    assert layer.names == ["-", "punctuation", "digit", "alpha", "other"]
    assert layer.classes.tolist() == [0, 0, 0, 4, 3, 1, 2, 3]


def test_tag_list(tmp_path: Path) -> None:
    vocabulary = vocabulary_of("dog", "runs", "new")
    path = tmp_path / "tags"
    path.write_text("runs\tVB\ncat\tNN\ndog\tNN\nruns\tVB\n<s>\tXX\n")
    layer = read_tag_list("pos", path, vocabulary)
    assert by_word(layer, vocabulary) == NONE | {"dog": "NN", "runs": "VB", "new": "-"}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\tX\nb\n", 2, "'b'; expected a word, a tab and a tag"),
        ("a\tX\n\n", 2, "expected a word"),
        ("\tX\n", 1, "expected a word"),
        ("a\t\n", 1, "expected a word"),
        ("a\tX\tY\n", 1, "expected a word"),
        ("a b\tX\n", 1, "expected a word"),
        ("a\tX\nb\tY\na\tY\n", 3, "the tag 'Y' for the word 'a'; expected 'X' as on line 1"),
    ],
)
def test_faults_of_a_tag_list(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "tags"
    path.write_text(text)
    with pytest.raises(FormatError) as raised:
        read_tag_list("pos", path, vocabulary_of("a", "b"))
    assert raised.value.line == line
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_tag_corpus(tmp_path: Path) -> None:
    words, vocabulary = encoded([["the", "run"], [], ["we", "run"], ["run", "run"]])
    path = tmp_path / "tags"
    path.write_text("DT NN\n\nPR VB\nVB NN\n")
    tags, tag_vocabulary = read_tag_corpus(path, words)
    assert [tag_vocabulary.word(int(i)) for i in tags.words] == ["DT", "NN", "PR", "VB", "VB", "NN"]
    layer = most_frequent_tags("pos", words, vocabulary, tags, tag_vocabulary)
    # NN and VB tie for "run"; NN was seen first.
    assert by_word(layer, vocabulary) == NONE | {"the": "DT", "run": "NN", "we": "PR"}
    assert layer.names == ["-", "DT", "NN", "PR", "VB"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("A B\nA\n", 0, "2 lines of tags; expected 3"),
        ("A B\n\nA\nA\n", 0, "4 lines of tags; expected 3"),
        ("A B\nA\nA\n", 2, "1 tags; expected 0, one per word"),
        ("A\n\nA\n", 1, "1 tags; expected 2, one per word"),
    ],
)
def test_faults_of_a_tag_corpus(tmp_path: Path, text: str, line: int, message: str) -> None:
    words, _ = encoded([["a", "b"], [], ["c"]])
    path = tmp_path / "tags"
    path.write_text(text)
    with pytest.raises(FormatError) as raised:
        read_tag_corpus(path, words)
    assert raised.value.line == line
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("XYZ")), max_size=12))
def test_most_frequent_tag_by_counting(tokens: list[tuple[str, str]]) -> None:
    words, vocabulary = encoded([[word for word, _ in tokens]])
    tags, tag_vocabulary = encoded([[tag for _, tag in tokens]])
    layer = most_frequent_tags("pos", words, vocabulary, tags, tag_vocabulary)
    for word in vocabulary.words()[RESERVED_WORDS:]:
        # most_common keeps the order of appearance among equals
        expected = Counter(tag for w, tag in tokens if w == word).most_common(1)[0][0]
        assert layer.class_name(layer[vocabulary.find(word)]) == expected
