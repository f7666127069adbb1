"""What is between sentences is kept, and so are places of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic._core import EncodingErrors, LineParser
from demotic.constraints.markup import TEXT_TAG
from demotic.constraints.tagged import Untagged
from demotic.lines import clean_texts
from demotic.search.text import cleaned
from demotic.serve.paragraphs import Paragraphs, sound
from demotic.serve.places import token_places


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("One. Two.\n\n  Three.\r\n", "de", "[One.] [Two.]\n\n  [Three.]\r\n"),
        ("One.  Two.", "zh", "[One.][Two.]"),
        ("One.\nTwo.", "zh", "[One.]\n[Two.]"),
        ("", "de", ""),
        ("\n\n", "de", "\n\n"),
    ],
)
def test_sentences_are_replaced_and_the_rest_is_kept(text: str, target: str, expected: str) -> None:
    found = Paragraphs.of(text, "en")
    joined, places = found.joined([f"[{one}]" for one in found.sentences], target)
    assert joined == expected
    assert [joined[begin:end] for begin, end in places] == [f"[{one}]" for one in found.sentences]


def test_chinese_sentences_get_a_space_between_them() -> None:
    found = Paragraphs.of("他来了。她走了。", "zh")
    assert found.joined(["He came.", "She left."], "en")[0] == "He came. She left."


def test_without_splitting_a_line_is_a_sentence() -> None:
    assert Paragraphs.of("A . B .\nC .", "en", split=False).sentences == ("A . B .", "C .")


@given(st.text(max_size=80))
def test_any_text_becomes_clean_sentences(text: str) -> None:
    found = Paragraphs.of(text, "en")
    assert len(found.sentences) == len(found.spans)
    assert not any(set(one) & set("\n\r\0") for one in found.sentences)
    joined, _ = found.joined(list(found.sentences), "en")
    assert joined.count("\n") == text.count("\n")


TAGGED = st.lists(
    st.sampled_from(
        [
            *"<>A\n 。",
            "b.",
            "Das ist alt. ",
            "<b>",
            "</b>",
            "<i>",
            "</i>",
            "<x/>",
            '<g n="1">',
            "</g>",
        ]
    ),
    max_size=25,
).map("".join)


@given(TAGGED)
def test_text_between_tagged_sentences_is_kept(text: str) -> None:
    found = Paragraphs.of(text, "de")
    edges = [0, *(edge for span in found.spans for edge in span), len(text)]
    assert edges == sorted(edges)
    assert all(begin < end for begin, end in found.spans)
    joined, places = found.joined(list(found.sentences), "de")
    assert joined.replace(" ", "") == text.replace(" ", "")
    assert [joined[begin:end] for begin, end in places] == list(found.sentences)
    unspaced, _ = found.joined(list(found.sentences), "zh")
    assert unspaced.replace(" ", "") == text.replace(" ", "")


@given(TAGGED)
def test_places_without_tags(text: str) -> None:
    plain = Untagged.of(text)
    assert len(plain.text) == len(plain.begins) == len(plain.ends)
    for i, sign in enumerate(plain.text):
        written = text[slice(*plain.place((i, i + 1)))]
        assert written == sign or TEXT_TAG.fullmatch(written)
    for i, tag in enumerate(plain.tags):
        assert TEXT_TAG.fullmatch(text[tag.begin : tag.end])
        assert tag.partner < 0 or plain.tags[tag.partner].partner == i


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("<b>Eins. Zwei.</b>", ["Eins.", "Zwei."]),
        ("<b>Eins</b> ist. <i>Zwei</i>", ["<b>Eins</b> ist.", "Zwei"]),
        ("Eins <b>ist. Zwei</b> auch.", ["Eins <b>ist.", "Zwei</b> auch."]),
        ("<x/> ist. <y/>Zwei.", ["<x/> ist.", "Zwei."]),
        ("<b><i>Eins</i> ist.</b> Zwei.", ["<i>Eins</i> ist.", "Zwei."]),
        ("<b><i/>Eins</b> ist.", ["<b><i/>Eins</b> ist."]),
        ("Eins <b>ist</b>", ["Eins <b>ist</b>"]),
        ("<b></b>", []),
    ],
)
def test_tags_go_with_their_partners(text: str, sentences: list[str]) -> None:
    assert list(Paragraphs.of(text, "de").sentences) == sentences


@given(st.text(st.characters(), max_size=20))
def test_sound_text_is_utf8(text: str) -> None:
    assert sound(text).encode().decode() == sound(text)


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert sound("a\ud800b") == "a\ufffdb"
    assert sound("\ud83d\ude00\ud800") == "😀\ufffd"
    assert sound("plain 中") == "plain 中"


def test_places_of_tokens() -> None:
    text = "The  Cat & the cat."
    tokens = ["the", "cat", "&amp;", "the", "cat", "."]
    assert token_places(text, tokens) == [(0, 3), (5, 8), (9, 10), (11, 14), (15, 18), (18, 19)]


def test_tokens_that_are_not_in_the_text_have_no_place() -> None:
    assert token_places("a b", ["a", "zzz", "b"]) == [(0, 1), None, (2, 3)]
    assert token_places("İstanbul'da", ["İstanbul", "'", "da"])[1:] == [(8, 9), (9, 11)]
    assert token_places("", [""]) == [None]


def parsed(texts: list[str]) -> list[str]:
    return clean_texts(LineParser("a", EncodingErrors.replace, False), texts).tolist()


def test_printable_characters_need_no_cleaning() -> None:
    texts = [f"{sign}a{sign}" for sign in map(chr, range(0x110000)) if sign.isprintable()]
    assert parsed(texts) == texts == cleaned(texts)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_sentences_are_cleaned_as_in_files(texts: list[str]) -> None:
    assert cleaned(texts) == parsed(texts)
