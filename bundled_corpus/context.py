"""What every grammar rule draws from: a random source, and the lexicon weighted for one split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .lexicon import Adjective, Disposal, Entry, Frame, Lexicon, Name, Noun, Place
from .random_source import RandomSource
from .trees import Tree
from .wording import Target

E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class Phrase:
    """A source tree and the wordings of its translation."""

    tree: Tree
    target: Target


@dataclass(frozen=True)
class Context:
    """Draws entries by class; `held_weight` is the weight of held-out entries (0: never drawn)."""

    rng: RandomSource
    lexicon: Lexicon
    held_weight: float
    _pools: dict[tuple[str, tuple[str, ...]], tuple[list[int], list[float]]] = field(
        default_factory=dict
    )

    def noun(self, *classes: str) -> Noun:
        return self._draw("noun", self.lexicon.nouns, classes)

    def name(self, *kinds: str) -> Name:
        return self._draw("name", self.lexicon.names, kinds)

    def place(self, *classes: str) -> Place:
        return self._draw("place", self.lexicon.places, classes)

    def frame(self, *uses: str) -> Frame:
        return self._draw("frame", self.lexicon.frames, uses)

    def disposal(self, use: str) -> Disposal:
        return self._draw("disposal", self.lexicon.disposals, (use,))

    def time(self, *when: str) -> Entry:
        return self._draw("time", self.lexicon.times, when)

    def adjective(self, use: str, classes: Sequence[str]) -> Adjective | None:
        """An adjective for the use and for a noun of one of the classes, if there is one."""
        fitting = [
            adjective
            for adjective in self.lexicon.adjectives
            if use in adjective.uses and any(c in classes for c in adjective.classes)
        ]
        return self.rng.choice(fitting) if fitting else None

    def _draw(self, table: str, entries: Sequence[E], classes: tuple[str, ...]) -> E:
        key = (table, classes)
        if key not in self._pools:
            fitting = [
                i for i, entry in enumerate(entries) if any(c in entry.classes for c in classes)
            ]
            if not fitting:
                raise LookupError(f"no {table} of the classes {', '.join(classes)}")
            weights = [self.held_weight if entries[i].held else 1.0 for i in fitting]
            self._pools[key] = (fitting, weights)
        return entries[self.rng.weighted(*self._pools[key])]
