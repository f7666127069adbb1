"""Tokenisers behind one small protocol, and the choice of one for a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, get_args

from demotic.errors import Error
from demotic.text.languages import base_language
from demotic.text.tokenize.extras import installed

__all__ = ["Tokenizer", "TokenizerName", "better_tokenizer", "tokenizer_for"]

# Languages for which words can be found where no spaces are; the extra has the language's name.
_SEGMENTERS = {"zh": "jieba", "ja": "fugashi"}

TokenizerName = Literal["auto", "builtin", "sacremoses", "jieba", "fugashi", "none"]


class Tokenizer(Protocol):
    """Text to tokens and back. Tokens are not empty and hold no white space."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    def tokenize(self, line: str) -> list[str]: ...
    def detokenize(self, tokens: Sequence[str]) -> str: ...


def tokenizer_for(language: str, name: str = "auto") -> Tokenizer:
    """The tokeniser of that name, or the best one installed. Raises Error.

    "auto" is jieba for Chinese, fugashi for Japanese and sacremoses for the languages it knows,
    each if it is installed, and else the built-in one.  "none" takes the text as it is.
    """
    make = _MAKERS.get(_best(language) if name == "auto" else name)
    if make is None:
        names = get_args(TokenizerName)
        raise Error(f"the tokeniser {name!r}", expected=f"one of {', '.join(names)}")
    base_language(language)
    return make(language)


def better_tokenizer(language: str, tokenizer: Tokenizer) -> str:
    """What would find words where the built-in tokeniser cuts characters; empty if nothing."""
    base = base_language(language)
    if tokenizer.name != "builtin" or base not in _SEGMENTERS:
        return ""
    return (
        f"{language} is cut into characters; "
        f"pip install 'demotic[{base}]' cuts it into words ({_SEGMENTERS[base]})"
    )


def _best(language: str) -> str:
    from demotic.text.tokenize.sacremoses import knows

    base = base_language(language)
    if base in _SEGMENTERS and installed(_SEGMENTERS[base]):
        return _SEGMENTERS[base]
    return "sacremoses" if knows(language) and installed("sacremoses") else "builtin"


def _builtin(language: str) -> Tokenizer:
    from demotic.text.tokenize.builtin import BuiltinTokenizer

    return BuiltinTokenizer(language)


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
    "sacremoses": _sacremoses,
    "jieba": _jieba,
    "fugashi": _fugashi,
    "none": _plain,
}
