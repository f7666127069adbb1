"""Text in pieces as the tokens of a model: pieces end at token boundaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from re import Match
from typing import TYPE_CHECKING, NamedTuple

from demotic.lines import split_words

if TYPE_CHECKING:
    from demotic.search.text import RawText
    from demotic.text.side import Side

__all__ = ["Cut", "Tokens", "Word", "cut_around", "source_tokens", "target_tokens"]

Cut = Callable[[str], Sequence[str]]


class Word(str):
    """A piece that is one token as it is, such as an address."""

    __slots__ = ()


def cut_around(words: Iterable[Match[str]], text: str) -> list[str]:
    """The text in pieces; what was found in it, in order, is of the class Word."""
    pieces: list[str] = []
    end = 0
    for found in words:
        if found.start() > end:
            pieces.append(text[end : found.start()])
        pieces.append(Word(found[0]))
        end = found.end()
    if end < len(text):
        pieces.append(text[end:])
    return pieces


class Tokens(NamedTuple):
    """A prepared line, and where its pieces begin: piece i is tokens starts[i] to starts[i + 1]."""

    line: str
    starts: tuple[int, ...]


def source_tokens(raw: RawText, pieces: Sequence[str], cut: Cut | None = None) -> Tokens:
    """Letter case is that of the whole line; `cut` cuts pieces further."""
    side = raw.source_side
    tokens: list[str] = []
    starts = [0]
    for piece in pieces:
        if isinstance(piece, Word):
            tokens.append(piece)
        else:
            for part in cut(piece) if cut else (piece,):
                tokens += _tokens(side, part)
        starts.append(len(tokens))
    if side is None:
        return Tokens(" ".join(tokens), tuple(starts))
    words = side.words(tokens)
    before = [0, *accumulate(len(split_words(word)) for word in words)]
    return Tokens(side.written(words), tuple(before[start] for start in starts))


def target_tokens(raw: RawText, text: str, *, truecased: bool = False) -> str:
    """A given translation; its case is as written unless it is `truecased` like a sentence."""
    side = raw.target_side
    if side is None:
        return " ".join(split_words(text))
    tokens = side.tokens(text)
    return side.written(side.words(tokens) if truecased else side.split_compounds(tokens))


def _tokens(side: Side | None, text: str) -> list[str]:
    return side.tokens(text) if side else split_words(text)
