"""The work of `demotic translate`: reads batches of lines and writes the requested output."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

from demotic.cli.screen import Advance, Screen
from demotic.cli.translate_files import Job
from demotic.counts import counted
from demotic.lines import LineFile, Lines, PathLike, write_text
from demotic.search.output import Confidences, LineWriter, forest_words
from demotic.search.sentence_grammars import Sentence
from demotic.search.stream import LineTranslator, TranslatedLine, timed_batches
from demotic.search.tagged import TokenTags
from demotic.search.text import RawText
from demotic.search.unknowns import unknown_words
from demotic.text.markup import refuse_markup
from demotic.text.preparation import MAX_TOKEN_BYTES

if TYPE_CHECKING:
    from demotic.search.parsed import SourceTrees
    from demotic.workers import Shard

__all__ = ["Outputs", "TranslateRun"]

_RECORDED = 16  # lines per batch and thread if searches are recorded, since they are large
_FIRST = 64  # lines per thread in the first batch
_SHOWN = 10  # line numbers in a note
_XML_WORDS = re.compile(r"<\w+\s[^<>]*\btranslation\s*=|<wall\s*/>|<zone>")
_HEAD = 100  # lines used to detect markup on standard input
_FIRST_LOOK, _LAST_LOOK = 5, 2000  # lines after which unknown words are first and last counted


@dataclass(frozen=True)
class Outputs:
    """What to write, and where."""

    as_json: bool
    list_to_output: bool  # the n-best list instead of the best translations
    scores: bool
    alignment: bool
    confidence: bool
    nbest_file: IO[str] | None
    forest_file: IO[str] | None

    @classmethod
    def open(cls, stack: ExitStack, flags: dict[str, Any], *, as_json: bool) -> Outputs:
        nbest_file, forest_file = (
            stack.enter_context(write_text(flags[name])) if flags[name] else None
            for name in ("nbest_file", "forest")
        )
        to_output = flags["nbest"] is not None and not flags["nbest_file"]
        return cls(
            as_json=as_json,
            list_to_output=to_output,
            scores=flags["scores"],
            alignment=flags["alignment"],
            confidence=flags["confidence"],
            nbest_file=nbest_file,
            forest_file=forest_file,
        )

    @property
    def only_text(self) -> bool:
        return not (
            self.as_json
            or self.list_to_output
            or self.scores
            or self.alignment
            or self.confidence
            or self.nbest_file
            or self.forest_file
        )


class TranslateRun:
    """Translates texts, one after another."""

    def __init__(
        self,
        translator: LineTranslator,
        outputs: Outputs,
        screen: Screen,
        *,
        as_text: bool = False,
        tags: TokenTags | None = None,
        marked_up: Callable[[RawText, list[str]], list[str]] | None = None,
        confidences: Confidences | None = None,
        trees: SourceTrees | None = None,
        shard: Shard | None = None,
    ) -> None:
        """`marked_up` translates lines with tags instead; `shard`: only its lines."""
        self._shard = shard
        self._marked_up = marked_up
        self._translator = translator
        self._outputs = outputs
        self._screen = screen
        self._as_text = as_text
        self._tags = tags
        self._trees = trees
        self._writer = LineWriter(translator.raw, confidences)
        self._capped = 0
        self.done = 0
        self.fell_back: list[int] = []

    def run(self, jobs: Sequence[Job], advance: Advance) -> None:
        """Translates every text, to its file or to standard output."""
        pace = _Pace([job.source for job in jobs])
        for job in jobs:
            with ExitStack() as stack:
                write: Callable[[str], object] = _to_output
                if job.target is not None:
                    write = stack.enter_context(write_text(job.target)).write
                self._text(job, write, pace, advance)

    def _text(
        self, job: Job, write: Callable[[str], object], pace: _Pace, advance: Advance
    ) -> None:
        """Each batch is written when it is done, so that an interruption loses little."""
        file = LineFile(job.source, encoding_errors="replace")
        own = replace(self._translator, raw=self._translator.raw.for_source(job.source))
        watch = _UnknownWatch(own, file.name, self._screen)
        if job.target is not None:
            self.done = 0  # line numbers are those of the file
        fell_back = len(self.fell_back)
        chunks = self._chunks(file)
        if self._shard is not None:
            part = self._shard.part(_count_lines(job.source))
            chunks, self.done = _within(part, chunks), part.start
        for batch in timed_batches(chunks, first=_FIRST * own.threads, **self._limit):
            if self._marked_up is not None:
                write("".join([f"{text}\n" for text in self._marked_up(own.raw, batch)]))
                self.done += len(batch)
                continue
            if self.done == 0 and not (own.constraints and own.constraints.reads_xml):
                self._note_markup(file.name, batch)
            source = self._annotated(own.prepared(batch, self.done, file.name))
            watch.add(source)
            write(
                self._only_text(own, source) if self._outputs.only_text else self._all(own, source)
            )
            self.done += len(batch)
            pace.add(batch, source)
            advance(pace.lines, pace.total(), pace.remark())
        watch.finish()
        for annotated in (self._tags, self._trees):
            if annotated is not None:
                annotated.finish()
        self._remarks(file, self.fell_back[fell_back:])

    def _note_markup(self, name: str, lines: list[str]) -> None:
        """Moses reads such markup only if it is told to, and so do we."""
        for number, line in enumerate(lines, 1):
            if _XML_WORDS.search(line):
                self._screen.note(
                    f"{name} line {number}: taken for text, but looks like Moses' XML markup "
                    "(--xml-input exclusive obeys it)"
                )
                return

    def _annotated(self, source: list[Sentence]) -> list[Sentence]:
        if self._tags is not None:
            source = [one._replace(text=self._tags.tagged(one.text)) for one in source]
        if self._trees is not None:
            source = [one._replace(text=self._trees.annotated(one.text)) for one in source]
        return source

    def _chunks(self, file: LineFile) -> Iterator[Lines]:
        """The chunks of a text; the first is used to detect markup on standard input."""
        for number, chunk in enumerate(file.chunks()):
            if number == 0 and file.path == "-" and not self._as_text:
                refuse_markup(file.path, "\n".join(chunk.tolist()[:_HEAD]).encode())
            yield chunk

    @property
    def _limit(self) -> dict[str, int]:
        recorded = self._translator.records
        return {"most": _RECORDED * self._translator.threads} if recorded else {}

    def _only_text(self, translator: LineTranslator, source: list[Sentence]) -> str:
        texts, fell_back = translator.texts(source)
        self.fell_back += [self.done + i for i in fell_back]
        return "".join([f"{text}\n" for text in texts])

    def _all(self, translator: LineTranslator, source: list[Sentence]) -> str:
        return "".join(map(self._line, translator.lines(source, self.done)))

    def _line(self, line: TranslatedLine) -> str:
        """Writes to the files; returns what goes to standard output."""
        out = self._outputs
        if line.fell_back:
            self.fell_back.append(line.number)
        if out.forest_file and line.result is not None:
            from demotic.forest.json_lines import write_forest

            about = {
                "id": line.number,
                "source": line.result.source,
                "words": forest_words(line.result),
            }
            write_forest(out.forest_file, line.result.forest, about)
        if out.nbest_file:
            out.nbest_file.write(self._list(line))
        if out.as_json:
            record = self._writer.record(line, nbest=out.list_to_output)
            return json.dumps(record, ensure_ascii=False) + "\n"
        if out.list_to_output:
            return self._list(line)
        columns = self._writer.columns(line, scores=out.scores, alignment=out.alignment)
        return columns + "\n"

    def _list(self, line: TranslatedLine) -> str:
        entries = self._writer.nbest(line, alignment=self._outputs.alignment)
        return "".join([f"{entry}\n" for entry in entries])

    def _remarks(self, file: LineFile, fell_back: list[int]) -> None:
        """Reports repairs of the input, and lines decoded with reduced limits."""
        if replaced := file.notices.replaced:
            self._screen.warn(
                f"{file.name}: {counted(replaced, 'line')} with malformed UTF-8, whose bad "
                "bytes were replaced"
            )
        if capped := self._translator.raw.capped - self._capped:
            self._capped += capped
            self._screen.warn(
                f"{file.name}: {counted(capped, 'token')} longer than {MAX_TOKEN_BYTES:,} "
                "bytes, truncated"
            )
        if fell_back:
            self._screen.note(self._fell_back_note(file.name, fell_back))

    def _fell_back_note(self, name: str, lines: list[int]) -> str:
        numbers = ", ".join(f"{number + 1:,}" for number in lines[:_SHOWN])
        more = ", ..." if len(lines) > _SHOWN else ""
        count, where = f"{name}: {counted(len(lines), 'line')}", f"{numbers}{more}"
        if self._translator.decoder.model.kind == "hiero":
            return (
                f"{count} too long for the requested search or not derived by the grammar, decoded "
                f"with reduced limits or with glue over arbitrary nonterminals: {where}"
            )
        return (
            f"{count} too long for the requested search, translated without reordering or with a "
            f"smaller beam: {where}"
        )


def _count_lines(path: PathLike) -> int:
    return sum(len(chunk) for chunk in LineFile(path, encoding_errors="replace").chunks())


def _within(part: range, chunks: Iterator[Lines]) -> Iterator[Lines]:
    """The lines of a part."""
    begin = 0
    for chunk in chunks:
        end = begin + len(chunk)
        if own := range(max(part.start, begin), min(part.stop, end)):
            yield chunk.slice(own.start - begin, own.stop - begin)
        begin = end


def _to_output(text: str) -> None:
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


class _UnknownWatch:
    """Warns once if the first lines of a text have mostly unknown words."""

    def __init__(self, translator: LineTranslator, name: str, screen: Screen) -> None:
        self._model = translator.decoder.model
        self._raw = translator.raw.is_raw
        self._name, self._screen = name, screen
        self._lines: list[str] = []
        self._next = _FIRST_LOOK
        self._done = False

    def add(self, source: list[Sentence]) -> None:
        """Counts whenever there are twice as many lines as at the last count."""
        if self._done:
            return
        # A sentence with its own grammar does not need the words of the model.
        self._lines += [one.text for one in source if one.grammar is None]
        if len(self._lines) >= self._next:
            self._next = 2 * len(self._lines)
            self._look()
            self._done = self._done or len(self._lines) >= _LAST_LOOK

    def finish(self) -> None:
        if not self._done:
            self._look()

    def _look(self) -> None:
        found = unknown_words(self._model, self._lines, raw=self._raw)
        if found.should_warn:
            self._done = True
            self._screen.warn(f"{self._name}: {found.text}")


class _Pace:
    """The speed, and the estimated number of lines in all files."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._started = time.monotonic()
        self.lines = self._words = self._bytes = 0
        sizes = list(map(_plain_size, paths))
        self._size = sum(sizes) if all(sizes) else 0

    def add(self, lines: list[str], source: list[Sentence]) -> None:
        self.lines += len(lines)
        self._words += sum([one.text.count(" ") + 1 for one in source if one.text])
        if self._size:
            self._bytes += sum([len(line.encode()) + 1 for line in lines])

    def total(self) -> int:
        """The total number of lines, estimated from bytes; 0 if unknown."""
        if not (self._size and self._bytes):
            return 0
        return max(self.lines, round(self.lines * self._size / self._bytes))

    def remark(self) -> str:
        seconds = max(time.monotonic() - self._started, 1e-9)
        return f"{self._words / seconds:,.0f} words/s"


def _plain_size(path: str) -> int:
    """The size of an uncompressed file in bytes, else 0."""
    if path == "-" or not os.path.isfile(path) or path.endswith((".gz", ".xz", ".zst")):
        return 0
    return os.path.getsize(path)
