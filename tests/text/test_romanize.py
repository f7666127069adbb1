"""Romanisation by table, of names whose usual Latin spelling is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.text.romanize import can_romanize, romanized


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("Москва ЩУКА Юрий Хабаровск Э", "ru", "Moskva SHCHUKA Yuriy Khabarovsk E"),
        ("Київ Згорани Юрій Харків Єнакієве Гадяч", "uk", "Kyiv Zghorany Yurii Kharkiv Yenakiieve "
         "Hadiach"),
        ("Благоевград Търговище", "bg", "Blagoevgrad Targovishte"),
        ("Чачак Жабљак Ђорђе Џон", "sr", "Čačak Žabljak Đorđe Džon"),
        ("Гомель", "be", "Homel"),
        ("Αθήνα Παπαδόπουλος Ευάγγελος Αυστρία Ψυχικό", "el", "Athina Papadopoulos Evangelos "
         "Afstria Psychiko"),
        ("Μπάμπης Ταΰγετος ΑΘΗΝΑ", "el", "Bampis Taygetos ATHINA"),
        ("トム ちょっと まっちゃ きんえん しんじゅく", "ja", "tomu chotto matcha kin'en shinjuku"),
        ("ファイル ティー ウィキ ジェット ヴァイオリン", "ja", "fairu ti wiki jetto vaiorin"),
        ("にゃ っ ー ゃ ほんや", "ja", "nya   ゃ hon'ya"),
        ("시장 서울 한국어 부산 값이 빨래 광주", "ko", "sijang seoul hangugeo busan gabsi ppallae "
         "gwangju"),
        ("東京タワー α-Helix NATO 12,5 İzmir", "ja", "東京tawa a-Helix NATO 12,5 İzmir"),
    ],
)  # fmt: skip
def test_names(words: str, language: str, expected: str) -> None:
    assert " ".join(romanized(word, language) for word in words.split(" ")) == expected


@given(st.text(st.characters(min_codepoint=0x370, max_codepoint=0x52F), min_size=1, max_size=6))
def test_nothing_fails(word: str) -> None:
    for language in ("ru", "uk", "xyz"):
        assert isinstance(romanized(word, language), str)


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=6))
def test_hangul_becomes_latin(word: str) -> None:
    assert can_romanize(word)
    assert romanized(word, "ko").isascii()


@given(st.text(st.characters(max_codepoint=0x36F), max_size=9))
def test_latin_words_stay(word: str) -> None:
    import unicodedata

    assert not can_romanize(word)
    assert romanized(word) == unicodedata.normalize("NFC", word)
