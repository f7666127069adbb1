"""Fragments are escaped, and marks show which words differ."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from demotic.report.markup import Html, bidi_text, changed, element, marked, merged

WORDS = st.lists(st.sampled_from(["a", "b", "<b>", "&", "it's", "书", "好", ",", "."]), max_size=8)


def plain(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


def without(html: str, class_: str) -> str:
    return re.sub(f'<mark class="{class_}">.*?</mark>', "", html)


def test_elements_escape_text_and_attributes_but_not_fragments() -> None:
    inner = element("b", "<i>")
    assert inner == "<b>&lt;i&gt;</b>"
    assert element("p", inner, " & ", class_='"x"', data_label=None) == (
        '<p class="&quot;x&quot;"><b>&lt;i&gt;</b> &amp; </p>'
    )
    assert isinstance(inner, Html)


def test_text_of_any_direction() -> None:
    assert bidi_text("שלום") == '<bdi dir="auto">שלום</bdi>'


def test_what_changed_by_hand() -> None:
    before, after = changed("He the key put on it.", "He put the key on it.")
    assert before == ('<bdi dir="auto">He the key <mark class="gone">put</mark> on it.</bdi>')
    assert after == '<bdi dir="auto">He <mark class="new">put</mark> the key on it.</bdi>'


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert changed("我们好", "我好")[0] == '<bdi dir="auto">我<mark class="gone">们</mark>好</bdi>'


@given(WORDS, WORDS)
def test_marks_leave_the_text_as_it_is(old: list[str], new: list[str]) -> None:
    before, after = " ".join(old), " ".join(new)
    shown = changed(before, after)
    assert (plain(shown[0]), plain(shown[1])) == (before, after)
    rest = (plain(without(shown[0], "gone")), plain(without(shown[1], "new")))
    same = ["".join(text.split()) for text in rest]
    assert same[0] == same[1]
    assert ("<mark" in "".join(shown)) == ("".join(old) != "".join(new))


@given(WORDS, WORDS)
def test_merged_text_has_both(old: list[str], new: list[str]) -> None:
    shown = merged(" ".join(old), " ".join(new))
    assert "".join(plain(without(shown, "gone")).split()) == "".join(new)
    assert "".join(plain(without(shown, "new")).split()) == "".join(old)


def test_words_at_places_are_marked_as_stretches() -> None:
    assert marked(["a", "<", "c", "d"], {0: "x", 1: "x", 2: "y"}) == (
        '<bdi dir="auto"><mark class="x">a &lt;</mark> <mark class="y">c</mark> d</bdi>'
    )
    assert marked([], {}) == '<bdi dir="auto"></bdi>'
