"""The phrase decoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import COPIED, Decoder, Progress, Step
from demotic.search.nbest import Segment
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.features.weights import Weights
    from demotic.model import Model

__all__ = ["PhraseDecoder"]


class PhraseDecoder(Decoder):
    """Phrases in any order within the distortion limit."""

    def __init__(
        self, model: Model, native: _core.PhraseModel, options: SearchOptions, weights: Weights
    ) -> None:
        super().__init__(model, options, weights)
        self._model = native
        self._options = options.phrase()

    @cached_property
    def _searchers(self) -> _core.PhraseSearchers:
        return _core.PhraseSearchers(self._model, self.weights.array, self._options)

    @property
    def _native(self) -> _core.PhraseModel:
        return self._model

    def _translate(
        self, source: _core.SourceSentences, threads: int, progress: Progress | None
    ) -> _core.Translations:
        return self._searchers.translate(source, threads, progress)

    def _search(
        self,
        source: _core.SourceSentences,
        kind: _core.RecordKind,
        monotone: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[_core.SearchRecord]:
        weights = self.weights.array
        return self._model.search(source, weights, self._options, kind, monotone, threads, progress)

    def _kbest(
        self,
        source: _core.SourceSentences,
        options: _core.KBestOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates:
        weights = self.weights.array
        return self._model.kbest(source, weights, self._options, options, threads, progress)

    def _bins(
        self,
        source: _core.SourceSentences,
        options: _core.BinOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates:
        weights = self.weights.array
        return self._model.bins(source, weights, self._options, options, threads, progress)

    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        return list(map(Step, reversed(rules), reversed(begins), reversed(ends)))

    def target_words(self, step: Step) -> int:
        """The number of target words of a step."""
        if step.rule == COPIED:
            return 0 if self.options.drop_unknown else 1
        return len(self.model.rules.store.target(step.rule))

    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        segments, position = [], 0
        for step in steps:
            end = position + self.target_words(step)
            segments.append(Segment((step.begin, step.end), (position, end)))
            position = end
        return segments

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        links, position = [], 0
        for step in steps:
            words = self.target_words(step)
            if step.rule == COPIED:
                links += [(step.begin, position)] * words
            else:
                links += [
                    (step.begin + source, position + target)
                    for source, target in self.model.rules.store.links(step.rule)
                ]
            position += words
        return sorted(links)
