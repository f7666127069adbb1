"""A parallel corpus: two corpora of equal length over one vocabulary, and the origin of each pair.

Origins are flat arrays (12 bytes per pair), so that a message about sentence 812,345 of the
training data can name the file and line it came from.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demotic._core import Container, ContainerWriter, Vocabulary, VocabularyBuilder
from demotic.counts import counted
from demotic.errors import FormatError, ModelError
from demotic.lines import EncodingPolicy, PathLike, display_name
from demotic.text.corpus import (
    Chosen,
    Corpus,
    Encoder,
    chosen_indices,
    create_directory,
    finished,
    open_vocabulary,
)
from demotic.text.pairs import Pair
from demotic.text.readers.plain import different_counts
from demotic.verified import open_verified

__all__ = ["ParallelCorpus"]

_VOCABULARY = "vocabulary.bin"
_SOURCE = "source.bin"
_TARGET = "target.bin"
_PROVENANCE = "provenance.bin"
_KIND = ("provenance", 1)
_BATCH = 4096


@dataclass(frozen=True, eq=False, repr=False)
class ParallelCorpus:
    """Pair i is sentence i of `source` and of `target`, from line `line[i]` of
    `origins[origin[i]]`."""

    source: Corpus
    target: Corpus
    origin: NDArray[np.int32]
    line: NDArray[np.int64]
    origins: tuple[str, ...]

    def __post_init__(self) -> None:
        lengths = len(self.source), len(self.target), len(self.origin), len(self.line)
        if len(set(lengths)) > 1:
            raise ModelError(
                f"{lengths[0]} source and {lengths[1]} target sentences, "
                f"{lengths[2]} origins and {lengths[3]} line numbers",
                expected="equal numbers",
            )
        if len(self) and not 0 <= self.origin.min() <= self.origin.max() < len(self.origins):
            raise ModelError(
                f"origin numbers from {self.origin.min()} to {self.origin.max()}",
                expected=f"numbers below {len(self.origins)}",
            )
        if self.source.vocabulary is not self.target.vocabulary:
            raise ModelError("two vocabularies", expected="one vocabulary for both sides")
        self.origin.flags.writeable = False
        self.line.flags.writeable = False

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[Pair],
        *,
        vocabulary: Vocabulary | VocabularyBuilder | None = None,
        threads: int = 1,
    ) -> ParallelCorpus:
        """Tokens are separated by spaces.  Malformed text is refused, naming the pair's origin.

        New words are added to a vocabulary that is being built, and unknown to a finished one.
        """
        words = vocabulary or VocabularyBuilder()
        source, target = Encoder("source", words, threads), Encoder("target", words, threads)
        origins: dict[str, int] = {}
        origin, line = array("i"), array("q")
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH)):
            try:
                source.add_texts(pair.source for pair in batch)
                target.add_texts(pair.target for pair in batch)
            except FormatError as error:
                raise _located(error, batch[error.line - 1 - len(line)]) from None
            origin.extend(origins.setdefault(pair.origin, len(origins)) for pair in batch)
            line.extend(pair.line for pair in batch)
        known = finished(words)
        return cls(
            source.finish(known),
            target.finish(known),
            np.array(origin, np.int32),
            np.array(line, np.int64),
            tuple(origins),
        )

    @classmethod
    def read(
        cls,
        source_path: PathLike,
        target_path: PathLike,
        vocabulary: Vocabulary | None = None,
        *,
        encoding_errors: EncodingPolicy = "refuse",
        threads: int = 1,
    ) -> ParallelCorpus:
        """Reads two text files without creating Python strings."""
        words = vocabulary or VocabularyBuilder()
        encoders = [
            Encoder(display_name(path), words, threads) for path in (source_path, target_path)
        ]
        encoders[0].add_file(source_path, encoding_errors)
        encoders[1].add_file(target_path, encoding_errors)
        known = finished(words)
        source, target = (encoder.finish(known) for encoder in encoders)
        if len(source) != len(target):
            raise different_counts(source_path, len(source), target_path, len(target))
        lines = np.arange(1, len(source) + 1, dtype=np.int64)
        origin = np.zeros(len(source), np.int32)
        return cls(source, target, origin, lines, (display_name(source_path),))

    @classmethod
    def open(cls, path: PathLike) -> ParallelCorpus:
        """Maps a directory that `save` wrote."""
        home = Path(path)
        container = open_verified(_open_provenance, home / _PROVENANCE)
        try:
            vocabulary = open_vocabulary(home / _VOCABULARY)
            return cls(
                Corpus.open_sentences(home / _SOURCE, vocabulary),
                Corpus.open_sentences(home / _TARGET, vocabulary),
                np.frombuffer(container.section("origin"), np.int32),
                np.frombuffer(container.section("line"), np.int64),
                tuple(json.loads(container.section("origins"))),
            )
        except (ValueError, ModelError) as error:
            raise FormatError(
                f"parts that do not belong together ({error})",
                path=str(home),
                expected="a parallel corpus",
                advice="build it again",
            ) from None

    def with_origins(self, path: PathLike) -> ParallelCorpus:
        """The same pairs with the origins listed by line in `corpus.origin.tsv` or a similar file.

        Unchanged if the file has another number of lines.
        """
        # Not read as text lines, since those do not keep tabs.
        lines = Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
        places = [line.rpartition("\t") for line in lines]
        if len(places) != len(self) or not all(line.isdigit() for _, _, line in places):
            return self
        origins: dict[str, int] = {}
        origin = [origins.setdefault(name, len(origins)) for name, _, _ in places]
        line = [int(number) for _, _, number in places]
        return replace(
            self,
            origin=np.array(origin, np.int32),
            line=np.array(line, np.int64),
            origins=tuple(origins),
        )

    def save(self, path: PathLike) -> None:
        home = create_directory(path, _PROVENANCE)
        self.vocabulary.save(str(home / _VOCABULARY))
        self.source.sentences.save(str(home / _SOURCE))
        self.target.sentences.save(str(home / _TARGET))
        writer = ContainerWriter(str(home / _PROVENANCE), *_KIND)
        sections = {
            "origin": self.origin.tobytes(),
            "line": self.line.tobytes(),
            "origins": json.dumps(self.origins).encode(),
        }
        for name, data in sections.items():
            writer.begin_section(name)
            writer.append(data)
        writer.commit()

    @property
    def vocabulary(self) -> Vocabulary:
        return self.source.vocabulary

    def __len__(self) -> int:
        return len(self.source)

    def pair(self, index: int) -> Pair:
        source, target = self.source.text(index), self.target.text(index)
        return Pair(source, target, self.origins[self.origin[index]], int(self.line[index]))

    def select(self, chosen: Chosen) -> ParallelCorpus:
        """The pairs with these indices, in this order, or those where a mask is true."""
        indices = chosen_indices(chosen, len(self))
        return ParallelCorpus(
            self.source.select(indices),
            self.target.select(indices),
            self.origin[indices],
            self.line[indices],
            self.origins,
        )

    def __repr__(self) -> str:
        return (
            f"ParallelCorpus({len(self):,} pairs, {self.source.tokens:,} source and "
            f"{self.target.tokens:,} target tokens, {len(self.vocabulary):,} words, "
            f"{counted(len(self.origins), 'origin')})"
        )


def _open_provenance(path: str, verify: bool) -> Container:
    container = Container(path, *_KIND)
    if verify:
        container.verify()
    return container


def _located(error: FormatError, pair: Pair) -> FormatError:
    """The same error, located at the origin of a pair."""
    return FormatError(
        error.found,
        path=pair.origin,
        line=pair.line,
        expected=error.expected,
        advice=error.advice,
    )
