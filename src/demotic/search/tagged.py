"""Sentences with a tag for each token, for models whose features look at such tags.

    sentence = TaggedSentence("他 把 书 放下", "PN BA NN VV")
    decoder.translate([sentence])

A tagged sentence is a string like any other; decoders and trainers use its tags if the model has
features of them, and everything else ignores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demotic.counts import counted
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, split_words

__all__ = ["TaggedSentence", "TokenTags", "described", "read_tagged", "tags_of"]


class TaggedSentence(str):
    """Tokens separated by spaces, with as many tags separated by spaces."""

    __slots__ = ("tags",)

    tags: str

    def __new__(cls, text: str, tags: str) -> TaggedSentence:
        words, given = len(split_words(text)), len(split_words(tags))
        if words != given:
            raise ValueError(f"expected {words} tags (one per token), got {given}")
        made = super().__new__(cls, text)
        made.tags = tags
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.tags


def tags_of(lines: Sequence[str]) -> list[str]:
    """The tags of each sentence, empty for one without; no list at all if none has tags."""
    tags = [line.tags if isinstance(line, TaggedSentence) else "" for line in lines]
    return tags if any(tags) else []


def described(line: str) -> str:
    """A sentence with its tags as one string, for digests."""
    return f"{line}\t{line.tags}" if isinstance(line, TaggedSentence) else line


class TokenTags:
    """A file of tags, read line by line together with the tokenised text it belongs to."""

    def __init__(self, path: PathLike) -> None:
        self._file = LineFile(path)
        self._lines = iter(self._file)
        self._number = 0

    def tagged(self, line: str) -> TaggedSentence:
        """The next sentence of the text. Raises FormatError if its tags are not one per token."""
        self._number += 1
        tags = next(self._lines, None)
        if tags is None:
            raise FormatError(
                f"{counted(self._number - 1, 'line')} of tags",
                path=self._file.name,
                expected="one per sentence, but the text has more",
                advice="tag the tokenised text line by line",
            )
        try:
            return TaggedSentence(line, tags)
        except ValueError:
            raise FormatError(
                counted(len(split_words(tags)), "tag"),
                path=self._file.name,
                line=self._number,
                expected=f"{len(split_words(line))}, one per token of the text",
                advice="tag the tokenised text without tokenising it again",
            ) from None

    def finish(self) -> None:
        """Raises FormatError if there are tags after the last sentence."""
        if next(self._lines, None) is not None:
            raise FormatError(
                "tags for another sentence",
                path=self._file.name,
                line=self._number + 1,
                expected=f"{counted(self._number, 'line')}, one per sentence of the text",
                advice="tag the tokenised text line by line",
            )


def read_tagged(path: PathLike, lines: Iterable[str]) -> list[str]:
    """Sentences with the tags of a file that has as many lines."""
    tags = TokenTags(path)
    found: list[str] = [tags.tagged(line) for line in lines]
    tags.finish()
    return found
