"""Sizes in bytes on the command line."""

from __future__ import annotations

import click
import pytest

from demotic.cli.flags import ByteSize, size_text


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("100", 100),
        ("64M", 64 << 20),
        ("64mb", 64 << 20),
        ("1.5k", 1536),
        ("2T", 2 << 40),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert ByteSize(0).convert(text, None, None) == size


@pytest.mark.parametrize("text", ["", "G", "4X", "-", "1KM", "nan", "inf", "9"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(click.BadParameter):
        ByteSize(10).convert(text, None, None)


@pytest.mark.parametrize(("size", "text"), [(1 << 30, "1G"), (1000, "1000"), (3 << 19, "1536K")])
def test_spelling(size: int, text: str) -> None:
    assert size_text(size) == text
    assert ByteSize(0).convert(text, None, None) == size
