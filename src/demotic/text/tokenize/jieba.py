"""Chinese tokenisation by jieba (extra `zh`)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from demotic.text.languages import base_language
from demotic.text.tokenize.extras import keep_emoji_whole, load, package_version, require
from demotic.text.tokenize.spacing import Spacing

__all__ = ["JiebaTokenizer"]

_AFTER_MARKS = re.compile(r"(?<=[。，、；：！？\s])")
_MAX_STRETCH = 500


class JiebaTokenizer:
    """jieba's accurate mode with its HMM for unknown words."""

    name = "jieba"

    def __init__(self, language: str) -> None:
        require("jieba", "zh")
        self.version = package_version("jieba")
        self._spacing = Spacing(base_language(language))

    def tokenize(self, line: str) -> list[str]:
        return keep_emoji_whole(self._cut, line)

    def _cut(self, line: str) -> list[str]:
        cut = _segmenter().cut
        return [part for piece in _pieces(line) for word in cut(piece) for part in word.split()]

    def detokenize(self, tokens: Sequence[str]) -> str:
        return self._spacing.join(tokens)


def _pieces(line: str) -> Iterator[str]:
    """Bounds the length of stretches without punctuation, in which jieba takes quadratic time.

    jieba's words never cross a punctuation mark, so nothing else changes.
    """
    if len(line) <= _MAX_STRETCH:
        yield line
        return
    for stretch in _AFTER_MARKS.split(line):
        for start in range(0, len(stretch), _MAX_STRETCH):
            yield stretch[start : start + _MAX_STRETCH]


@cache
def _segmenter() -> Any:
    """A segmenter with the dictionary of the package itself.

    By default, jieba reads it from a cache in the shared temporary directory, where any user of the
    machine can put one.
    """
    package = load("jieba", "zh")
    package.setLogLevel(logging.WARNING)
    segmenter = package.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
