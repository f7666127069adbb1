"""Results of algorithms on forests: lists of derivations, and envelopes along a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demotic.forest.rows import Rows, readonly_array

__all__ = ["Derivations", "Envelope"]


@dataclass(frozen=True, eq=False, repr=False)
class Derivations:
    """Derivations as edges in pre-order: an edge, then the derivations of its tails in order."""

    edges: Rows
    scores: NDArray[np.float64]
    complete: bool = True  # False if the search for distinct yields stopped at its limit
    examined: int = 0  # derivations examined by that search, over all nodes

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", readonly_array(self.scores, np.float64))
        if len(self.scores) != len(self.edges):
            raise ValueError(f"{len(self.scores)} scores for {len(self.edges)} derivations")

    def __len__(self) -> int:
        return len(self.edges)

    def __getitem__(self, rank: int) -> NDArray[np.int32]:
        return self.edges[rank]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return iter(self.edges)

    def __repr__(self) -> str:
        best = f", best {self.scores[0]:g}" if len(self) else ""
        return f"Derivations({len(self)}{best}{'' if self.complete else ', incomplete'})"


@dataclass(frozen=True, eq=False, repr=False)
class Envelope:
    """Derivation i is the best from x = left[i] to left[i + 1]; left[0] is -inf."""

    left: NDArray[np.float64]
    intercept: NDArray[np.float64]
    slope: NDArray[np.float64]
    derivations: Rows

    def __post_init__(self) -> None:
        for name in ("left", "intercept", "slope"):
            object.__setattr__(self, name, readonly_array(getattr(self, name), np.float64))

    def __len__(self) -> int:
        return len(self.left)

    def at(self, x: float) -> int:
        """The segment of x; at a boundary, the one to its right."""
        if len(self) == 0:
            raise IndexError("an envelope without segments")
        return int(np.searchsorted(self.left, x, side="right")) - 1

    def __repr__(self) -> str:
        return f"Envelope({len(self)} segments)"
