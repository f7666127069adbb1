"""A text translated piece by piece, so that it can be long and its reader need not wait."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from demotic.lines import Lines
from demotic.search.decoder import Decoder
from demotic.search.record import Candidate, SearchResult
from demotic.search.text import RawText

__all__ = ["LineTranslator", "TranslatedLine", "paced"]

_PATIENCE = 2.0  # seconds that a batch should take: each begins with empty caches
_MOST = 1 << 14  # lines
_STEP = 32.0  # how much larger or smaller than the one before a batch may be


def paced(chunks: Iterable[Lines], *, first: int, most: int = _MOST) -> Iterator[list[str]]:
    """Lines in batches: small ones first, then as large as can be done in two seconds.

    A batch never waits for the next chunk, so that a line typed or piped is answered at once.
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


@dataclass(frozen=True)
class TranslatedLine:
    """What was found for one line; the best candidate comes first."""

    number: int  # from 0
    source: str  # tokens
    candidates: Sequence[Candidate]
    fell_back: bool
    result: SearchResult | None = None  # if the search was recorded


@dataclass(frozen=True)
class LineTranslator:
    """Translates batches of lines, with as much of the search kept as is needed."""

    decoder: Decoder
    raw: RawText
    threads: int = 1
    nbest: int = 1
    distinct: bool = False
    record: bool = False

    def prepared(self, lines: Sequence[str]) -> list[str]:
        return [self.raw.prepared(line) for line in lines]

    def texts(self, source: Sequence[str]) -> tuple[list[str], list[int]]:
        """The translations of prepared lines, and which of them went without reordering."""
        found = self.decoder.translate(source, threads=self.threads)
        return [self.raw.restored(text) for text in found.text], found.fell_back

    def lines(self, source: Sequence[str], number: int = 0) -> Iterator[TranslatedLine]:
        """All that is known about the translations; `number` is that of the first line."""
        if not (self.record or self.nbest > 1):
            found = self.decoder.translate(source, threads=self.threads)
            fell_back = set(found.fell_back)
            for i, text in enumerate(source):
                yield TranslatedLine(number + i, text, [found[i]], i in fell_back)
            return
        results = self.decoder.search(source, threads=self.threads)
        for i, result in enumerate(results):
            candidates = result.kbest(self.nbest, distinct=self.distinct)
            yield TranslatedLine(number + i, source[i], candidates, result.fell_back, result)
