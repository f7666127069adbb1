"""What a decoder has to agree with: all derivations of one sentence, each scored from scratch.

There is one subclass per kind of search.  Derivations are in the kind's own terms: a tuple of
phrases, or a tree of rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from demotic.search import SearchResult, Step

__all__ = ["BruteForce", "Edge", "Part", "Words"]

Words = tuple[str, ...]
Edge = tuple[Hashable, tuple[int, ...]]  # the step, and the nodes that it continues

D = TypeVar("D")


class Part(NamedTuple):
    """One step of a derivation: the source words that it covers and the words that it yields."""

    begin: int
    end: int
    words: Words
    copied: bool


class BruteForce(ABC, Generic[D]):
    """The derivations of one sentence under a model, its weights and the options of a search."""

    words: Words
    weights: Mapping[str, float]

    @abstractmethod
    def derivations(self) -> tuple[list[D], bool]:
        """All derivations, and whether they are those that the search falls back to."""

    @abstractmethod
    def of_steps(self, steps: Sequence[Step]) -> D:
        """The derivation that a decoder reports as these steps."""

    @abstractmethod
    def joined(self, step: Step, tails: Sequence[D]) -> D:
        """A step that continues other derivations."""

    @abstractmethod
    def step_key(self, step: Step) -> Hashable:
        """What identifies a step."""

    @abstractmethod
    def key(self, derivation: D) -> Hashable:
        """What identifies a derivation."""

    @abstractmethod
    def parts(self, derivation: D) -> list[Part]:
        """The steps of a derivation in the order in which decoders report them."""

    @abstractmethod
    def links(self, derivation: D) -> list[tuple[int, int]]:
        """Between positions in both sentences, in target order."""

    @abstractmethod
    def target(self, derivation: D) -> Words:
        """The words that a derivation yields."""

    @abstractmethod
    def features(self, derivation: D, *, complete: bool = True) -> dict[str, float]:
        """All dense features; those of a part of a derivation if it is not complete."""

    @abstractmethod
    def bin(self, derivation: D) -> Hashable:
        """The bin in which a derivation competes."""

    @abstractmethod
    def place(self, derivation: D) -> Hashable:
        """What all derivations of one hypothesis have in common, besides their contexts."""

    @abstractmethod
    def state(self, derivation: D) -> Hashable:
        """All that later scores can depend on: derivations that agree in it are recombined."""

    @abstractmethod
    def is_whole(self, derivation: D) -> bool:
        """Whether it is a derivation of the whole sentence in the bin of the goal."""

    @abstractmethod
    def estimate_of_rest(self, derivation: D) -> float:
        """The future cost of a derivation that is not whole."""

    @abstractmethod
    def proposals(self, survivors: Mapping[int, D]) -> dict[Hashable, set[Edge]]:
        """By bin, all edges that continue the survivors of a search."""

    @abstractmethod
    def bin_names(self, result: SearchResult) -> dict[int, Hashable]:
        """The bins of a record by their numbers, named as by `bin`."""

    def weigh(self, values: Mapping[str, float]) -> float:
        return sum(weight * values[name] for name, weight in self.weights.items())

    def score(self, derivation: D, *, complete: bool = True) -> float:
        return self.weigh(self.features(derivation, complete=complete))

    def future(self, derivation: D) -> float:
        """What a search adds to the score of a derivation in order to compare it with others."""
        if self.is_whole(derivation):
            return self.score(derivation) - self.score(derivation, complete=False)
        return self.estimate_of_rest(derivation)

    def scored(self) -> list[tuple[float, Words]]:
        """Score and yield of all derivations, best first."""
        found = [(self.score(one), self.target(one)) for one in self.derivations()[0]]
        return sorted(found, key=lambda entry: -entry[0])
