"""Chinese words by jieba (extra `zh`)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from demotic.text.languages import base_language
from demotic.text.tokenize.extras import load, package_version
from demotic.text.tokenize.spacing import Spacing

__all__ = ["JiebaTokenizer"]


class JiebaTokenizer:
    """jieba's accurate mode with its model for unknown words."""

    name = "jieba"

    def __init__(self, language: str) -> None:
        self._segmenter = _segmenter()
        self.version = package_version("jieba")
        self._spacing = Spacing(base_language(language))

    def tokenize(self, line: str) -> list[str]:
        return [part for word in self._segmenter.cut(line) for part in word.split()]

    def detokenize(self, tokens: Sequence[str]) -> str:
        return self._spacing.join(tokens)


@cache
def _segmenter() -> Any:
    """A segmenter with the dictionary of the package itself.

    Left alone, jieba would read it from a cache in the common folder for temporary files, where
    any user of the machine can put one.
    """
    package = load("jieba", "zh")
    package.setLogLevel(logging.WARNING)
    segmenter = package.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
