"""How much the reading of one document may make of it.

A paragraph of one letter takes a hundred times the memory of its text, so the size of a file does
not bound what its reading takes.  Readers count what they find as soon as they find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from demotic.errors import Error

__all__ = ["MAX_SEGMENT", "Budget", "TooMuch"]

Item = TypeVar("Item")

MAX_SEGMENT = 1 << 20  # characters
_PARTS = 10  # tags, elements and lines per segment that is allowed
_EVERY = 256  # things counted between two calls of `check`


class TooMuch(Error):  # noqa: N818 - what it is, not a failure of ours
    """The document has more than its budget allows."""


class Budget:
    """Counts segments, sentences, and what else a document is made of.

    All methods raise TooMuch, or what `check` raises, which is called from time to time and may
    end the work.  Without limits everything is allowed.
    """

    def __init__(
        self,
        segments: int | None = None,
        characters: int | None = None,
        check: Callable[[], object] | None = None,
    ) -> None:
        """`segments` also bounds the sentences; `characters` is the longest sentence."""
        self._limit, self._characters = segments, characters
        self._check = check
        self._segments = self._sentences = self._parts = self._counted = 0

    def segment(self, characters: int = 0) -> None:
        """A segment of this length is about to be made."""
        self._segments += 1
        self.work()
        if self._limit is None:
            return
        if self._segments > self._limit:
            raise _too_much(f"more than {self._limit:,} segments", f"at most {self._limit:,}")
        self.text(characters)

    def text(self, characters: int) -> None:
        """Text of this length is about to be a part of a segment."""
        if self._limit is not None and characters > MAX_SEGMENT:
            raise TooMuch(
                f"a paragraph of {characters:,} characters",
                expected=f"at most {MAX_SEGMENT:,}",
                advice="divide it into paragraphs",
            )

    def parts(self, count: int = 1) -> None:
        """Tags, elements or lines."""
        self._parts += count
        self.work()
        if self._limit is not None and self._parts > _PARTS * self._limit:
            found = f"more than {_PARTS * self._limit:,} tags, elements or lines"
            raise _too_much(found, "fewer")

    def each(self, found: Iterable[Item]) -> Iterator[Item]:
        """Counts parts as they are found."""
        for one in found:
            self.parts()
            yield one

    def room(self, sentences: int) -> None:
        """So many sentences are about to be made of one segment."""
        if self._limit is not None and self._sentences + sentences > self._limit:
            raise _too_much(f"more than {self._limit:,} sentences", f"at most {self._limit:,}")

    def sentence(self, characters: int) -> None:
        """With its tags."""
        self.room(1)
        self._sentences += 1
        self.work()
        if self._characters is not None and characters > self._characters:
            raise TooMuch(
                f"a sentence of {characters:,} characters",
                expected=f"at most {self._characters:,}",
                advice="divide it into sentences or paragraphs",
            )

    def work(self) -> None:
        """Something was done that takes time."""
        self._counted += 1
        if self._check is not None and self._counted % _EVERY == 0:
            self._check()


def _too_much(found: str, expected: str) -> TooMuch:
    advice = "split the document, or allow more segments: demotic serve --max-segments"
    return TooMuch(f"a document with {found}", expected=expected, advice=advice)
