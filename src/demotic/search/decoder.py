"""A decoder: best translations of many sentences, or records of their searches.

    decoder = Model.load("model").decoder()
    found = decoder.translate(["das ist ein haus"])
    found.text[0], found.scores[0], found.features[0]

The search itself is native (`core/include/demotic/search/`); `phrase.py` and `hiero.py` have what
differs between the two kinds of models, `kinds.py` chooses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from demotic import _core
from demotic.errors import ModelError
from demotic.lines import split_words
from demotic.native_options import to_native
from demotic.search.nbest import Segment
from demotic.search.options import BinOptions, KBestOptions, SearchOptions
from demotic.search.sentence import AnnotatedSentence, constraints_of, native_annotations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.features.weights import Weights
    from demotic.model import Model
    from demotic.search.found_forest import FoundForest
    from demotic.search.record import Candidate, SearchResult

__all__ = [
    "COPIED",
    "GIVEN",
    "GLUE",
    "Bins",
    "Decoder",
    "Record",
    "SearchKind",
    "Step",
    "Steps",
    "Translations",
]

Record = Literal["forest", "bins"]
Bins = Literal["partial", "potential"]
Progress = Callable[[int, int], None]

COPIED = -1
GLUE = -2
GIVEN = _core.GIVEN  # minus the number of target words

# Rules on demand that a decoder keeps, about 100 bytes each, before it starts again without any.
MOST_RULES = 1 << 24


class Step(NamedTuple):
    """A rule applied to source words begin to end; -1 for a copied or dropped word, -2 for glue.

    A translation given by the user has GIVEN minus its number of words.
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
        """Weights times features, one number per sentence."""
        return self.native.scores

    @property
    def features(self) -> NDArray[np.float64]:
        """A row of feature values per sentence, in the order of the weights."""
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


class Steps(Protocol):
    """The steps of a derivation, as one kind of search defines them."""

    def __init__(self, model: Model, options: SearchOptions) -> None: ...

    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        """The steps of a derivation whose edges are in pre-order, without the goal."""

    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        """The source words that each step covers, and the target words that it yields."""

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        """Links of a derivation: those of its rules, and of each copied word with itself."""


class SearchKind(NamedTuple):
    """What a kind of search is made of in Python; `search/kinds.h` has the native parts."""

    options: Callable[[SearchOptions], Any]
    searchers: Callable[..., _core.PhraseSearchers | _core.HieroSearchers]
    steps: type[Steps]


