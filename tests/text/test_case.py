"""Lower case, true case and its restoration."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.errors import FormatError, IoError
from demotic.text.case import TruecaseCounts, Truecaser, capitalized, lowered, recased

LINES = [
    "The dog sees Paris .",
    "Dogs like the dog in Paris .",
    "We met Ann . The dog slept .",
    "THE DOG IN PARIS",
    "A Dog",
]


def learned() -> Truecaser:
    counts = TruecaseCounts("en")
    for line in LINES:
        counts.observe(line.split())
    return counts.model()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog .", "the dog ."),
        ("Paris sleeps .", "Paris sleeps ."),
        ("He came . The Dog slept .", "He came . the Dog slept ."),
        ('" The dog', '" the dog'),
        ("THE DOG IN PARIS", "the dog in Paris"),
        ("Unseen words stay", "Unseen words stay"),
        ("DOG , the", "DOG , the"),
        ("x : The dog", "x : the dog"),
        ("x - The dog", "x - the dog"),
        ("x . ( The dog )", "x . ( the dog )"),
        ("x said , “ The dog . ”", "x said , “ the dog . ”"),
        ("", ""),
    ],
)
def test_only_sentence_beginnings_get_true_case(text: str, expected: str) -> None:
    assert " ".join(learned().apply(text.split())) == expected


def test_headlines_and_beginnings_are_not_counted() -> None:
    # "Dogs" and "A" stand only at beginnings, "THE" only in a headline.
    assert "dogs" not in learned()._forms
    assert learned()._forms["the"] == "the"


def test_doubtful_beginnings_are_not_counted() -> None:
    counts = TruecaseCounts("en")
    for line in (
        "x : Big",
        'x " Big',
        "x ( Big",
        "x … Big",
        "x - Big",
        "x ; Big",
        "x big",
        "I am I",
    ):
        counts.observe(line.split())
    assert counts.model()._forms == {"big": "big", "am": "am", "i": "I"}


def test_equally_frequent_forms() -> None:
    counts = TruecaseCounts("en")
    counts.observe(["x", "Turkey", "turkey"])
    assert counts.model().apply(["Turkey"]) == ["turkey"]


def test_save_and_load(tmp_path: Path) -> None:
    model = learned()
    model.save(tmp_path / "truecase.en")
    assert (tmp_path / "truecase.en").read_text().splitlines()[0] == "dog\t3"
    again = Truecaser.load(tmp_path / "truecase.en", "en")
    assert again._forms == model._forms
    assert len(again) == len(model)


@pytest.mark.parametrize("line", ["dog", "dog\tx", "\t3", "dog\t3\t4", "dog\t-1", "the\t2"])
def test_broken_file(tmp_path: Path, line: str) -> None:
    path = tmp_path / "truecase.en"
    path.write_text(f"the\t3\n{line}\n")
    with pytest.raises(FormatError, match=r"truecase\.en line 2: .*expected a new word, a tab"):
        Truecaser.load(path, "en")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(IoError, match="cannot be opened"):
        Truecaser.load(tmp_path / "truecase.en", "en")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("how are you ?", "en", "How are you ?"),
        ('" how . fine', "en", '" How . Fine'),
        ("3 dogs", "en", "3 dogs"),
        ("istanbul", "tr", "İstanbul"),
        ("ßa", "de", "ßa"),
        ("你好", "zh", "你好"),
        ("he said , “ how ? ”", "en", "He said , “ How ? ”"),
        ('he said : " how ? " . so', "en", 'He said : " How ? " . So'),
        ("the word “ how ” is short ; it is", "en", "The word “ how ” is short ; it is"),
        ("- how ? - fine .", "en", "- How ? - Fine ."),
        ("so ... how", "en", "So ... how"),
        ("τι ; ναι", "el", "Τι ; Ναι"),
        ("hoy . ¿ qué ? sí , ¿ qué", "es", "Hoy . ¿ Qué ? Sí , ¿ qué"),
        ("", "en", ""),
    ],
)
def test_recased(text: str, language: str, expected: str) -> None:
    assert " ".join(recased(text.split(), language)) == expected


def test_lower_case_of_turkish() -> None:
    assert lowered("IĞDIR İzmir", "tr") == "ığdır izmir"
    assert lowered("ISLAND", "en") == "island"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(min_size=1).filter(lambda text: not text.isspace())))
def test_case_keeps_the_number_of_tokens(tokens: list[str]) -> None:
    assert len(learned().apply(tokens)) == len(recased(tokens, "en")) == len(tokens)
    assert all(len(capitalized(token, "en")) == len(token) for token in tokens)
