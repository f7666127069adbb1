"""The Python port of the Moses tokeniser (extra `text`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from demotic.text.languages import base_language
from demotic.text.tokenize.extras import keep_emoji_whole, load, package_version, require

__all__ = ["SacremosesTokenizer"]


class SacremosesTokenizer:
    """Splits as Moses does, but does not escape: escaping is a separate step here."""

    name = "sacremoses"

    def __init__(self, language: str) -> None:
        require("sacremoses", "text")
        self.version = package_version("sacremoses")
        self._base = base_language(language)

    # Importing sacremoses takes longer than opening a model, so that waits for the first line.

    @cached_property
    def _tokenizer(self) -> Any:
        return load("sacremoses", "text").MosesTokenizer(lang=self._base)

    @cached_property
    def _detokenizer(self) -> Any:
        return load("sacremoses", "text").MosesDetokenizer(lang=self._base)

    def tokenize(self, line: str) -> list[str]:
        return keep_emoji_whole(self._cut, line)

    def _cut(self, line: str) -> list[str]:
        # It leaves some kinds of white space inside tokens.
        return [
            part for token in self._tokenizer.tokenize(line, escape=False) for part in token.split()
        ]

    def detokenize(self, tokens: Sequence[str]) -> str:
        text: str = self._detokenizer.detokenize(list(tokens), unescape=False)
        return text
