"""Prepares a corpus: reads, cleans, cuts, cases, drops what harms training, and says what it did.

Writes `corpus.<language>` for each side, `corpus.origin.tsv` (file and line of every pair that
was kept) and `preparation.toml` (every choice).  Each file appears under its name only when it is
complete, `preparation.toml` last.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO, Protocol

from demotic._core import LineNotices
from demotic.errors import Error, IoError
from demotic.lines import LineFile, PathLike, write_text
from demotic.text.case import TruecaseCounts
from demotic.text.clean import clean
from demotic.text.pairs import Pair
from demotic.text.preparation import Preparation, PrepareOptions
from demotic.text.prepare_report import PrepareReport, mended
from demotic.text.readers import PairSource

__all__ = [
    "PrepareReport",
    "prepare",
    "prepare_as",
    "prepare_stream",
    "prepare_text",
]

ORIGIN_NAME = "corpus.origin.tsv"
PROGRESS_EVERY = 100  # sentences

# Words that mean something else in models and tables.


class Progress(Protocol):
    """Called now and then with the number of sentences read."""

    def __call__(self, done: int, /) -> None: ...


@dataclass(frozen=True)
class Sentence:
    """The text of one sentence in one language or in two, and where it comes from."""

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
    """The same with choices that were made before: for dev and test sets of a training corpus."""
    sentences = (Sentence((pair.source, pair.target), pair.origin, pair.line) for pair in pairs)
    report = _Run(preparation, Path(out_dir), progress).run(sentences)
    if isinstance(pairs, PairSource):
        report.skipped = pairs.counts.skipped
        report.notices |= mended(pairs.notices)
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
    report.notices |= mended(sum((file.notices for file in files), LineNotices()))
    return report


def prepare_stream(path: PathLike, preparation: Preparation, output: IO[bytes]) -> dict[str, int]:
    """One line in, one line out; the result counts what was mended."""
    if preparation.options.case == "true" and preparation.source_side.truecaser is None:
        raise Error(
            "true case asked of a stream, from which it cannot be learned",
            expected="a directory with what was learned before",
            advice="add --like DIR, or write to a directory with -o",
        )
    file = LineFile(path, encoding_errors=preparation.options.encoding_errors or "replace")
    for chunk in file.chunks():
        text = "".join(f"{preparation.source(line)}\n" for line in chunk.tolist())
        output.write(text.encode())
    capped = preparation.source_side.capped
    return mended(file.notices) | ({"capped tokens": capped} if capped else {})


def _text(files: Iterable[LineFile]) -> Iterator[Sentence]:
    for file in files:
        for number, line in enumerate(file, 1):
            yield Sentence((line,), os.fspath(file.path), number)


class _Run:
    """One corpus on its way through."""

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
        with ExitStack() as stack:
            outputs = [
                stack.enter_context(write_text(self._out_dir / name))
                for name in (*(f"corpus.{side.language}" for side in self._sides), ORIGIN_NAME)
            ]
            kept = self._kept(sentences)
            if self._learns_case():
                kept = self._with_true_case(kept)
            for lists, place in kept:
                self._write(lists, place, outputs)
        self._finish()
        return self._report

    def _kept(self, sentences: Iterable[Sentence]) -> Iterator[tuple[list[list[str]], str]]:
        """The token lists of the sentences that stay, each with its origin and line."""
        report = self._report
        for sentence in sentences:
            report.read += 1
            lists = [
                side.tokens(text) for side, text in zip(self._sides, sentence.texts, strict=True)
            ]
            reason = "" if self._options.keep_all else self._fault(lists)
            if reason:
                report.dropped[reason] += 1
            else:
                # Names of files may hold anything.
                yield lists, f"{clean(sentence.origin, 'none')}\t{sentence.line}"
            if self._progress is not None and report.read % PROGRESS_EVERY == 0:
                self._progress(report.read)

    def _fault(self, lists: list[list[str]]) -> str:
        """Why the sentence is of no use for training, or nothing."""
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

    def _learns_case(self) -> bool:
        return self._options.case == "true" and self._preparation.source_side.truecaser is None

    def _with_true_case(
        self, kept: Iterator[tuple[list[list[str]], str]]
    ) -> Iterator[tuple[list[list[str]], str]]:
        """Learns from all sentences first; meanwhile they wait in a file without a name."""
        counts = [TruecaseCounts() for _ in self._sides]
        with _waiting_room(self._out_dir) as file:
            for lists, place in kept:
                for one, tokens in zip(counts, lists, strict=True):
                    one.observe(tokens)
                file.write("\t".join((*map(" ".join, lists), place)) + "\n")
            for side, one in zip(self._sides, counts, strict=True):
                side.truecaser = one.model(side.language)
            file.seek(0)
            for line in file:
                *texts, origin, number = line.removesuffix("\n").split("\t")
                yield [text.split(" ") if text else [] for text in texts], f"{origin}\t{number}"

    def _write(self, lists: list[list[str]], place: str, outputs: list[IO[str]]) -> None:
        report = self._report
        report.kept += 1
        for side, tokens, output in zip(self._sides, lists, outputs, strict=False):
            report.tokens[side.language] += len(tokens)
            output.write(side.finished(tokens) + "\n")
        outputs[-1].write(place + "\n")

    def _finish(self) -> None:
        report = self._report
        report.tokenizers = {
            side.language: f"{side.tokenizer.name} {side.tokenizer.version}" for side in self._sides
        }
        notices = {"capped tokens": sum(side.capped for side in self._sides)}
        report.notices = {name: count for name, count in notices.items() if count}
        replace(self._preparation, counts=report.counts()).save(self._out_dir)


def _waiting_room(directory: Path) -> IO[str]:
    try:
        return tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=directory)
    except OSError as error:
        raise IoError(
            "no file can be written here", path=str(directory), errno=error.errno or 0
        ) from None
