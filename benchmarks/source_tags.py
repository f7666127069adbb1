"""Parts of speech for tokenised Chinese sentences, by jieba (extra `zh`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from demotic.lines import split_words
from demotic.search.sentence import AnnotatedSentence

__all__ = ["tagged"]


def tagged(lines: Iterable[str]) -> list[str]:
    """The same sentences with one tag per token."""
    return [AnnotatedSentence(line, tags=" ".join(map(_tag, split_words(line)))) for line in lines]


@cache
def _tag(word: str) -> str:
    """A word that jieba cuts further gets the tag of its last piece, which is usually its head."""
    from jieba import posseg

    tag: str = posseg.lcut(word)[-1].flag
    return tag
