"""Escapes: no special character remains, and unescaping restores the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.text.escape import escape, unescape

# Text in which the dangerous signs, and things that look like escapes, are frequent.
hostile = st.lists(
    st.sampled_from(
        [*"&|<>[]'\"; ", "amp;", "&lt;", "&#124;", "&amp;lt;", "&bar;", "#91;", " ||| ", "山", "a"]
    )
).map("".join)


@given(hostile | st.text(), st.booleans())
def test_round_trip(text: str, quotes: bool) -> None:
    assert unescape(escape(text, quotes=quotes)) == text


@given(hostile | st.text())
def test_nothing_special_stays(text: str) -> None:
    escaped = escape(text, quotes=True)
    assert not set(escaped) & set("|<>[]'\"")
    assert set(escape(text)) & set("'\"") == set(text) & set("'\"")


@pytest.mark.parametrize(
    ("sign", "entity"),
    [("&", "&amp;"), ("|", "&#124;"), ("<", "&lt;"), (">", "&gt;"), ("[", "&#91;"), ("]", "&#93;")],
)
def test_table(sign: str, entity: str) -> None:
    assert escape(f"a{sign}b") == f"a{entity}b"
    assert unescape(f"a{entity}b") == f"a{sign}b"


def test_quotes_are_escaped_on_demand_and_always_restored() -> None:
    assert escape('it\'s "so"') == 'it\'s "so"'
    assert escape('it\'s "so"', quotes=True) == "it&apos;s &quot;so&quot;"
    assert unescape("it&apos;s &quot;so&quot;") == 'it\'s "so"'


def test_old_names_and_single_pass() -> None:
    assert unescape("&bar; &bra; &ket;") == "| [ ]"
    assert unescape("&amp;lt; &amp;amp;#91;") == "&lt; &amp;#91;"
    assert unescape("&nbsp; &#125; & ;") == "&nbsp; &#125; & ;"
