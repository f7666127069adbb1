"""Posterior probabilities of the words of a translation, from the forest of its search.

A derivation d has p(d) proportional to exp(scale * score(d)).  The posterior of a target word w
that is linked to source word s is the probability that the rule which translates s yields w: the
sum of the posteriors of all edges that cover s and have w on their target side.  Every derivation
translates s by exactly one rule, so this is a probability.  Of several links the one with the
highest counts; a word without links counts as linked to all words that its rule covers.  A copied
unknown word has no alternatives, so that its posterior of 1 tells nothing; such words are marked.

Word posteriors from the search space: Ueffing & Ney 2007, "Word-level confidence estimation for
machine translation", Computational Linguistics 33(1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic.search.decoder import COPIED

if TYPE_CHECKING:
    from demotic.forest import Forest
    from demotic.search.nbest import Segment
    from demotic.search.record import Candidate, SearchResult

__all__ = ["WordPosteriors", "source_places", "word_posteriors"]


class WordPosteriors(NamedTuple):
    """Of the words of one translation."""

    words: tuple[str, ...]
    posteriors: NDArray[np.float64]  # a row per scale, a column per word
    copied: NDArray[np.bool_]  # unknown words that were copied


def word_posteriors(
    result: SearchResult, scales: Sequence[float], candidate: Candidate | None = None
) -> WordPosteriors:
    """Of the best translation, or of another candidate from the forest."""
    forest, scores = result.forest, result.edge_scores
    if candidate is None:
        candidate = next(iter(result.candidates(forest.viterbi(scores))), None)
    if candidate is None or not candidate.words:
        return WordPosteriors((), np.zeros((len(scales), 0)), np.zeros(0, np.bool_))
    decoder, steps = result.decoder, candidate.steps
    words = _ids(result, candidate)
    segments = decoder.segments(steps)
    places = source_places(decoder.links(steps), segments, len(words))
    copied = np.zeros(len(words), np.bool_)
    for step, segment in zip(steps, segments, strict=True):
        copied[slice(*segment.target)] |= step.rule == COPIED
    agreeing = _Agreement(forest, words, gaps=decoder.model.kind == "hiero")
    posteriors = np.stack([forest.edge_posteriors(scale * scores) for scale in scales])
    columns = [
        np.max([posteriors[:, agreeing.edges(word, s)].sum(axis=1) for s in linked], axis=0)
        for word, linked in zip(words.tolist(), places, strict=True)
    ]
    return WordPosteriors(candidate.words, np.minimum(np.stack(columns, axis=1), 1.0), copied)


def _ids(result: SearchResult, candidate: Candidate) -> NDArray[np.int64]:
    symbols = np.unique(result.forest.edge_target.values)
    symbols = symbols[symbols >= 0]
    known = dict(zip(result.spelled(symbols.tolist()), symbols.tolist(), strict=True))
    return np.array([known[word] for word in candidate.words])


def source_places(
    links: Sequence[tuple[int, int]], segments: Sequence[Segment], words: int
) -> list[list[int]]:
    """The source words of each target word: those linked to it, else all of its segment."""
    places: list[list[int]] = [[] for _ in range(words)]
    for source, target in links:
        places[target].append(source)
    # Segments of a hierarchical derivation are in pre-order: inner ones come later.
    inner: list[Segment | None] = [None] * words
    for segment in segments:
        inner[slice(*segment.target)] = [segment] * (segment.target[1] - segment.target[0])
    for own, within in zip(places, inner, strict=True):
        if not own and within is not None:
            own.extend(range(*within.source))
    return places


class _Agreement:
    """Finds the edges that yield a word and cover a source position."""

    def __init__(self, forest: Forest, words: NDArray[np.int64], *, gaps: bool) -> None:
        target = forest.edge_target
        edges = np.repeat(np.arange(forest.edges), np.diff(target.offsets))
        chosen = np.flatnonzero(np.isin(target.values, words))
        # An edge that yields a word twice agrees once.
        pairs = np.unique(target.values[chosen].astype(np.int64) * forest.edges + edges[chosen])
        self._words, self._edges = np.divmod(pairs, max(1, forest.edges))
        self._begin, self._end = forest.edge_begin, forest.edge_end
        self._forest = forest if gaps else None

    def edges(self, word: int, place: int) -> NDArray[np.intp]:
        """A rule with gaps does not cover the words in them."""
        first, last = np.searchsorted(self._words, [word, word + 1])
        edges: NDArray[np.intp] = self._edges[first:last]
        edges = edges[(self._begin[edges] <= place) & (place < self._end[edges])]
        if self._forest is not None:
            edges = edges[~self._in_gaps(self._forest, edges, place)]
        return edges

    def _in_gaps(self, forest: Forest, edges: NDArray[np.intp], place: int) -> NDArray[np.bool_]:
        """A node has the span of any of its edges."""
        found = np.zeros(len(edges), np.bool_)
        begins, ends = forest.tail_offsets[edges], forest.tail_offsets[edges + 1]
        for tail in range(int(np.max(ends - begins, initial=0))):
            has = np.flatnonzero(begins + tail < ends)
            first = forest.edge_offsets[forest.tails[begins[has] + tail]]
            found[has] |= (self._begin[first] <= place) & (place < self._end[first])
        return found
