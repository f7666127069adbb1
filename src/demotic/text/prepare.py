"""Prepares a corpus: reads, cleans, tokenises, sets case, drops unusable pairs, and reports.

Writes `corpus.<language>` for each side, `corpus.origin.tsv` (file and line of every pair kept),
`preparation.toml` (every choice) and what was learnt.  Each file appears under its name only when
it is complete, `preparation.toml` last; a run that fails leaves nothing behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import IO, Protocol

from demotic._core import LineNotices
from demotic.errors import Error, IoError
from demotic.lines import LineFile, PathLike, write_text
from demotic.outputs import new_directory
from demotic.text.clean import clean
from demotic.text.pairs import Pair
from demotic.text.preparation import Preparation, PrepareOptions
from demotic.text.prepare_report import PrepareReport, repairs
from demotic.text.readers import PairSource
from demotic.text.side import Side
from demotic.text.side_learning import SideLearner

__all__ = [
    "PrepareReport",
    "prepare",
    "prepare_as",
    "prepare_stream",
    "prepare_text",
]

ORIGIN_NAME = "corpus.origin.tsv"
PROGRESS_EVERY = 100  # sentences

# Words with a special meaning in models and tables.


# The tokens of a sentence per language, and its origin and line.
Cut = tuple[list[list[str]], str]


class Progress(Protocol):
    """Called from time to time with sentences done, their total (0 if unknown) and the stage."""

    def __call__(self, done: int, total: int, remark: str, /) -> None: ...


@dataclass(frozen=True)
class Sentence:
    """The text of one sentence in one or two languages, and its origin."""

    texts: tuple[str, ...]
    origin: str
    line: int


def prepare(
    pairs: Iterable[Pair],
    options: PrepareOptions,
    source_language: str,
    target_language: str,
    out_dir: PathLike,
    progress: Progress | None = None,
) -> PrepareReport:
    """Prepares sentence pairs into `out_dir`."""
    preparation = Preparation.begin(options, source_language, target_language)
    return prepare_as(pairs, preparation, out_dir, progress)


def prepare_as(
    pairs: Iterable[Pair],
    preparation: Preparation,
    out_dir: PathLike,
    progress: Progress | None = None,
) -> PrepareReport:
    """The same with a given preparation, for the dev and test sets of a training corpus."""
    sentences = (Sentence((pair.source, pair.target), pair.origin, pair.line) for pair in pairs)
    report = _Run(preparation, Path(out_dir), progress).run(sentences)
    if isinstance(pairs, PairSource):
        report.skipped = pairs.counts.skipped
        report.notices |= repairs(pairs.notices)
    return report


def prepare_text(
    paths: Iterable[PathLike],
    preparation: Preparation,
    out_dir: PathLike,
    progress: Progress | None = None,
) -> PrepareReport:
    """Prepares text of one language."""
    policy = preparation.options.encoding_policy
    files = [LineFile(path, encoding_errors=policy) for path in paths]
    report = _Run(preparation, Path(out_dir), progress).run(_text(files))
    report.notices |= repairs(sum((file.notices for file in files), LineNotices()))
    return report


def prepare_stream(path: PathLike, preparation: Preparation, output: IO[bytes]) -> dict[str, int]:
    """Writes one line per line read; returns counts of repairs by kind."""
    side = preparation.source_side
    _refuse_learning(side)
    file = LineFile(path, encoding_errors=preparation.options.encoding_errors or "replace")
    for chunk in file.chunks():
        text = "".join(f"{preparation.source(line)}\n" for line in chunk.tolist())
        output.write(text.encode())
    capped = preparation.source_side.capped
    return repairs(file.notices) | ({"truncated tokens": capped} if capped else {})


def _refuse_learning(side: Side) -> None:
    """A stream cannot be read twice."""
    lacking = (
        (side.lacks_case, "true case", "--case lower or none"),
        (side.lacks_words, "the tokeniser unigram", "--tokenizer builtin"),
        (side.lacks_compounds, "compound splitting", "--compounds off"),
    )
    for lacks, what, instead in lacking:
        if lacks:
            raise Error(
                f"{what} for a stream, from which it cannot be learnt",
                expected="a directory in which it was learnt",
                advice=f"add --like DIR, write to a directory with -o DIR, or choose {instead}",
            )


def _text(files: Iterable[LineFile]) -> Iterator[Sentence]:
    for file in files:
        for number, line in enumerate(file, 1):
            yield Sentence((line,), os.fspath(file.path), number)


class _Run:
    """The state of one run."""

    def __init__(
        self, preparation: Preparation, out_dir: Path, progress: Progress | None = None
    ) -> None:
        self._preparation = preparation
        self._options = preparation.options
        self._sides = preparation.sides
        self._out_dir = out_dir
        self._progress = progress
        self._seen: set[bytes] = set()
        self._report = PrepareReport()

    def run(self, sentences: Iterable[Sentence]) -> PrepareReport:
        for side in self._sides:
            side.capped = 0
        with new_directory(self._out_dir, force=True), ExitStack() as stack:
            outputs = [
                stack.enter_context(write_text(self._out_dir / name))
                for name in (*(f"corpus.{side.language}" for side in self._sides), ORIGIN_NAME)
            ]
            learns = any(side.lacks_anything for side in self._sides)
            cut = self._learnt(sentences) if learns else self._cut(sentences)
            for lists, place in cut:
                reason = "" if self._options.keep_all else self._fault(lists)
                if reason:
                    self._report.dropped[reason] += 1
                else:
                    self._write(lists, place, outputs)
            self._refuse_nothing()
            stack.close()
            self._finish()
        return self._report

    def _refuse_nothing(self) -> None:
        report = self._report
        if report.kept == 0 and not self._options.keep_all:
            reasons = "".join(f", {count:,} {why}" for why, count in report.dropped.items())
            raise Error(
                f"no sentence is left of {report.read:,}{reasons}",
                expected="text to train on",
                advice="run demotic check on the files",
            )

    def _cut(self, sentences: Iterable[Sentence]) -> Iterator[Cut]:
        for sentence in self._read(sentences):
            lists = [
                side.tokens(text) for side, text in zip(self._sides, sentence.texts, strict=True)
            ]
            yield lists, _place(sentence)

    def _learnt(self, sentences: Iterable[Sentence]) -> Iterator[Cut]:
        """Learns from all sentences first, keeping them in an unnamed temporary file."""
        learners = [SideLearner(side) for side in self._sides]
        with _temporary_file(self._out_dir) as file:
            for sentence in self._read(sentences):
                texts = zip(learners, sentence.texts, strict=True)
                waiting = [learner.observe(text) for learner, text in texts]
                file.write("\t".join((*waiting, _place(sentence))) + "\n")
            for side, learner in zip(self._sides, learners, strict=True):
                learner.learn(partial(self._tell, remark=f"learning the words of {side.language}"))
            file.seek(0)
            for done, line in enumerate(file, 1):
                *waiting, origin, number = line.removesuffix("\n").split("\t")
                texts = zip(learners, waiting, strict=True)
                yield [learner.tokens(text) for learner, text in texts], f"{origin}\t{number}"
                if done % PROGRESS_EVERY == 0:
                    self._tell(done, self._report.read, "writing")

    def _read(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        report = self._report
        for sentence in sentences:
            report.read += 1
            yield sentence
            if report.read % PROGRESS_EVERY == 0:
                self._tell(report.read, 0, "reading")

    def _tell(self, done: int, total: int, remark: str) -> None:
        if self._progress is not None:
            self._progress(done, total, remark)

    def _fault(self, lists: list[list[str]]) -> str:
        """The reason for dropping the sentence; empty to keep it."""
        lengths = [len(tokens) for tokens in lists]
        if not all(lengths):
            return "empty"
        if min(lengths) < self._options.min_length:
            return "too short"
        if max(lengths) > self._options.max_length:
            return "too long"
        if max(lengths) > self._options.max_ratio * min(lengths):
            return "ratio"
        if self._options.drop_duplicates:
            key = "\t".join(" ".join(tokens) for tokens in lists).encode()
            digest = blake2b(key, digest_size=16).digest()
            if digest in self._seen:
                return "duplicate"
            self._seen.add(digest)
        return ""

    def _write(self, lists: list[list[str]], place: str, outputs: list[IO[str]]) -> None:
        report = self._report
        report.kept += 1
        for side, tokens, output in zip(self._sides, lists, outputs, strict=False):
            line = side.finished(tokens)
            report.tokens[side.language] += line.count(" ") + 1 if line else 0
            output.write(line + "\n")
        outputs[-1].write(place + "\n")

    def _finish(self) -> None:
        report = self._report
        report.tokenizers = {
            side.language: f"{side.tokenizer.name} {side.tokenizer.version}" for side in self._sides
        }
        notices = {"truncated tokens": sum(side.capped for side in self._sides)}
        report.notices = {name: count for name, count in notices.items() if count}
        replace(self._preparation, counts=report.counts()).save(self._out_dir)


def _place(sentence: Sentence) -> str:
    # File names may contain tabs and newlines.
    return f"{clean(sentence.origin, 'none')}\t{sentence.line}"


def _temporary_file(directory: Path) -> IO[str]:
    try:
        return tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=directory)
    except OSError as error:
        raise IoError(
            "cannot write a file here", path=str(directory), errno=error.errno or 0
        ) from None
