"""A decoder: best translations of many sentences, or records of their searches.

    decoder = Model.load("model").decoder()
    found = decoder.translate(["das ist ein haus"])
    found.text[0], found.scores[0], found.features[0]

The search itself is native (`core/include/demotic/search/`); `phrase.py` and `hiero.py` hold the
differences between the two kinds of models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from demotic import _core
from demotic.lines import split_words
from demotic.native_options import handed
from demotic.search.nbest import Segment
from demotic.search.options import BinOptions, KBestOptions, SearchOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.features.weights import Weights
    from demotic.model import Model
    from demotic.search.record import Candidate, SearchResult

__all__ = ["COPIED", "GLUE", "Decoder", "Record", "Step", "Translations"]

Record = Literal["forest", "bins"]
Progress = Callable[[int, int], None]

COPIED = -1
GLUE = -2


class Step(NamedTuple):
    """A rule applied to source words begin to end; -1 for a copied or dropped word, -2 for glue.

    Steps of phrases are in target order; those of a hierarchical derivation are in pre-order, with
    tails in source order.
    """

    rule: int
    begin: int
    end: int


@dataclass(frozen=True)
class Translations:
    """The best translation of each sentence."""

    decoder: Decoder
    native: _core.Translations

    def __len__(self) -> int:
        return len(self.native.scores)

    @cached_property
    def text(self) -> list[str]:
        """Words joined by spaces."""
        return self.native.text

    @property
    def scores(self) -> NDArray[np.float64]:
        """Weights times features, one score per sentence."""
        return self.native.scores

    @property
    def features(self) -> NDArray[np.float64]:
        """One row of feature values per sentence, in the order of the weights."""
        return self.native.features.reshape(len(self), len(self.decoder.weights))

    @property
    def fell_back(self) -> list[int]:
        """Sentences decoded with a fallback: without reordering, or with a smaller beam."""
        return self.native.fell_back

    def __getitem__(self, sentence: int) -> Candidate:
        """All details of one translation."""
        from demotic.search.record import Candidate

        return Candidate(
            tuple(split_words(self.text[sentence])),
            float(self.scores[sentence]),
            self.features[sentence],
            tuple(self.steps(sentence)),
        )

    def steps(self, sentence: int) -> list[Step]:
        """The derivation."""
        return [Step(*step) for step in self.native.steps(sentence)]

    def links(self, sentence: int) -> list[tuple[int, int]]:
        """Word links from the alignments of the rules."""
        return self.decoder.links(self.steps(sentence))


class Decoder(ABC):
    """A model with search options and weights; immutable and safe to share."""

    def __init__(self, model: Model, options: SearchOptions, weights: Weights) -> None:
        self.model = model
        self.options = options
        self.weights = weights

    @property
    @abstractmethod
    def _native(self) -> _core.PhraseModel | _core.HieroModel: ...

    @abstractmethod
    def _translate(
        self, source: _core.SourceSentences, threads: int, progress: Progress | None
    ) -> _core.Translations: ...

    @abstractmethod
    def _search(
        self,
        source: _core.SourceSentences,
        kind: _core.RecordKind,
        monotone: bool,
        threads: int,
        progress: Progress | None,
    ) -> list[_core.SearchRecord]: ...

    @abstractmethod
    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        """The steps of a derivation whose edges are in pre-order, without the goal."""

    @abstractmethod
    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        """The source words that each step covers, and the target words that it yields."""

    @abstractmethod
    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        """Links of a derivation: those of its rules, and of each copied word with itself."""

    @abstractmethod
    def _kbest(
        self,
        source: _core.SourceSentences,
        options: _core.KBestOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates: ...

    @abstractmethod
    def _bins(
        self,
        source: _core.SourceSentences,
        options: _core.BinOptions,
        threads: int,
        progress: Progress | None,
    ) -> _core.SearchedCandidates: ...

    def sentences(self, lines: Sequence[str]) -> _core.SourceSentences:
        """Tokenised sentences in native form."""
        return _core.SourceSentences(self._native, _listed(lines))

    def kbest(
        self,
        source: _core.SourceSentences,
        k: int,
        *,
        distinct: bool = True,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> _core.SearchedCandidates:
        """The k best translations of every sentence in flat arrays, for learners."""
        options = handed(_core.KBestOptions, KBestOptions(k=k, distinct=distinct))
        return self._kbest(source, options, threads, progress)

    def bins(
        self,
        source: _core.SourceSentences,
        *,
        potential: bool,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> _core.SearchedCandidates:
        """The hypotheses kept in every bin of every sentence, as lists for learners.

        Bins are by covered source words (phrases), or by nonterminal and span (Hiero).
        """
        options = handed(_core.BinOptions, BinOptions(potential=potential))
        return self._bins(source, options, threads, progress)

    def translate(
        self, lines: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> Translations:
        """The best translation of each tokenised sentence."""
        source = self.sentences(lines)
        return Translations(self, self._translate(source, threads, progress))

    def search(
        self,
        lines: Sequence[str],
        *,
        record: Record = "forest",
        monotone: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[SearchResult]:
        """Decodes each tokenised sentence and records its forest, or all bins with what was pruned.

        With `monotone`, also records the best monotone translation of every span (phrases).
        """
        from demotic.search.record import SearchResult

        source = self.sentences(lines)
        kind = _core.RecordKind[record]
        records = self._search(source, kind, monotone, threads, progress)
        return [SearchResult(self, source, i, native) for i, native in enumerate(records)]


def _listed(lines: Sequence[str]) -> list[str]:
    if isinstance(lines, str):
        raise TypeError("expected a list of sentences, got a string; write [sentence]")
    return list(lines)
