"""Translates a text in batches, so that it can be long and output starts early."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from demotic.search.chooser import Chooser, partner_of
from demotic.search.decision import DecisionOptions
from demotic.search.sentence_grammars import Sentence, SentenceGrammars

if TYPE_CHECKING:
    from demotic.lines import Lines
    from demotic.search.decoder import Decoder
    from demotic.search.record import Candidate, SearchResult
    from demotic.search.text import RawText

__all__ = ["LineTranslator", "PreparesLines", "TranslatedLine", "timed_batches"]

_PATIENCE = 2.0  # target duration of a batch in seconds; each starts with empty caches
_MOST = 1 << 14  # lines
_STEP = 32.0  # maximum ratio of the sizes of consecutive batches


def timed_batches(chunks: Iterable[Lines], *, first: int, most: int = _MOST) -> Iterator[list[str]]:
    """Lines in batches: small ones first, then as large as two seconds allow.

    A batch never waits for the next chunk, so that a typed or piped line is translated at once.
    """
    size = min(first, most)
    for chunk in chunks:
        lines = chunk.tolist()
        begin = 0
        while begin < len(lines):
            started = time.monotonic()
            batch = lines[begin : begin + size]
            yield batch
            begin += len(batch)
            if len(batch) == size:
                factor = _PATIENCE / max(time.monotonic() - started, 1e-9)
                size = max(1, min(most, int(size * min(_STEP, max(1 / _STEP, factor)))))


class PreparesLines(Protocol):
    """Turns lines into tokens with constraints, such as those of markup and glossaries."""

    @property
    def reads_xml(self) -> bool:
        """Whether XML words are markup instead of text."""
        ...

    def prepared(self, raw: RawText, line: str, number: int = 0, name: str = "the text") -> str: ...


@dataclass(frozen=True)
class TranslatedLine:
    """The result for one line; the best candidate comes first."""

    number: int  # from 0
    source: str  # tokens
    candidates: Sequence[Candidate]
    fell_back: bool
    decoder: Decoder  # whose rules the candidates use
    result: SearchResult | None = None  # if the search was recorded


@dataclass(frozen=True)
class LineTranslator:
    """Translates batches of lines, recording as much of the search as needed."""

    decoder: Decoder
    raw: RawText
    threads: int = 1
    nbest: int = 1
    distinct: bool = False
    record: bool = False
    grammars: SentenceGrammars | None = None  # None: <seg> markup is text
    constraints: PreparesLines | None = None
    decision: DecisionOptions = field(default_factory=DecisionOptions)
    partner: Decoder | None = None  # of the model with which this one decides together

    def deciding(self, decision: DecisionOptions) -> LineTranslator:
        """The translator with another decision rule."""
        return replace(self, decision=decision, partner=partner_of(self.decoder, decision))

    @property
    def records(self) -> bool:
        """Whether searches are recorded, which takes more time and memory."""
        return self.record or self.nbest > 1 or self.decision.needs_forest

    def prepared(
        self, lines: Sequence[str], number: int = 0, name: str = "the text"
    ) -> list[Sentence]:
        """`number` is that of the first line, from 0; errors name it and the file `name`."""
        read = [
            Sentence(line) if self.grammars is None else self.grammars.read(line) for line in lines
        ]
        if self.constraints is None:
            return [one._replace(text=self.raw.prepared(one.text)) for one in read]
        prepare = self.constraints.prepared
        return [
            one._replace(text=prepare(self.raw, one.text, number + i, name))
            for i, one in enumerate(read)
        ]

    def texts(self, source: Sequence[Sentence]) -> tuple[list[str], list[int]]:
        """The translations of prepared lines, and the lines decoded with a fallback."""
        texts: list[str] = []
        fell_back: list[int] = []
        if self.records:
            lines = list(self.lines(source))
            texts = [line.candidates[0].text for line in lines]
            fell_back = [line.number for line in lines if line.fell_back]
            return self._restored(texts, source), fell_back
        for decoder, part in self._parts(source):
            found = decoder.translate(part, threads=self.threads)
            fell_back += [len(texts) + i for i in found.fell_back]
            texts += found.text
        return self._restored(texts, source), fell_back

    def _restored(self, texts: Sequence[str], source: Sequence[Sentence]) -> list[str]:
        lines = (one.text for one in source)
        return [self.raw.restored(*pair) for pair in zip(texts, lines, strict=True)]

    def lines(self, source: Sequence[Sentence], number: int = 0) -> Iterator[TranslatedLine]:
        """All details of the translations; `number` is that of the first line."""
        for decoder, part in self._parts(source):
            yield from self._lines(decoder, part, number)
            number += len(part)

    def _parts(self, source: Sequence[Sentence]) -> Iterator[tuple[Decoder, list[str]]]:
        """Consecutive lines with the same rules."""
        for grammar, part in groupby(source, lambda sentence: sentence.grammar):
            own = self.grammars.decoder(grammar) if self.grammars and grammar else self.decoder
            yield own, [sentence.text for sentence in part]

    def _lines(
        self, decoder: Decoder, source: Sequence[str], number: int
    ) -> Iterator[TranslatedLine]:
        chooser = Chooser(decoder, self.decision, self.partner, self.threads)
        found = chooser.choose(source, nbest=self.nbest, distinct=self.distinct, record=self.record)
        for i, one in enumerate(found):
            yield TranslatedLine(
                number + i, source[i], one.candidates, one.fell_back, one.decoder, one.result
            )
