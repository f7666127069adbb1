"""Layers of word classes over a vocabulary, from Brown clusters, first and last characters, and
word types.  Layers from tags are in tags.py.

Every layer gives class 0, named "-", to reserved ids and to words without a class.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from demotic._core import NONE_CLASS, NONE_NAME, RESERVED_WORDS, ClassLayer, Vocabulary

if TYPE_CHECKING:
    from demotic.text.brown import BrownClusters

__all__ = [
    "WORD_TYPES",
    "ClassLayer",
    "brown_layer",
    "character_layer",
    "layer_from_names",
    "type_layer",
    "word_type",
]

WORD_TYPES = ("punctuation", "digit", "alpha", "other")


def layer_from_names(
    name: str, names_by_word: Iterable[str | None], names: Iterable[str] = ()
) -> ClassLayer:
    """A layer from one class name per word id; None for no class.

    Classes are numbered from 1: those of `names` first, then in order of appearance.
    """
    import numpy as np

    number: dict[str, int] = {}
    for known in names:
        number.setdefault(known, len(number) + 1)
    classes = [
        NONE_CLASS if found is None else number.setdefault(found, len(number) + 1)
        for found in names_by_word
    ]
    return ClassLayer(name, np.array(classes, np.int32), [NONE_NAME, *number])


def brown_layer(name: str, clusters: BrownClusters, prefix: int | None = None) -> ClassLayer:
    """Classes are bit strings, whole or cut to `prefix` bits (shorter ones are kept whole)."""
    if prefix is not None and prefix < 1:
        raise ValueError(f"prefix is {prefix}; expected at least 1 bit, or None for all")
    cut = [bits[:prefix] for bits in clusters.bits]
    by_word = (cut[cluster] if cluster >= 0 else None for cluster in clusters.word_class.tolist())
    return layer_from_names(name, by_word, cut)


def character_layer(
    name: str, vocabulary: Vocabulary, side: Literal["leftmost", "rightmost"]
) -> ClassLayer:
    """Classes are the first or last Unicode code points of words."""
    at = {"leftmost": 0, "rightmost": -1}[side]
    return layer_from_names(name, _by_word(vocabulary, lambda word: word[at] if word else None))


def type_layer(name: str, vocabulary: Vocabulary) -> ClassLayer:
    """Classes are the four word types of `word_type`."""
    return layer_from_names(name, _by_word(vocabulary, word_type), WORD_TYPES)


def word_type(word: str) -> str:
    """The type of a word by Unicode categories: letters (L, M), digits (N), signs (P, S).

    punctuation: signs only; digit: digits with optional signs ("3.5", "50%"); alpha: letters with
    optional signs ("don't"); other: letters and digits ("mp3"), or any other category.
    """
    kinds = {_kind(character) for character in word}
    if "?" in kinds or not kinds or {"L", "N"} <= kinds:
        return "other"
    if "N" in kinds:
        return "digit"
    return "alpha" if "L" in kinds else "punctuation"


@lru_cache(maxsize=1 << 16)
def _kind(character: str) -> str:
    category = unicodedata.category(character)[0]
    return {"L": "L", "M": "L", "N": "N", "P": "P", "S": "P"}.get(category, "?")


def _by_word(vocabulary: Vocabulary, find: Callable[[str], str | None]) -> list[str | None]:
    words = vocabulary.words()[RESERVED_WORDS:]
    return [None] * RESERVED_WORDS + [find(word) for word in words]
