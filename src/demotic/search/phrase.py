"""The phrase decoder: best translations of many sentences, or records of their searches.

    decoder = Model.load("model").decoder()
    found = decoder.translate(["das ist ein haus"])
    found.text[0], found.scores[0], found.features[0]

The search itself is native (`core/include/demotic/search/`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.record import SearchResult
    from demotic.weights import Weights

__all__ = ["PhraseDecoder", "Record", "Step", "Translations"]

Record = Literal["forest", "bins"]
Progress = Callable[[int, int], None]

COPIED = -1


class Step(NamedTuple):
    """A rule used on source words begin to end; rule -1: the word was copied or dropped."""

    rule: int
    begin: int
    end: int


@dataclass(frozen=True)
class Translations:
    """The best translation of each sentence."""

    decoder: PhraseDecoder
    native: _core.Translations

    def __len__(self) -> int:
        return len(self.native.scores)

    @cached_property
    def text(self) -> list[str]:
        """Words joined by spaces."""
        return self.native.text

    @property
    def scores(self) -> NDArray[np.float64]:
        """Weights times features, one number a sentence."""
        return self.native.scores

    @property
    def features(self) -> NDArray[np.float64]:
        """A row of feature values a sentence, in the order of the weights."""
        return self.native.features.reshape(len(self), len(self.decoder.weights))

    @property
    def fell_back(self) -> list[int]:
        """Sentences that were too long for unlimited reordering and went without any."""
        return self.native.fell_back

    def steps(self, sentence: int) -> list[Step]:
        """The derivation in the order of the translation."""
        return [Step(*step) for step in self.native.steps(sentence)]

    def links(self, sentence: int) -> list[tuple[int, int]]:
        """Which source word gave which target word, by the rules' own alignments."""
        return self.decoder.links(self.steps(sentence))


class PhraseDecoder:
    """A model with search options and weights; immutable and safe to share."""

    def __init__(self, model: Model, options: SearchOptions, weights: Weights) -> None:
        if model.kind != "phrase":
            raise ModelError(
                f"a model of kind {model.kind}", path=model.path, expected="a phrase model"
            )
        self.model = model
        self.options = options
        self.weights = weights
        self._native = model.native

    def translate(
        self, lines: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> Translations:
        """The best translation of each tokenised sentence."""
        source = _core.SourceSentences(self._native, list(lines))
        found = self._native.translate(
            source, self.weights.array, self.options.native(), threads, progress
        )
        return Translations(self, found)

    def search(
        self,
        lines: Sequence[str],
        *,
        record: Record = "forest",
        monotone: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[SearchResult]:
        """Searches each tokenised sentence and keeps its forest, or its bins with all that died.

        With `monotone` the best monotone translation of every span is kept too.
        """
        from demotic.search.record import SearchResult

        source = _core.SourceSentences(self._native, list(lines))
        kind, options = _core.RecordKind[record], self.options.native()
        records = self._native.search(
            source, self.weights.array, options, kind, monotone, threads, progress
        )
        return [SearchResult(self, source, i, native) for i, native in enumerate(records)]

    def target_words(self, step: Step) -> int:
        """How many target words a step gives."""
        if step.rule == COPIED:
            return 0 if self.options.drop_unknown else 1
        return len(self.model.rules.store.target(step.rule))

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        """Links of a derivation: those of its rules, and of each copied word with itself."""
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


def native_model(model: Model) -> _core.PhraseModel:
    """The model as the core searches it; its language models are opened here, ARPA files too."""
    from demotic.lm import LanguageModel

    language_models = [
        LanguageModel.load(path, marks_may_miss=True).native for path in model.language_models
    ]
    return _core.PhraseModel(model.rules.store, language_models, model.vocabulary)
