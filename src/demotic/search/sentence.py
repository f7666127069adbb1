"""Tokenised sentences with annotations that a search can use.

    sentence = AnnotatedSentence(
        "他 把 书 放下", tags="PN BA NN VV", constituents="0-4-IP 1-4-VP 2-3-NP"
    )
    decoder.translate([sentence])

An annotated sentence is a string like any other.  Decoders and trainers use the annotations that
their model has a use for; everything else ignores them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from demotic import _core
from demotic.lines import split_words
from demotic.search.constraint import Constraint, check_constraints, native_constraints

__all__ = [
    "AnnotatedSentence",
    "annotations_of",
    "constituent_spans",
    "constituents_of",
    "constraints_of",
    "described",
    "native_annotations",
    "tags_of",
]

_CONSTITUENT = re.compile("([0-9]{1,9})-([0-9]{1,9})-(.+)")


class AnnotatedSentence(str):
    """Tokens separated by spaces, with their annotations.

    tags: as many tags as tokens, separated by spaces; empty: no tags
    constituents: of its parse tree, `begin-end-LABEL` separated by spaces, where the span is half
        open and counts tokens from 0; empty: no tree
    constraints: what the user asks of its translation (`constraint.py`)
    """

    __slots__ = ("constituents", "constraints", "tags")

    tags: str
    constituents: str
    constraints: tuple[Constraint, ...]

    def __new__(
        cls,
        text: str,
        *,
        tags: str = "",
        constituents: str = "",
        constraints: Iterable[Constraint] = (),
    ) -> AnnotatedSentence:
        words, given = len(split_words(text)), len(split_words(tags))
        if tags and words != given:
            raise ValueError(f"expected {words} tags (one per token), got {given}")
        for one in split_words(constituents):
            _check_constituent(one, words)
        made = super().__new__(cls, text)
        made.tags = tags
        made.constituents = constituents
        made.constraints = tuple(constraints)
        check_constraints(words, made.constraints)
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (str(self),), self.annotations

    @property
    def annotations(self) -> dict[str, Any]:
        """The arguments that annotate another text in the same way."""
        return {
            "tags": self.tags,
            "constituents": self.constituents,
            "constraints": self.constraints,
        }


def _check_constituent(text: str, words: int) -> None:
    found = _CONSTITUENT.fullmatch(text)
    if found is None or not int(found[1]) < int(found[2]) <= words:
        raise ValueError(
            f"expected constituents like 0-2-NP within the {words} tokens, got {text!r}"
        )


def annotations_of(line: str) -> dict[str, Any]:
    """The annotations of a sentence; none for a plain string."""
    return line.annotations if isinstance(line, AnnotatedSentence) else {}


def tags_of(lines: Sequence[str]) -> list[str]:
    """The tags of each sentence, empty for one without; no list at all if none has tags."""
    tags = [line.tags if isinstance(line, AnnotatedSentence) else "" for line in lines]
    return tags if any(tags) else []


def constituents_of(lines: Sequence[str]) -> list[str]:
    """The constituents of each sentence, empty for one without a tree; no list if none has one."""
    trees = [line.constituents if isinstance(line, AnnotatedSentence) else "" for line in lines]
    return trees if any(trees) else []


def constituent_spans(line: str) -> tuple[tuple[int, int, str], ...]:
    """The constituents of a sentence: begin, end and label."""
    found = (one.split("-", 2) for one in split_words(annotations_of(line).get("constituents", "")))
    return tuple((int(begin), int(end), label) for begin, end, label in found)


def constraints_of(line: str) -> tuple[Constraint, ...]:
    """What the user asks of a translation; nothing for a plain string."""
    return line.constraints if isinstance(line, AnnotatedSentence) else ()


class NativeAnnotations(TypedDict):
    """Keyword arguments of `_core.SourceSentences`."""

    tags: list[str]
    constituents: list[str]
    constraints: list[list[_core.Constraint]]


def native_annotations(lines: Sequence[str]) -> NativeAnnotations:
    """The annotations of sentences in native form."""
    asked = [constraints_of(line) for line in lines]
    return {
        "tags": tags_of(lines),
        "constituents": constituents_of(lines),
        "constraints": [native_constraints(one) for one in asked] if any(asked) else [],
    }


def described(line: str) -> str:
    """A sentence with its annotations as one string, for digests."""
    return "\t".join([line, *(str(one) for one in annotations_of(line).values() if one)])
