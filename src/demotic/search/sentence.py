"""Tokenised sentences with annotations that a search can use.

    sentence = AnnotatedSentence("他 把 书 放下", tags="PN BA NN VV")
    decoder.translate([sentence])

An annotated sentence is a string like any other.  Decoders and trainers use the annotations that
their model has a use for; everything else ignores them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from demotic.lines import split_words

__all__ = ["AnnotatedSentence", "annotations_of", "described", "native_annotations", "tags_of"]


class AnnotatedSentence(str):
    """Tokens separated by spaces, with their annotations.

    tags: as many tags as tokens, separated by spaces; empty: no tags
    """

    __slots__ = ("tags",)

    tags: str

    def __new__(cls, text: str, *, tags: str = "") -> AnnotatedSentence:
        words, given = len(split_words(text)), len(split_words(tags))
        if tags and words != given:
            raise ValueError(f"expected {words} tags (one per token), got {given}")
        made = super().__new__(cls, text)
        made.tags = tags
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, str]]:
        return (str(self),), self.annotations

    @property
    def annotations(self) -> dict[str, str]:
        """The arguments that annotate another text in the same way."""
        return {"tags": self.tags}


def annotations_of(line: str) -> dict[str, str]:
    """The annotations of a sentence; none for a plain string."""
    return line.annotations if isinstance(line, AnnotatedSentence) else {}


def tags_of(lines: Sequence[str]) -> list[str]:
    """The tags of each sentence, empty for one without; no list at all if none has tags."""
    tags = [line.tags if isinstance(line, AnnotatedSentence) else "" for line in lines]
    return tags if any(tags) else []


class NativeAnnotations(TypedDict):
    """Keyword arguments of `_core.SourceSentences`."""

    tags: list[str]


def native_annotations(lines: Sequence[str]) -> NativeAnnotations:
    """The annotations of sentences in native form."""
    return {"tags": tags_of(lines)}


def described(line: str) -> str:
    """A sentence with its annotations as one string, for digests."""
    return "\t".join([line, *annotations_of(line).values()])
