"""Where sentences start in a line of tokens; needed for letter case.

`sentence_starts` yields the positions that are written with a capital; `doubtful_starts` adds those
where either case occurs, so that they tell nothing about the case of a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from demotic.text.languages import base_language, words

__all__ = ["doubtful_starts", "sentence_starts"]

_ENDS = words(". ! ? 。 ！ ？ ؟ ۔ । ॥ ։ ‼ ⁇ ⁈ ⁉")
_GREEK_ENDS = _ENDS | {";"}  # its question mark
_SPEECH = words(", : ， ：")  # may precede direct speech
_QUOTES = words("\" '' “ ” „ ‟ « » ‹ › ‘ ’ ‚ 「 」 『 』 ``")
_DOUBTFUL = _QUOTES | words("… ... : ; - -- – — ・ • ¿ ¡ ( [ { （ 【")


def sentence_starts(tokens: Sequence[str], language: str) -> Iterator[int]:
    """First words of the line, after a sentence end, and of direct speech."""
    return (i for i, certain in _starts(tokens, language) if certain)


def doubtful_starts(tokens: Sequence[str], language: str) -> Iterator[int]:
    """Also all words after a colon, a dash, dots, a bracket or a quotation mark."""
    return (i for i, _ in _starts(tokens, language))


def _starts(tokens: Sequence[str], language: str) -> Iterator[tuple[int, bool]]:
    """Positions of words that may start a sentence, and whether they certainly do."""
    ends = _GREEK_ENDS if base_language(language) == "el" else _ENDS
    waiting, doubtful, speech = True, False, False
    for i, token in enumerate(tokens):
        if token in ends:
            waiting = True
        elif token in _DOUBTFUL:
            waiting = waiting or (speech and token in _QUOTES)
            doubtful = True
        elif token[:1].isalnum():
            if waiting or doubtful:
                yield i, waiting
            waiting = doubtful = False
        speech = token in _SPEECH
