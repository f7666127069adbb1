"""Tokenisers behind one small protocol, and the choice of one for a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, get_args

from demotic.errors import Error
from demotic.text.languages import base_language, words

__all__ = ["UNSPACED_LANGUAGES", "Tokenizer", "TokenizerName", "tokenizer_for"]

# Languages written without spaces, for which a segmenter is learnt from the corpus.
UNSPACED_LANGUAGES = words("zh ja th lo km my wuu nan hak gan lzh shn mnw ksw nod khb tdd blt")

TokenizerName = Literal["auto", "builtin", "unigram", "sacremoses", "jieba", "fugashi", "none"]


class Tokenizer(Protocol):
    """Text to tokens and back. Tokens are non-empty and contain no white space."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def tokenize(self, line: str) -> list[str]: ...
    def detokenize(self, tokens: Sequence[str]) -> str: ...


def tokenizer_for(language: str, name: str = "auto") -> Tokenizer:
    """The tokeniser with this name. Raises Error.

    "auto" is unigram for languages without spaces, and the built-in one otherwise, whatever is
    installed.  "none" leaves the text as it is.
    """
    make = _MAKERS.get(_best(language) if name == "auto" else name)
    if make is None:
        names = get_args(TokenizerName)
        raise Error(f"the tokeniser {name!r}", expected=f"one of {', '.join(names)}")
    base_language(language)
    return make(language)


def _best(language: str) -> str:
    return "unigram" if base_language(language) in UNSPACED_LANGUAGES else "builtin"


def _builtin(language: str) -> Tokenizer:
    from demotic.text.tokenize.builtin import BuiltinTokenizer

    return BuiltinTokenizer(language)


def _unigram(language: str) -> Tokenizer:
    from demotic.text.tokenize.unigram import UnigramTokenizer

    return UnigramTokenizer(language)


def _sacremoses(language: str) -> Tokenizer:
    from demotic.text.tokenize.sacremoses import SacremosesTokenizer

    return SacremosesTokenizer(language)


def _jieba(language: str) -> Tokenizer:
    from demotic.text.tokenize.jieba import JiebaTokenizer

    return JiebaTokenizer(language)


def _fugashi(language: str) -> Tokenizer:
    from demotic.text.tokenize.fugashi import FugashiTokenizer

    return FugashiTokenizer(language)


def _plain(language: str) -> Tokenizer:
    from demotic.text.tokenize.plain import PlainTokenizer

    return PlainTokenizer()


_MAKERS: dict[str, Callable[[str], Tokenizer]] = {
    "builtin": _builtin,
    "unigram": _unigram,
    "sacremoses": _sacremoses,
    "jieba": _jieba,
    "fugashi": _fugashi,
    "none": _plain,
}
