"""N-best lists: ours are read back exactly; those of Moses and cdec are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import FormatError
from demotic.features.dense import FEATURES, dense_features
from demotic.features.weights import FeatureIndex
from demotic.search.nbest import FeatureGroups, NbestEntry, Segment, _parsed, read_nbest

SCORES = ["source_given_target", "target_given_source", "score_5"]
REORDERING = [f"reordering_{d}_{o}" for d in ("backward", "forward") for o in ("monotone", "swap")]
INDEX = FeatureIndex(dense_features("phrase", [*SCORES, *REORDERING], 2))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="&")
WORDS = st.one_of(
    st.sampled_from(["|||", "||", "=", "a=", "lm:", "[X]", "0-0"]),
    st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="&"), min_size=1
    ),
)


def spans() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, 50), st.integers(1, 9)).map(lambda s: (s[0], s[0] + s[1]))


ENTRIES = st.builds(
    NbestEntry,
    sentence=st.integers(0, 10**9),
    text=st.lists(WORDS, max_size=6).map(" ".join),
    features=st.lists(NUMBERS, min_size=len(INDEX), max_size=len(INDEX)).map(
        lambda values: FeatureGroups(INDEX).of(np.array(values))
    ),
    score=NUMBERS,
    segments=st.none() | st.lists(st.builds(Segment, spans(), spans()), max_size=4).map(tuple),
    links=st.none()
    | st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=4).map(tuple),
)


@given(ENTRIES)
def test_round_trip(entry: NbestEntry) -> None:
    again = _parsed(str(entry))
    if entry.segments == () and entry.links is None:  # a single empty field is ambiguous
        again = NbestEntry(again.sentence, again.text, again.features, again.score, ())
    assert again == entry


@given(st.lists(NUMBERS, min_size=len(INDEX), max_size=len(INDEX)))
def test_vectors_are_read_back(values: list[float]) -> None:
    groups = FeatureGroups(INDEX)
    entry = NbestEntry(0, "x", groups.of(np.array(values)), 0.0)
    assert groups.vector(_parsed(str(entry))).tolist() == values


def test_order_of_the_groups() -> None:
    groups = FeatureGroups(INDEX).groups
    names = {name: [INDEX.names[id_] for id_ in ids] for name, ids in groups.items()}
    assert list(names) == [
        "language_model", "distortion", "word_penalty", "phrase_penalty", "unknown_word",
        "rules", "reordering",
    ]  # fmt: skip
    assert names["language_model"] == ["language_model", "language_model_2"]
    assert names["rules"] == SCORES
    assert names["reordering"] == REORDERING


def test_groups_of_a_hiero_model() -> None:
    index = FeatureIndex(dense_features("hiero", SCORES, 1))
    assert list(FeatureGroups(index).groups) == [
        "language_model", "word_penalty", "phrase_penalty", "unknown_word", "glue", "pass_through",
        "rules",
    ]  # fmt: skip


def test_an_empty_target_is_written_as_nothing() -> None:
    segment = Segment((2, 3), (4, 4))
    assert str(segment) == "2="
    entry = NbestEntry(0, "x", {"a": (1.0,)}, 1.0, (segment,))
    (read,) = _parsed(str(entry)).segments or ()
    assert read.source == (2, 3)
    assert read.target[0] == read.target[1]


MOSES = (
    "0 ||| das ist |||  LexicalReordering0= -1.88 0 Distortion0= 0 LM0= -21.5 WordPenalty0= -2 "
    "PhrasePenalty0= 1 TranslationModel0= -1.1 -0.5 ||| -9.25 ||| 0=0 1-2=1 ||| 0-0 1-1 2-1"
)
LISTS = {
    MOSES: {"LexicalReordering0": (-1.88, 0), "Distortion0": (0,), "LM0": (-21.5,),
            "WordPenalty0": (-2,), "PhrasePenalty0": (1,), "TranslationModel0": (-1.1, -0.5)},
    "3 ||| das ist  ||| d: 0 lm: -21.5 w: -2 tm: -1.1 -0.5 0.9 ||| -9.25":
        {"d": (0,), "lm": (-21.5,), "w": (-2,), "tm": (-1.1, -0.5, 0.9)},
    "0 ||| das ist ||| Glue=1 LanguageModel=-2.5 PassThrough_1=2 ||| -9.25":
        {"Glue": (1,), "LanguageModel": (-2.5,), "PassThrough_1": (2,)},
    "0 ||| das ist ||| -1 -2 ||| -9.25": {"": (-1, -2)},
}  # fmt: skip


@pytest.mark.parametrize("line", LISTS)
def test_lists_of_other_toolkits(line: str) -> None:
    entry = _parsed(line)
    assert entry.features == LISTS[line]
    assert (entry.text, entry.score) == ("das ist", -9.25)


def test_segments_and_links_of_moses() -> None:
    entry = _parsed(MOSES)
    assert entry.segments == (Segment((0, 1), (0, 1)), Segment((1, 3), (1, 2)))
    assert entry.links == ((0, 0), (1, 1), (2, 1))
    assert _parsed("0 ||| x ||| a= 1 ||| 1 ||| 0-0").links == ((0, 0),)
    assert _parsed("0 ||| x ||| a= 1 ||| 1 ||| 0=0").segments == (Segment((0, 1), (0, 1)),)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("0 ||| x ||| a= 1", "3 fields"),
        ("x ||| x ||| a= 1 ||| 1", "the sentence 'x'"),
        ("0 ||| x ||| a= y ||| 1", "the value 'y'"),
        ("0 ||| x ||| a= nan ||| 1", "the value 'nan'"),
        ("0 ||| x ||| a= 1 ||| inf", "the value 'inf'"),
        ("0 ||| x ||| a= 1 ||| 1 ||| 0=x", "the span 'x'"),
        ("0 ||| x ||| a= 1 ||| 1 ||| 0-x", "the link '0-x'"),
        ("0 ||| x ||| a= 1 ||| 1 ||| 00 ||| 0-0", "the segment '00'"),
    ],
)
def test_refused(tmp_path: Path, line: str, found: str) -> None:
    (tmp_path / "list").write_text(f"0 ||| x ||| a= 1 ||| 1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="list line 2: " + found.replace("(", r"\(")):
        list(read_nbest(tmp_path / "list"))


def test_groups_that_differ_from_those_of_the_model() -> None:
    with pytest.raises(FormatError, match=r"features lm \(1\); expected language_model \(2\)"):
        FeatureGroups(INDEX).vector(_parsed("0 ||| x ||| lm: 1 ||| 1"))


def test_dense_features_of_the_registry_are_groups_of_their_own() -> None:
    """Rule scores alone are in `rules`, whatever other features the core lists."""
    names = ("score", *(name for name in FEATURES if name != "language_model"))
    groups = FeatureGroups(FeatureIndex(names)).groups
    assert groups["rules"] == [0]
    assert all(groups[name] == [names.index(name)] for name in names[1:])
