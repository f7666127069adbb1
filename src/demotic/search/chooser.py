"""Searches and chooses translations: by one model, or by two that decide together.

Everything that translates text uses it, so that lines, documents, texts with tags and the server
give the same translations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from demotic.search.decision import DecisionOptions, decide

if TYPE_CHECKING:
    from demotic._core import StopFlag
    from demotic.search.decoder import Decoder
    from demotic.search.record import Candidate, SearchResult

__all__ = ["Chooser", "Chosen", "Stop", "partner_of"]

_RECORDED = 16  # sentences per thread whose searches are in memory


class Stop(Protocol):
    """Ends work early: searches that are recorded call it, others look at the flag."""

    flag: StopFlag

    def __call__(self, _done: int = 0, _total: int = 0) -> None: ...


class Chosen(NamedTuple):
    """The translations of one sentence: the chosen one, then others by the score of the model."""

    candidates: Sequence[Candidate]
    decoder: Decoder  # whose rules the chosen one uses: that of the model or of its partner
    fell_back: bool
    result: SearchResult | None = None  # the search that has the chosen one, if it was recorded

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


def partner_of(decoder: Decoder, decision: DecisionOptions) -> Decoder | None:
    """The decoder of the model with which that of `decoder` decides together, if it does."""
    if decision.decision != "combined":
        return None
    partner = decoder.model.partner
    assert partner is not None  # DecisionOptions.for_model has refused it
    return (partner.with_given() if "given" in decoder.weights else partner).decoder()


@dataclass(frozen=True)
class Chooser:
    """A decoder with a decision rule; immutable and safe to share."""

    decoder: Decoder
    decision: DecisionOptions = field(default_factory=DecisionOptions)
    partner: Decoder | None = None
    threads: int = 1

    @classmethod
    def of(cls, decoder: Decoder, decision: DecisionOptions, *, threads: int = 1) -> Chooser:
        return cls(decoder, decision, partner_of(decoder, decision), threads)

    def choose(
        self,
        lines: Sequence[str],
        *,
        nbest: int = 1,
        distinct: bool = False,
        record: bool = False,
        stop: Stop | None = None,
    ) -> Iterator[Chosen]:
        """The `nbest` translations of each tokenised sentence; `record` keeps its search."""
        if not (record or nbest > 1 or self.decision.needs_forest):
            flag = None if stop is None else stop.flag
            found = self.decoder.translate(lines, threads=self.threads, stop=flag)
            fell_back = set(found.fell_back)
            for i in range(len(lines)):
                yield Chosen([found[i]], self.decoder, i in fell_back)
            return
        size = _RECORDED * self.threads
        for begin in range(0, len(lines), size):
            for results in self._searches(lines[begin : begin + size], stop):
                yield self._chosen(results, nbest, distinct)

    def _searches(
        self, lines: Sequence[str], stop: Stop | None
    ) -> Iterator[tuple[SearchResult, ...]]:
        """By sentence, the search of each model."""
        decoders = [self.decoder] if self.partner is None else [self.decoder, self.partner]
        found = []
        for one in decoders:
            if stop is not None:
                stop()  # a short search does not call it
            found.append(one.search(lines, threads=self.threads, progress=stop))
        return zip(*found, strict=True)

    def _chosen(self, results: Sequence[SearchResult], nbest: int, distinct: bool) -> Chosen:
        result, *partners = results
        if self.decision.decision == "map":
            candidates = result.kbest(nbest, distinct=distinct)
            return Chosen(candidates, self.decoder, result.fell_back, result)
        if partners:
            from demotic.search.combination import combined

            winner, best = combined(result, partners[0], self.decision)
        else:
            winner, best = result, decide(result, self.decision)
        listed = result.kbest(nbest, distinct=True) if nbest > 1 else []
        others = [one for one in listed if one.words != best.words]
        candidates = [best, *others][:nbest]
        return Chosen(candidates, winner.decoder, result.fell_back, winner)
