"""Parallel text as numbers: line i of one side is the translation of line i of the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from demotic._core import Corpus, CorpusBuilder, Lines, Vocabulary, VocabularyBuilder
from demotic.errors import FormatError
from demotic.lines import EncodingPolicy, LineFile, PathLike, read_lines

__all__ = ["Bitext"]

SEPARATOR = "|||"


@dataclass(frozen=True)
class Bitext:
    """Two sides with as many sentences each, and what their numbers stand for."""

    source: Corpus
    target: Corpus
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise ValueError(
                f"the source side has {len(self.source)} sentences, "
                f"the target side {len(self.target)}"
            )

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        return (
            f"Bitext({len(self)} pairs, {len(self.source.words)} source words, "
            f"{len(self.target.words)} target words)"
        )

    @classmethod
    def read(
        cls, source: PathLike, target: PathLike, *, encoding_errors: EncodingPolicy = "refuse"
    ) -> Bitext:
        """Two files, a sentence a line."""
        lines = [read_lines(path, encoding_errors=encoding_errors) for path in (source, target)]
        if len(lines[0]) != len(lines[1]):
            raise FormatError(
                f"{len(lines[1])} lines",
                path=target,
                expected=f"{len(lines[0])} lines, as in {source}",
                advice="line i of both files has to be the same sentence",
            )
        return cls.from_lines(*lines, names=(str(source), str(target)))

    @classmethod
    def read_joined(cls, path: PathLike, *, encoding_errors: EncodingPolicy = "refuse") -> Bitext:
        """One file of lines `source ||| target`, as fast_align reads them."""
        sides = Lines(), Lines()
        file = LineFile(path, encoding_errors=encoding_errors)
        for number, line in enumerate(file, 1):
            words = line.split(" ")
            separators = words.count(SEPARATOR)
            if separators != 1:
                raise FormatError(
                    f"{separators} separators '{SEPARATOR}'",
                    path=file.name,
                    line=number,
                    expected=f"one: source {SEPARATOR} target",
                )
            middle = words.index(SEPARATOR)
            sides[0].append(" ".join(words[:middle]))
            sides[1].append(" ".join(words[middle + 1 :]))
        return cls.from_lines(*sides, names=(file.name, file.name))

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Bitext:
        """Pairs of tokenised sentences."""
        sides = Lines(), Lines()
        for pair in pairs:
            for side, sentence in zip(sides, pair, strict=True):
                side.append(sentence)
        return cls.from_lines(*sides)

    @classmethod
    def from_lines(
        cls, source: Lines, target: Lines, *, names: tuple[str, str] = ("source", "target")
    ) -> Bitext:
        """Lines that were read before; `names` stand for them in messages."""
        sides = []
        for lines, name in zip((source, target), names, strict=True):
            vocabulary = VocabularyBuilder()
            corpus = CorpusBuilder(vocabulary, name)
            corpus.add(lines)
            sides.append((corpus.finish(), vocabulary.finish()))
        (source_corpus, source_words), (target_corpus, target_words) = sides
        return cls(source_corpus, target_corpus, source_words, target_words)
