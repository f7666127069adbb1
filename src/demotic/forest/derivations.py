"""What algorithms find in a forest: lists of derivations, and the best one along a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demotic.forest.rows import Rows, frozen

__all__ = ["Derivations", "Envelope"]


@dataclass(frozen=True, eq=False, repr=False)
class Derivations:
    """Derivations as edges in pre-order: a head, then the derivations of its tails in order."""

    edges: Rows
    scores: NDArray[np.float64]
    complete: bool = True  # False: the search for distinct ones gave up before it had them all
    examined: int = 0  # by that search, at all nodes together

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", frozen(self.scores, np.float64))
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
    """Derivation i is the best from x = left[i] to left[i + 1]; the first begins at -inf."""

    left: NDArray[np.float64]
    intercept: NDArray[np.float64]
    slope: NDArray[np.float64]
    derivations: Rows

    def __post_init__(self) -> None:
        for name in ("left", "intercept", "slope"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    def __len__(self) -> int:
        return len(self.left)

    def at(self, x: float) -> int:
        """The segment of x; at a break point the one to the right."""
        if len(self) == 0:
            raise IndexError("an envelope without segments")
        return int(np.searchsorted(self.left, x, side="right")) - 1

    def __repr__(self) -> str:
        return f"Envelope({len(self)} segments)"
