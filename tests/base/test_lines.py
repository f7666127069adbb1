"""The native line parser equals the slow oracle for any bytes, any policy and any chunks."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from demotic import FormatError
from demotic._core import EncodingErrors, LineNotices, LineParser, Lines
from tests.oracle import lines as oracle

TROUBLE = [
    *(b"a", b"word ", b"\n", b"\n", b"\r", b"\r\n", b"\t", b"\0", b" ", b"\x7f", b"\x1f"),
    *(b"\xef\xbb\xbf", b"\xef\xbb", b"\xbf", b"\xc2\x85", b"\xc2\xa0", b"\xc3", b"\xc0\xaf"),
    *(b"\xe2\x80\xa8", b"\xe2\x80\x8b", b"\xe2\x80", b"\xe3\x80\x80", b"\xed\xa0\x80"),
    *(b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xff", b"\x80"),
    *("ä", "中", "\u200e", "\u180e", "\U000e0001"),
]
PIECES = [piece if isinstance(piece, bytes) else piece.encode() for piece in TROUBLE]

anything = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join),
    st.text(max_size=100).map(str.encode),
)
policies = st.sampled_from(["refuse", "replace", "skip"])
cuts = st.lists(st.integers(0, 200), max_size=8)


def native(data: bytes, policy: str, keep_tabs: bool, cuts: list[int]) -> oracle.Parsed:
    parser = LineParser("f", EncodingErrors[policy], keep_tabs)
    lines = Lines()
    ends = [*sorted(min(cut, len(data)) for cut in cuts), len(data)]
    refused = None
    try:
        for begin, end in zip([0, *ends], ends, strict=False):
            parser.feed(data[begin:end])
            lines.extend(parser.take())
        parser.finish()
    except FormatError as error:
        refused = (error.line, error.found)
    lines.extend(parser.take())
    return oracle.Parsed(lines.tolist(), _notices(parser.notices), refused)


def _notices(notices: LineNotices) -> dict[str, int]:
    return {name: getattr(notices, name) for name in oracle.NOTICES}


def check(data: bytes, policy: str, keep_tabs: bool, cuts: list[int]) -> None:
    assert native(data, policy, keep_tabs, cuts) == oracle.parse(data, policy, keep_tabs)


@settings(max_examples=1500, deadline=None)
@given(data=anything, policy=policies, keep_tabs=st.booleans(), cuts=cuts)
@example(data=b"", policy="refuse", keep_tabs=False, cuts=[])
@example(data=b"\r", policy="refuse", keep_tabs=False, cuts=[0])
@example(data=b"\xef\xbb\xbf", policy="refuse", keep_tabs=False, cuts=[1, 2])
@example(data=b"a\xe2\x80\n\xa8", policy="replace", keep_tabs=False, cuts=[3, 4])
def test_parser_equals_oracle(data: bytes, policy: str, keep_tabs: bool, cuts: list[int]) -> None:
    check(data, policy, keep_tabs, cuts)


@pytest.mark.long
@settings(max_examples=100_000, deadline=None)
@given(data=anything, policy=policies, keep_tabs=st.booleans(), cuts=cuts)
def test_parser_equals_oracle_at_length(
    data: bytes, policy: str, keep_tabs: bool, cuts: list[int]
) -> None:
    check(data, policy, keep_tabs, cuts)


def test_every_character_alone_in_a_line() -> None:
    codes = [code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF and code != 10]
    data = "\n".join(f"x{chr(code)}y" for code in codes).encode()
    assert native(data, "refuse", False, []) == oracle.parse(data, "refuse", False)


def test_lines_are_a_sequence() -> None:
    lines = Lines()
    for text in ("a", "", "ä"):
        lines.append(text)
    assert len(lines) == 3
    assert [lines[0], lines[1], lines[-1]] == ["a", "", "ä"]
    assert lines.byte_size == 3
    with pytest.raises(IndexError):
        lines[3]
    with pytest.raises(IndexError):
        lines[-4]


def test_lines_can_be_extended_by_themselves() -> None:
    lines = Lines()
    lines.append("a")
    lines.append("b")
    lines.extend(lines)
    assert lines.tolist() == ["a", "b", "a", "b"]
