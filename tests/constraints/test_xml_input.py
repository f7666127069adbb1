"""Moses' XML words: what is read, and what is refused with its place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.constraints.xml_input import XmlWish, read_xml
from demotic.errors import FormatError


def test_translations_walls_and_zones() -> None:
    line = 'das <np translation="a||b c" prob="0.8||0.2">ein haus</np><wall/> <zone>x y</zone>'
    found = read_xml(line)
    assert found.pieces == ("das ", "ein haus", "", " ", "x y", "")
    options, wall, zone = found.wishes
    assert options[:3] == (1, 2, "options")
    assert [text for text, _ in options.targets] == ["a", "b c"]
    assert [math.exp(log) for _, log in options.targets] == pytest.approx([0.8, 0.2])
    assert wall[:3] == (3, 3, "wall")
    assert zone[:3] == (4, 5, "zone")


def test_tags_inside_of_a_zone() -> None:
    found = read_xml("<zone>a <wall/> <x translation='b'>c</x></zone>")
    assert found.wishes == (
        XmlWish(2, 2, "wall", (), 8),
        XmlWish(3, 4, "options", (("b", 0.0),), 16),
        XmlWish(1, 5, "zone", (), 0),
    )


def test_entities() -> None:
    assert read_xml("a &lt; b &amp; &#124;").text == "a < b & |"
    assert read_xml("a &lt; b", decode=(False, False)).text == "a &lt; b"
    (wish,) = read_xml('<x translation="&quot;a&quot;">b</x>').wishes
    assert wish.targets == (('"a"', 0.0),)


@pytest.mark.parametrize(
    ("line", "column", "found"),
    [
        ("a < b", 3, "'< b'"),
        ("a <np>b</np>", 3, "<np>"),
        ('<np translation="x">a', 1, "<np> without an end"),
        ("a</np>", 2, "</np>"),
        ('<a translation="x">b</c>', 21, "</c>"),
        ('<a translation="x"></a>', 1, "without words"),
        ('<a translation="x"> </a>', 1, "without words"),
        ('<a translation="">b</a>', 1, "an empty translation"),
        ('<a translation="x||">b</a>', 1, "an empty translation"),
        ('<a translation="x" prob="2">b</a>', 1, "the probability '2'"),
        ('<a translation="x" prob="nan">b</a>', 1, "the probability 'nan'"),
        ('<a translation="x" prob="0">b</a>', 1, "the probability '0'"),
        ('<a translation="x||y" prob="1">b</a>', 1, "1 probabilities of 2"),
        ('<a translation="x" translation="y">b</a>', 20, "translation twice"),
        ('<a translation="x"/>', 1, "<a translation"),
        ("<wall>", 1, "<wall>"),
        ("<!DOCTYPE a>", 1, "'<!DOCTYPE a>'"),
        ("<!ENTITY a 'b'>", 1, "'<!ENTITY a 'b'>"),
        ("<?xml?>", 1, "'<?xml?>'"),
        ("a &bomb; b", 3, "&bomb;"),
        ('<a translation="x"><b translation="y">c</b></a>', 1, "around translations"),
    ],
)
def test_malformed_markup_is_refused_with_its_place(line: str, column: int, found: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_xml(line, line=7, name="in.txt")
    assert caught.value.line == 7
    assert f"at column {column}" in str(caught.value)
    assert found.split("'", maxsplit=1)[0] in str(caught.value)


TAGS = ("<np", ' translation="', ' prob="0.5"', "</np>", "<wall/>", "<zone>", "</zone>")
SIGNS = ("<", ">", "/", '"', "||", "a", " ", "&lt;", "&", ";", "<!", "<?", "\x00", "é", "'", "=")
parts = st.sampled_from((*TAGS, *SIGNS))


@settings(max_examples=500, deadline=None)
@given(line=st.lists(parts, max_size=20).map("".join))
def test_any_line_is_read_or_refused(line: str) -> None:
    try:
        found = read_xml(line)
    except FormatError:
        return
    assert all(0 <= wish.begin <= wish.end <= len(found.pieces) for wish in found.wishes)
    assert "<np" not in found.text
