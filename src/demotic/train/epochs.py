"""The learning curve of a training run: one JSON object per epoch, in `epochs.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from demotic.learn.journal import read_keyed
from demotic.lines import write_text

__all__ = ["Curve", "Epoch", "LengthControl", "best_epoch"]

_NAME = "epochs.jsonl"


@dataclass(frozen=True, kw_only=True)
class LengthControl:
    """How the word penalty was adjusted to give translations of the dev set a wanted length."""

    wanted: float
    """Length ratio to the references."""
    ratio_before: float
    penalty_before: float
    penalty: float


@dataclass(frozen=True, kw_only=True)
class Epoch:
    """One pass over the training pairs, and the quality of the weights after it."""

    number: int
    score: float
    """The metric on the dev set, with the weights that would be kept."""
    length_ratio: float
    sentences: int
    updates: int
    invalid: int
    """Sentences whose chosen gold derivation scored above the bad one."""
    correct: int
    """Sentences whose 1-best was the reference."""
    unpaired: int
    """Sentences with no bin that holds both a gold and a bad derivation."""
    violation: float
    """Mean over the updates."""
    features: int
    """Sparse features that have a weight."""
    seconds: float
    length: LengthControl | None = None
    """None if the word penalty was not adjusted."""

    @classmethod
    def start(cls, score: float, length_ratio: float, features: int) -> Epoch:
        """Epoch 0: the model before training."""
        return cls(
            number=0,
            score=score,
            length_ratio=length_ratio,
            sentences=0,
            updates=0,
            invalid=0,
            correct=0,
            unpaired=0,
            violation=0.0,
            features=features,
            seconds=0.0,
        )

    @classmethod
    def read(cls, values: dict[str, Any]) -> Epoch:
        """From the values of a JSON object."""
        length = values.get("length")
        return cls(**{**values, "length": None if length is None else LengthControl(**length)})

    @property
    def invalid_ratio(self) -> float:
        """The share of invalid updates among sentences for which a bin was chosen."""
        chosen = self.sentences - self.correct - self.unpaired
        return self.invalid / chosen if chosen else 0.0


class Curve:
    """The epochs so far; without a folder nothing is stored."""

    def __init__(self, folder: Path | None, key: str, *, higher_is_better: bool = True) -> None:
        self._higher_is_better = higher_is_better
        self._path = None if folder is None else folder / _NAME
        self._key = key
        self.epochs: list[Epoch] = []
        if self._path is not None:
            self.epochs = read_keyed(self._path, key, Epoch.read, "training")

    def add(self, epoch: Epoch) -> None:
        self.epochs.append(epoch)
        if self._path is None:
            return
        with write_text(self._path) as file:
            for values in ({"key": self._key}, *map(asdict, self.epochs)):
                file.write(json.dumps(values) + "\n")

    def cut(self, epochs: int) -> None:
        """Removes epochs that are not covered by a checkpoint."""
        del self.epochs[epochs:]

    @property
    def best(self) -> Epoch:
        """The first of the best epochs."""
        return best_epoch(self.epochs, higher_is_better=self._higher_is_better)


def best_epoch(epochs: Sequence[Epoch], *, higher_is_better: bool) -> Epoch:
    """The first of the best."""
    chosen = max if higher_is_better else min
    return chosen(epochs, key=lambda one: one.score)
