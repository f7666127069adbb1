"""The work of `demotic translate`: batches of lines in, and what was asked for out."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

from demotic.cli.screen import Advance
from demotic.forest.json_lines import write_forest
from demotic.lines import LineFile, write_text
from demotic.search.output import LineWriter, forest_words
from demotic.search.sentence_grammars import Sentence
from demotic.search.stream import LineTranslator, TranslatedLine, paced

__all__ = ["Outputs", "TranslateRun"]

_RECORDED = 16  # lines in a batch for each thread if their searches are kept: they are large
_FIRST = 64  # lines in the first batch for each thread
_SHOWN = 10  # numbers of lines in a note


@dataclass(frozen=True)
class Outputs:
    """What is written, and where."""

    as_json: bool
    list_to_output: bool  # the n-best list instead of the best translations
    scores: bool
    alignment: bool
    nbest_file: IO[str] | None
    forest_file: IO[str] | None

    @classmethod
    def open(cls, stack: ExitStack, flags: dict[str, Any], *, as_json: bool) -> Outputs:
        files = [
            stack.enter_context(write_text(flags[name])) if flags[name] else None
            for name in ("nbest_file", "forest")
        ]
        to_output = flags["nbest"] is not None and not flags["nbest_file"]
        return cls(as_json, to_output, flags["scores"], flags["alignment"], *files)

    @property
    def only_text(self) -> bool:
        return not (
            self.as_json
            or self.list_to_output
            or self.scores
            or self.alignment
            or self.nbest_file
            or self.forest_file
        )


class TranslateRun:
    """One text on its way through."""

    def __init__(self, translator: LineTranslator, outputs: Outputs, file: LineFile) -> None:
        self._translator = translator
        self._outputs = outputs
        self._file = file
        self._writer = LineWriter(translator.decoder, translator.raw)
        self.done = 0
        self.fell_back: list[int] = []

    def run(self, advance: Advance) -> None:
        """Each batch is written and flushed when it is done, so an interruption loses little."""
        threads = self._translator.threads
        recorded = self._translator.record or self._translator.nbest > 1
        limit = {"most": _RECORDED * threads} if recorded else {}
        pace = _Pace(self._file)
        for batch in paced(self._file.chunks(), first=_FIRST * threads, **limit):
            source = self._translator.prepared(batch)
            text = self._only_text(source) if self._outputs.only_text else self._all(source)
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
            self.done += len(batch)
            pace.add(batch, source)
            advance(self.done, pace.total(), pace.remark())

    def _only_text(self, source: list[Sentence]) -> str:
        texts, fell_back = self._translator.texts(source)
        self.fell_back += [self.done + i for i in fell_back]
        return "".join([f"{text}\n" for text in texts])

    def _all(self, source: list[Sentence]) -> str:
        return "".join(map(self._line, self._translator.lines(source, self.done)))

    def _line(self, line: TranslatedLine) -> str:
        """Writes to the files; gives what is for standard output."""
        out = self._outputs
        if line.fell_back:
            self.fell_back.append(line.number)
        if out.forest_file and line.result is not None:
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

    def warnings(self) -> list[str]:
        """What the text was mended of."""
        found = []
        if replaced := self._file.notices.replaced:
            found.append(f"{replaced:,} lines with malformed UTF-8; their bad bytes were replaced")
        if capped := self._translator.raw.capped:
            found.append(f"{capped:,} words that are too long to be any were cut short")
        return [f"{self._file.name}: {text}" for text in found]

    def fell_back_note(self) -> str:
        numbers = ", ".join(f"{number + 1:,}" for number in self.fell_back[:_SHOWN])
        more = ", ..." if len(self.fell_back) > _SHOWN else ""
        count, where = f"{len(self.fell_back):,} lines", f"{numbers}{more}"
        if self._translator.decoder.model.kind == "hiero":
            return (
                f"{count} were too long to be searched as asked, or the grammar does not derive "
                f"them; they were searched with lower limits, or glued of any pieces: {where}"
            )
        return (
            f"{count} were too long to be searched as asked and were translated without "
            f"reordering or with a narrower beam: {where}"
        )


class _Pace:
    """How fast it goes, and how much there may be."""

    def __init__(self, file: LineFile) -> None:
        self._started = time.monotonic()
        self._lines = self._words = self._bytes = 0
        self._size = _plain_size(file)

    def add(self, lines: list[str], source: list[Sentence]) -> None:
        self._lines += len(lines)
        self._words += sum([one.text.count(" ") + 1 for one in source if one.text])
        if self._size:
            self._bytes += sum([len(line.encode()) + 1 for line in lines])

    def total(self) -> int:
        """Lines in all, by the bytes so far; 0 if it cannot be said."""
        if not (self._size and self._bytes):
            return 0
        return max(self._lines, round(self._lines * self._size / self._bytes))

    def remark(self) -> str:
        seconds = max(time.monotonic() - self._started, 1e-9)
        return f"{self._words / seconds:,.0f} words/s"


def _plain_size(file: LineFile) -> int:
    """The bytes of a file that is not compressed, else 0."""
    path = os.fspath(file.path)
    if path == "-" or not os.path.isfile(path) or path.endswith((".gz", ".xz", ".zst")):
        return 0
    return os.path.getsize(path)
