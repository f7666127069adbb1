"""Forced decoding of a corpus, and how much of it is reachable.

With R references per sentence, the source is copied for each (Liu & Huang 2014, section 5.4): pair
i * R + r is sentence i with its reference r.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.force.options import ForceOptions
from demotic.lines import PathLike, split_words
from demotic.model import Model
from demotic.search.decoder import Progress

if TYPE_CHECKING:
    from demotic.workers import Shard

__all__ = ["ForcedArrays", "Reachability", "as_pairs", "force"]


@dataclass(frozen=True, eq=False)
class ForcedArrays:
    """What the core returns, put together from parts of the pairs."""

    outcome: NDArray[np.uint8]
    cause: NDArray[np.uint8]
    source_words: NDArray[np.int32]
    target_words: NDArray[np.int32]
    derivations: NDArray[np.float64]
    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reachability:
    """The result for every pair; arrays have one value per pair."""

    options: ForceOptions
    sources: list[str]
    references: list[str]
    copies: int
    """References per sentence; sources are repeated for them."""
    native: _core.ForcedPairs | ForcedArrays

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Source words of each pair."""
        return np.array([len(split_words(line)) for line in self.sources], dtype=np.int64)

    @property
    def reachable(self) -> NDArray[np.bool_]:
        """Whole pairs that are reachable."""
        return self._is(_core.Outcome.reachable)

    @property
    def prefix(self) -> NDArray[np.bool_]:
        """Unreachable pairs with a reachable prefix that is long enough."""
        return self._is(_core.Outcome.prefix)

    @property
    def undecided(self) -> NDArray[np.bool_]:
        return self._is(_core.Outcome.undecided)

    @property
    def derivations(self) -> NDArray[np.float64]:
        """Number of derivations of the pair or of its longest reachable prefix; rounded."""
        return self.native.derivations

    @property
    def source_words(self) -> NDArray[np.int32]:
        """Length of the pair or of its longest reachable prefix; 0 if there is none."""
        return self.native.source_words

    @property
    def target_words(self) -> NDArray[np.int32]:
        return self.native.target_words

    def cause(self, name: str) -> NDArray[np.bool_]:
        """Pairs that are unreachable because of it; see `tables.CAUSES`."""
        return np.equal(self.native.cause, _core.Cause[name].value)

    def _is(self, outcome: _core.Outcome) -> NDArray[np.bool_]:
        return np.equal(self.native.outcome, outcome.value)

    def __repr__(self) -> str:
        share = 100 * self.reachable.mean() if len(self) else 0.0
        return f"Reachability({len(self):,} pairs, {share:.1f} % reachable)"


def as_pairs(
    sources: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[list[str], list[str], int]:
    """Sentences and references of all pairs, and the number of references per sentence."""
    if len(sources) != len(references):
        raise ValueError(f"{len(sources)} sentences, but references for {len(references)}")
    copies = len(references[0]) if references else 1
    if any(len(row) != copies for row in references):
        raise ValueError("sentences with different numbers of references")
    repeated = [line for line in sources for _ in range(copies)]
    return repeated, [line for row in references for line in row], copies


def force(
    model: Model,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    options: ForceOptions | None = None,
    *,
    path: PathLike | None = None,
    leave_one_out: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
    shard: Shard | None = None,
) -> Reachability:
    """Decodes tokenised sentences with a list of references each; forests are written to `path`.

    `leave_one_out`: the sentences are the model's training data, in the same order; rules seen in
    only one pair are not used for that pair.  `shard`: only its pairs are decoded.
    """
    model.rules.require_table("demotic force")
    repeated, flat, copies = as_pairs(sources, references)
    numbers = [i for i in range(len(sources)) for _ in range(copies)] if leave_one_out else []
    options = options or ForceOptions.for_model(model)
    if model.kind == "hiero" and options.prefixes != "none":
        raise ModelError(
            "prefixes of pairs for a Hiero model",
            path=model.path,
            expected="a phrase model, whose derivations are built left to right",
            advice="omit --prefixes",
        )
    pairs = _core.SourceSentences(model.native, repeated, flat, [], numbers)
    file = None if path is None else os.fspath(path)
    whole = range(len(repeated)) if shard is None else shard.part(len(repeated))
    part = (whole.start, whole.stop)
    found = _core.force_corpus(model.native, options.native(), pairs, file, threads, progress, part)
    return Reachability(options, repeated, flat, copies, found)
