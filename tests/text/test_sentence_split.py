"""Sentences are found by position; nothing but white space is outside of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.text.sentence_split import split_sentences


def sentences(text: str, language: str) -> list[str]:
    return [text[begin:end] for begin, end in split_sentences(text, language)]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Dr. Wu came.", "He sat down."]),
        ("en", ["It costs 3.50 euros.", "Really?", "Yes!", "“No.”", "(Well.)"]),
        ("en", ["J. K. Rowling wrote it.", "See no. 5 of it."]),
        ("en", ["He said no.", "Then he left."]),
        ("en", ["We use e.g. this one."]),
        ("en", ["Wait...", "Never."]),
        ("en", ["He stopped… and went on."]),
        ("en", ["One.", "Two!", "“Three?”", "Four"]),
        ("en", ["version 1.2 is out.", "Yes"]),
        ("en", ["what? he said"]),
        ("en", ["See e.g. Berlin.", "It is, i.e. Paris is not."]),
        ("en", ["They bought bread, etc., and left."]),
        ("de", ["am 3. Mai"]),
        ("de", ["z.B. Hunde"]),
        ("", ["Dr. Wu came.", "J. R. Smith left!", "He came, too."]),
        ("de", ["Am 3. Oktober 1990 war es so weit.", "Danach kam z.B. Berlin.", "Gut."]),
        ("de", ["Das war 1990.", "Heute nicht."]),
        ("el", ["Τι κάνεις;", "Καλά."]),
        ("hi", ["यह किताब है।", "वह घर है।"]),
        ("ar", ["أين الكتاب؟", "هنا."]),
    ],
)
def test_sentences_are_separated_by_spaces(language: str, expected: list[str]) -> None:
    assert sentences(" ".join(expected), language) == expected


def test_chinese_needs_no_space() -> None:
    text = "他想看书。“真的吗？”她问。"
    assert sentences(text, "zh") == ["他想看书。", "“真的吗？”", "她问。"]
    assert sentences("你好。再见！」好", "") == ["你好。", "再见！」", "好"]


@pytest.mark.parametrize("text", ["", " ", "\t  ", "\u2028"])
def test_white_space_has_no_sentence(text: str) -> None:
    assert split_sentences(text, "en") == []


@given(
    st.text(alphabet=" \tAaЖ中.!?。；'\"(1", max_size=60), st.sampled_from(["en", "de", "zh", "el"])
)
def test_only_white_space_is_lost(text: str, language: str) -> None:
    spans = split_sentences(text, language)
    kept = [text[begin:end] for begin, end in spans]
    assert all(one == one.strip() != "" for one in kept)
    assert [*sorted(spans)] == spans
    assert "".join("".join(kept).split()) == "".join(text.split())
