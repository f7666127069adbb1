"""URLs and e-mail addresses stay in one piece, in every language, from raw text and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.text.addresses import is_address, split_addresses
from demotic.text.preparation import Preparation, PrepareOptions

BUILTIN = PrepareOptions(tokenizer="builtin", case="none")


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("See https://a.org/b?c=1&d=2.", ["https://a.org/b?c=1&d=2"]),
        ("(www.a.org/x_y), me@b.co.uk!", ["www.a.org/x_y", "me@b.co.uk"]),
        ("请看https://a.org/b 和。", ["https://a.org/b"]),
        ("请看https://a.org/b和联系me@b.org。", ["https://a.org/b", "me@b.org"]),
        ("https://a.org/München，www.b.org。", ["https://a.org/München", "www.b.org"]),
        ("at @home, http:// and www. are none", []),
        ("", []),
    ],
)
def test_addresses_are_found(text: str, addresses: list[str]) -> None:
    assert [piece for piece, address in split_addresses(text) if address] == addresses
    assert all(map(is_address, addresses))


@given(st.text(alphabet="ab/:.@w h租\u00a0<>()?&{}-", max_size=40))
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _ in split_addresses(text)) == text


@pytest.mark.parametrize("language", ["en", "de", "zh", "ja", "th", "ar", "fr"])
def test_there_and_back(language: str) -> None:
    side = Preparation.begin(BUILTIN, language).source_side
    line = side.prepared("https://a.org/b?c=[1]|2 me@b.org a")
    assert "me@b.org" in line.split()
    assert side.restored(line).startswith("https://a.org/b?c=[1]")  # | ends an address


def test_an_address_is_not_capitalised() -> None:
    side = Preparation.begin(PrepareOptions(tokenizer="builtin", case="lower"), "en").source_side
    assert side.restored("https://a.org is here .") == "https://a.org is here."
    assert side.restored("this is https://a.org .") == "This is https://a.org."
