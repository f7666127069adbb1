"""Suffix arrays by sorting the suffixes themselves."""

from __future__ import annotations

from collections.abc import Sequence


def suffix_array(text: Sequence[int]) -> list[int]:
    return sorted(range(len(text)), key=lambda begin: tuple(text[begin:]))
