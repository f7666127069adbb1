"""The checkpoint of a training run, from which a killed run resumes with the same bits.

`checkpoint.json` holds the position, the dense weights and their sums, and the name of the file
with the sparse table.  The table is written first and the old one is removed last, so that the
table named by `checkpoint.json` is always complete.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from demotic.errors import FormatError
from demotic.lines import write_text

__all__ = ["Checkpoint", "Checkpoints", "Counts"]

_NAME = "checkpoint.json"


@dataclass
class Counts:
    """Counts over the sentences of the epoch so far."""

    sentences: int = 0
    updates: int = 0
    invalid: int = 0
    correct: int = 0
    unpaired: int = 0
    violation: float = 0.0
    seconds: float = 0.0

    def add(self, more: Any, seconds: float) -> None:
        self.sentences += more.sentences
        self.updates += more.updates
        self.invalid += more.invalid
        self.correct += more.correct
        self.unpaired += more.unpaired
        self.violation += more.violation
        self.seconds += seconds


@dataclass
class Checkpoint:
    """A state between two batches."""

    epoch: int
    """Number of finished epochs."""
    position: int
    """Number of finished chunks of the next epoch."""
    weights: list[float]
    sums: list[float]
    rates: list[float]
    steps: int
    counts: Counts = field(default_factory=Counts)
    table: str | None = None


class Checkpoints:
    """The checkpoint of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def table_path(self, state: Checkpoint) -> Path | None:
        return None if state.table is None else self._folder / state.table

    def load(self) -> Checkpoint | None:
        path = self._folder / _NAME
        if not path.exists():
            return None
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            return Checkpoint(**{**values, "counts": Counts(**values["counts"])})
        except (ValueError, KeyError, TypeError):
            raise FormatError(
                "not a checkpoint of training",
                path=str(path),
                expected="the unmodified file",
                advice="remove its folder to start again",
            ) from None

    def save(self, state: Checkpoint, table: Any | None) -> None:
        """`table` has a method save(path)."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if table is not None:
            state.table = f"table-{state.epoch}-{state.position}.bin"
            table.save(str(self._folder / state.table))
        with write_text(self._folder / _NAME) as file:
            json.dump(asdict(state), file)
        for old in self._folder.glob("table-*.bin"):
            if old.name != state.table:
                old.unlink()
