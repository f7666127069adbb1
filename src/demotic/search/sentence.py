"""Tokenised sentences with annotations that a search can use.

    sentence = AnnotatedSentence("他 把 书 放下", tags="PN BA NN VV")
    decoder.translate([sentence])

An annotated sentence is a string like any other.  Decoders and trainers use the annotations that
their model has a use for; everything else ignores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from demotic import _core
from demotic.lines import split_words
from demotic.search.constraint import Constraint, check_constraints, native_constraints

__all__ = [
    "AnnotatedSentence",
    "annotations_of",
    "constraints_of",
    "described",
    "native_annotations",
    "tags_of",
]


class AnnotatedSentence(str):
    """Tokens separated by spaces, with their annotations.

    tags: as many tags as tokens, separated by spaces; empty: no tags
    constraints: what the user asks of its translation (`constraint.py`)
    """

    __slots__ = ("constraints", "tags")

    tags: str
    constraints: tuple[Constraint, ...]

    def __new__(
        cls, text: str, *, tags: str = "", constraints: Iterable[Constraint] = ()
    ) -> AnnotatedSentence:
        words, given = len(split_words(text)), len(split_words(tags))
        if tags and words != given:
            raise ValueError(f"expected {words} tags (one per token), got {given}")
        made = super().__new__(cls, text)
        made.tags = tags
        made.constraints = tuple(constraints)
        check_constraints(words, made.constraints)
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (str(self),), self.annotations

    @property
    def annotations(self) -> dict[str, Any]:
        """The arguments that annotate another text in the same way."""
        return {"tags": self.tags, "constraints": self.constraints}


def annotations_of(line: str) -> dict[str, Any]:
    """The annotations of a sentence; none for a plain string."""
    return line.annotations if isinstance(line, AnnotatedSentence) else {}


def tags_of(lines: Sequence[str]) -> list[str]:
    """The tags of each sentence, empty for one without; no list at all if none has tags."""
    tags = [line.tags if isinstance(line, AnnotatedSentence) else "" for line in lines]
    return tags if any(tags) else []


def constraints_of(line: str) -> tuple[Constraint, ...]:
    """What the user asks of a translation; nothing for a plain string."""
    return line.constraints if isinstance(line, AnnotatedSentence) else ()


class NativeAnnotations(TypedDict):
    """Keyword arguments of `_core.SourceSentences`."""

    tags: list[str]
    constraints: list[list[_core.Constraint]]


def native_annotations(lines: Sequence[str]) -> NativeAnnotations:
    """The annotations of sentences in native form."""
    asked = [constraints_of(line) for line in lines]
    constraints = [native_constraints(one) for one in asked] if any(asked) else []
    return {"tags": tags_of(lines), "constraints": constraints}


def described(line: str) -> str:
    """A sentence with its annotations as one string, for digests."""
    return "\t".join([line, *(str(one) for one in annotations_of(line).values() if one)])
