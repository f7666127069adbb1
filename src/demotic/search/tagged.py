"""Files with a tag for each token, read together with the text they belong to."""

from __future__ import annotations

from collections.abc import Iterable

from demotic.counts import counted
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, split_words
from demotic.search.sentence import AnnotatedSentence, annotations_of

__all__ = ["TokenTags", "read_tagged"]


class TokenTags:
    """A file of tags, read line by line together with the tokenised text it belongs to."""

    def __init__(self, path: PathLike) -> None:
        self._file = LineFile(path)
        self._lines = iter(self._file)
        self._number = 0

    def tagged(self, line: str) -> AnnotatedSentence:
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
            return AnnotatedSentence(line, **{**annotations_of(line), "tags": tags})
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
