"""Text with tags: how it is cut into pieces, and what is refused."""

from __future__ import annotations

import pytest

from demotic.constraints.markup import Format, escaped, pieces_of
from demotic.errors import FormatError


def kinds(text: str, form: Format = "html") -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in pieces_of(text, form)]


def test_html_is_cut_at_tags() -> None:
    assert kinds('<p>a &amp; <b class="x>y">c</b><br>d') == [
        ("break", "<p>"),
        ("text", "a & "),
        ("open", '<b class="x>y">'),
        ("text", "c"),
        ("close", "</b>"),
        ("break", "<br>"),
        ("text", "d"),
    ]


def test_what_is_no_tag_is_text() -> None:
    assert kinds("a < b <3 <") == [("text", "a < b <3 <")]
    assert escaped("a < b & c", "html") == "a &lt; b &amp; c"


def test_tags_without_a_partner_are_empty() -> None:
    assert [
        kind for kind, _ in kinds("<b>x<i>y</b></u>")
    ] == "open text empty text close empty".split()


def test_content_that_is_not_translated() -> None:
    assert kinds("a <code>x <b>&lt;</code> b")[1] == ("opaque", "<code>x <b>&lt;</code>")
    assert kinds('<span translate="no">x<span>y</span>z</span>w')[0][0] == "opaque"
    assert kinds('<bpt id="1">&lt;b></bpt>x', "xliff-inline")[0] == (
        "opaque",
        '<bpt id="1">&lt;b></bpt>',
    )


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a < b", 1, 3),
        ("a\n<g>", 2, 1),
        ("</g>", 1, 1),
        ("x &bomb; y", 1, 3),
        ("<!DOCTYPE x>", 1, 1),
        ("<!ENTITY a 'b'>", 1, 1),
        ("&#0;", 1, 1),
        ("&#xD800;", 1, 1),
        ("a & b", 1, 3),
    ],
)
def test_malformed_xliff_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(FormatError) as caught:
        pieces_of(text, "xliff-inline")
    assert caught.value.line == line
    assert f"column {column}" in str(caught.value)
