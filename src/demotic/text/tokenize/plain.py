"""No tokeniser: the text already consists of tokens separated by spaces."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["PlainTokenizer"]


class PlainTokenizer:
    """Splits at white space and joins with spaces."""

    name = "none"
    version = "1"

    def tokenize(self, line: str) -> list[str]:
        return line.split()

    def detokenize(self, tokens: Sequence[str]) -> str:
        return " ".join(tokens)
