"""Whether a text looks raw, tokenised or lower-cased, and differences between two."""

from __future__ import annotations

import pytest

from demotic.text.text_style import TextStyle, differences

RAW = ["The house is small, I think."] * 10
TOKENS = ["The house is small , I think ."] * 10
LOWER = [line.lower() for line in RAW]
CHINESE = ["房子很小。"] * 20


@pytest.mark.parametrize(
    ("lines", "tokenised", "lower"),
    [
        (RAW, False, False),
        (TOKENS, True, False),
        (LOWER, False, True),
        (RAW[:3], None, None),  # too little to tell
        (RAW + TOKENS, None, False),
        (CHINESE, False, None),
        ([], None, None),
    ],
)
def test_looks(lines: list[str], tokenised: bool | None, lower: bool | None) -> None:
    looks = TextStyle.of(lines)
    assert (looks.tokenised, looks.lower_cased) == (tokenised, lower)


def test_differences() -> None:
    raw, tokens, lower = TextStyle.of(RAW), TextStyle.of(TOKENS), TextStyle.of(LOWER)
    assert differences(raw, raw) == []
    assert differences(tokens, raw) == ["tokenised"]
    assert differences(raw, tokens) == ["not tokenised"]
    assert differences(lower, tokens) == ["not tokenised", "lower-cased"]
    assert differences(lower, raw, case=False) == []
