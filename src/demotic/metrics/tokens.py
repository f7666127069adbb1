"""Tokenisation for metrics: native where we have the rules, else by sacrebleu's tokeniser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

__all__ = ["TextRules", "TokenizeName", "text_rules"]

TokenizeName = Literal[
    "13a", "none", "zh", "char", "intl", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200"
]
_NATIVE = ("13a", "none", "zh", "char")


@dataclass(frozen=True)
class TextRules:
    """What is done in Python first, what the core does then, and the name in signatures."""

    prepare: Callable[[list[str]], list[str]]
    native: str
    name: str
    word_by_word: bool = True
    """Whether preparing a text is the same as preparing each of its tokens."""


def text_rules(tokenize: TokenizeName, *, lowercase: bool) -> TextRules:
    if tokenize in _NATIVE:
        return TextRules(_lowered if lowercase else _same, tokenize, tokenize)
    from sacrebleu.metrics.bleu import BLEU

    # sacrebleu's tokenisers may need packages and then say what to install.
    tokenizer = BLEU(tokenize=tokenize).tokenizer

    def prepare(texts: list[str]) -> list[str]:
        return [tokenizer(text.rstrip()) for text in (_lowered(texts) if lowercase else texts)]

    return TextRules(prepare, "none", tokenizer.signature(), word_by_word=False)


def _same(texts: list[str]) -> list[str]:
    return texts


def _lowered(texts: list[str]) -> list[str]:
    return [text.lower() for text in texts]