class Decoder:
    """A model with search options and weights; immutable and safe to share."""

    def __init__(
        self,
        model: Model,
        native: _core.PhraseModel | _core.HieroModel,
        kind: SearchKind,
        options: SearchOptions,
        weights: Weights,
    ) -> None:
        self.model = model
        self.options = options
        self.weights = weights
        self._native: Any = native
        self._kind = kind
        self._latest: Decoder | None = None
        self._options = kind.options(options)
        steps = kind.steps(model, options)
        self.steps_of, self.segments, self.links = steps.steps_of, steps.segments, steps.links

    def _with_room(self) -> Decoder:
        """This decoder, or an equal one whose rules on demand do not take too much memory.

        Results refer to the decoder that made them, in which rules keep their numbers.
        """
        latest = self._latest or self
        if latest.model.rules.on_demand and len(latest.model.rules) > MOST_RULES:
            latest = latest.model.reopened().decoder(self.options, weights=self.weights)
            self._latest = latest
        return latest

    @cached_property
    def _searchers(self) -> _core.PhraseSearchers | _core.HieroSearchers:
        return self._kind.searchers(self._native, self.weights.doubles, self._options)

    def sentences(self, lines: Sequence[str]) -> _core.SourceSentences:
        """Tokenised sentences in native form, with their annotations (AnnotatedSentence)."""
        given = _listed(lines)
        if not any(isinstance(line, AnnotatedSentence) for line in given):
            return _core.SourceSentences(self._native, given)
        self._check_given(given)
        return _core.SourceSentences(self._native, given, **native_annotations(given))

    def _check_given(self, lines: Sequence[str]) -> None:
        """Refuses probabilities that the score of this model would ignore."""
        if "given" in self.weights:
            return
        for line in lines:
            if any(one.is_weighted for one in constraints_of(line)):
                raise ModelError(
                    "translations with probabilities for a model without the feature `given`",
                    path=self.model.path,
                    expected="translations without probabilities",
                    advice="use the decoder of Model.with_given()",
                )

    def candidates(
        self,
        source: _core.SourceSentences,
        *,
        k: int = 0,
        distinct: bool = True,
        bins: Bins | None = None,
        parts: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
        part: tuple[int, int] | None = None,
    ) -> tuple[_core.SearchedCandidates, _core.SearchedCandidates]:
        """Lists for learners in flat arrays, from one search of every sentence.

        First the `k` best translations of each sentence, then the hypotheses that survived in each
        bin; either is empty unless asked for.  Bins are by number of source words covered (phrases)
        or by nonterminal and span (Hiero).  Their words are those so far ("partial") or with the
        best monotone translation of the rest ("potential").  With `parts` they list their sparse
        features.  `part`: only of the sentences from a first to before a last one.
        """
        kbest_options = bin_options = None
        if k > 0:
            kbest_options = to_native(_core.KBestOptions, KBestOptions(k=k, distinct=distinct))
        if bins is not None:
            chosen = BinOptions(potential=bins == "potential")
            bin_options = to_native(_core.BinOptions, chosen)
        weights = self.weights.array
        native = self._with_room()._native
        lists: tuple[_core.SearchedCandidates, _core.SearchedCandidates] = native.candidates(
            source,
            weights,
            self._options,
            kbest_options,
            bin_options,
            parts,
            threads,
            progress,
            part,
        )
        return lists

    def forests(
        self,
        lines: Sequence[str],
        *,
        density: float = math.inf,
        parts: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[FoundForest]:
        """The forest of each tokenised sentence, pruned to this density, with its target words.

        With `parts` the sparse features of every edge are recorded.
        """
        from demotic.search.found_forest import FoundForest

        found = self.search(lines, parts=parts, threads=threads, progress=progress)
        return [FoundForest.of(one, density) for one in found]

    def texts(
        self, lines: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> list[str]:
        """The words of the best translation of each tokenised sentence, joined by spaces."""
        return self.translate(lines, threads=threads, progress=progress).text

    def translate(
        self,
        lines: Sequence[str],
        *,
        threads: int = 1,
        progress: Progress | None = None,
        stop: _core.StopFlag | None = None,
    ) -> Translations:
        """The best translation of each tokenised sentence.

        With `stop` the search runs on the calling thread, which saves the start of another one
        (about 0.05 ms) but hears of Ctrl-C only in the end; raising the flag ends it with
        KeyboardInterrupt.
        """
        source = self.sentences(lines)
        used = self._with_room()
        if stop is not None:
            return Translations(used, used._searchers.translate_here(source, stop))
        return Translations(used, used._searchers.translate(source, threads, progress))

    def submit(
        self, queue: _core.JobQueue, owner: object, lines: Sequence[str], stop: _core.StopFlag
    ) -> None:
        """Translates tokenised sentences on the threads of a queue, each as a task of its own."""
        source = self.sentences(lines)
        self._with_room()._searchers.submit(queue, owner, source, stop)

    def search(
        self,
        lines: Sequence[str],
        *,
        record: Record = "forest",
        monotone: bool = False,
        parts: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[SearchResult]:
        """Decodes each tokenised sentence and records its forest, or all bins with what was pruned.

        With `monotone` the best monotone translation of every span is kept too (phrases only), with
        `parts` the sparse features of every edge.
        """
        from demotic.search.record import SearchResult

        if monotone and not isinstance(self._native, _core.PhraseModel):
            raise ValueError("only phrase search records monotone translations of spans")
        source = self.sentences(lines)
        kind = _core.RecordKind[record]
        weights = self.weights.array
        used = self._with_room()
        records: list[_core.SearchRecord] = used._native.search(
            source, weights, self._options, kind, monotone, parts, threads, progress
        )
        return [
            SearchResult(used, source, i, native, parts=parts) for i, native in enumerate(records)
        ]


def _listed(lines: Sequence[str]) -> list[str]:
    if isinstance(lines, str):
        raise TypeError("expected a list of sentences, got a string; write [sentence]")
    return list(lines)
