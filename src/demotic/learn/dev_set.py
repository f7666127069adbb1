"""A tuning set: tokenised sentences and their references, line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from demotic.errors import Error, FormatError
from demotic.lines import PathLike, display_name, split_words
from demotic.metrics.references import References, unequal
from demotic.search.parsed import read_parsed
from demotic.search.sentence import described
from demotic.search.tagged import read_tagged

if TYPE_CHECKING:
    from demotic.search.text import RawText

__all__ = ["DevSet"]


@dataclass(frozen=True)
class DevSet:
    """Sentence i and its references."""

    source: Sequence[str]
    references: References
    held_out: DevSet | None = None
    """Other sentences, which are not learnt from: the weights to keep are chosen on them."""

    def __post_init__(self) -> None:
        if len(self.source) != len(self.references):
            raise Error(
                f"{len(self.source)} sentences, but references for {len(self.references)}",
                expected="references for each sentence",
            )
        if not any(line.strip() for line in self.source):
            raise Error("the tuning set is empty", expected="a few hundred sentences")
        if self.held_out is not None and self.held_out.digest == self.digest:
            raise Error(
                "the dev set has the same text as the tuning set",
                expected="sentences that are not tuned on",
                advice="omit it to choose by the tuning set",
            )

    @classmethod
    def read(
        cls,
        source: PathLike,
        references: Sequence[PathLike],
        text: RawText,
        tags: PathLike | None = None,
        trees: PathLike | None = None,
    ) -> DevSet:
        """From files, prepared by `text`. Raises FormatError if lines are missing.

        `tags`: those of the source tokens, one line per sentence; `trees`: those of the source
        sentences.
        """
        lines = text.read_source(source)
        streams = [text.read_references(path) for path in references]
        for path, stream in zip(references, streams, strict=True):
            if len(stream) != len(lines):
                name = display_name(source)
                raise unequal(display_name(path), len(stream), name, len(lines))
        if not lines:
            raise FormatError(
                "no lines", path=display_name(source), expected="one sentence per line"
            )
        if tags is not None:
            lines = read_tagged(tags, lines)
        if trees is not None:
            lines = read_parsed(trees, lines)
        return cls(lines, References.from_streams(streams))

    def __len__(self) -> int:
        return len(self.source)

    def up_to(self, words: int) -> DevSet:
        """The sentences of at most this many words."""
        kept = [i for i, line in enumerate(self.source) if len(split_words(line)) <= words]
        if not any(self.source[i].strip() for i in kept):
            raise Error(
                f"no sentence of at most {words} words to tune on",
                expected="a few hundred sentences",
                advice="give more of them, or a larger --max-words",
            )
        return replace(self.select(kept), held_out=self.held_out)

    def select(self, kept: Sequence[int]) -> DevSet:
        """The sentences with these numbers."""
        first, texts = self.references.first, self.references.texts
        references = References.from_sentences([texts[first[i] : first[i + 1]] for i in kept])
        return DevSet([self.source[i] for i in kept], references)

    @property
    def digest(self) -> str:
        """Without what is held out."""
        first = map(str, self.references.first.tolist())
        parts = [*map(described, self.source), *self.references.texts, *first]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
