"""The beam of a recorded search: for every bin, its hypotheses by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demotic.explain.bins import RankedBins
from demotic.explain.explanation import BinMember
from demotic.lines import split_words
from demotic.report.beam_grid import BeamCell, BeamColumn

if TYPE_CHECKING:
    from demotic.search import SearchResult

__all__ = ["Beam", "BeamBin", "beam_of", "columns_of"]

_ROWS = 30  # hypotheses shown per bin


@dataclass(frozen=True)
class BeamHypothesis:
    """A hypothesis of a bin, and how many derivations recombination has merged into it."""

    member: BinMember
    behind: float  # points behind the best of its bin
    merged: int
    agrees: bool  # with the reference: a beginning of it (phrases), or a part of it (Hiero)


@dataclass(frozen=True)
class BeamBin:
    """The best hypotheses of a bin, and those of the winner."""

    name: str
    entered: int
    survived: int
    hypotheses: tuple[BeamHypothesis, ...]


@dataclass(frozen=True)
class Beam:
    """All bins, or for Hiero those of the winner's parts."""

    kind: str
    translation: tuple[str, ...]
    score: float
    bins: tuple[BeamBin, ...]
    fell_back: bool


def beam_of(result: SearchResult, reference: str = "", *, rows: int = _ROWS) -> Beam:
    """Of a search with record="bins"; the reference is tokenised."""
    best = result.forest.viterbi(result.edge_scores)
    (candidate,) = result.candidates(best)
    ranked = RankedBins(result, best[0])
    merged = np.diff(result.forest.edge_offsets)
    words, phrases = split_words(reference), result.decoder.model.kind == "phrase"
    bins = []
    for number, nodes in ranked.ranked():
        winners = [node for node in nodes[rows:] if ranked.state(node) == "winner"]
        members = [(node, ranked.member(number, node)) for node in [*nodes[:rows], *winners]]
        top = members[0][1].total if members else 0.0
        shown = tuple(
            BeamHypothesis(
                one,
                top - one.total,
                int(merged[node]),
                bool(words) and _agrees(split_words(one.text), words, phrases),
            )
            for node, one in members
        )
        kept = sum(map(ranked.is_alive, nodes))
        bins.append(BeamBin(result.bin_name(number), len(nodes), kept, shown))
    kind = result.decoder.model.kind
    return Beam(kind, candidate.words, candidate.score, tuple(bins), result.fell_back)


def _agrees(words: Sequence[str], reference: Sequence[str], prefix: bool) -> bool:
    size = len(words)
    begins = [0] if prefix else range(len(reference) - size + 1)
    return any(reference[i : i + size] == words for i in begins)


def columns_of(beam: Beam) -> list[BeamColumn]:
    """The beam as a drawing shows it."""
    return [
        BeamColumn(
            one.name,
            one.entered,
            one.survived,
            [
                BeamCell(
                    hypothesis.member.rank,
                    hypothesis.behind,
                    _state(hypothesis.member),
                    hypothesis.merged,
                    hypothesis.agrees,
                    hypothesis.member.text,
                )
                for hypothesis in one.hypotheses
            ],
        )
        for one in beam.bins
    ]


def _state(member: BinMember) -> str:
    if member.winner:
        return "winner"
    return "goal" if member.reaches_goal else "alive" if member.alive else "dead"
