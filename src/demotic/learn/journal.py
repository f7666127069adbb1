"""What the rounds of tuning leave on disk: a line a round, and the evidence so far.

`rounds.jsonl` has a JSON object a round; its first line says what the run depends on, by hash.
`pool.npz` is the evidence after the last of them.  Each is written under another name and renamed,
the pool first, so that a run that was killed goes on from the last whole round.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demotic.errors import Error
from demotic.learn.evidence import Pool

__all__ = ["Journal", "Round"]

_ARRAYS = ("offsets", "dense", "statistics", "keys", "sentences", "strings")


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round: the weights that were searched with, and those that were learnt from it."""

    number: int
    weights: NDArray[np.float64]
    score: float
    """BLEU of the tuning set by search with `weights`."""
    next_weights: NDArray[np.float64]
    pool_candidates: int
    pool_score: float
    """BLEU of the best candidates of the pool under the new weights."""
    change: float
    """The largest move of a weight, at unit L1 norm."""
    refused: bool = False
    """The update was not finite: the weights stayed."""
    stopped: bool = False
    """Nothing new, or nothing moved."""
    next_score: float | None = None
    """BLEU by search with `next_weights`; of the last round only."""


class Journal:
    """The files of one run; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._rounds: list[Round] = []
        self._key = ""

    def begin(self, settings: dict[str, object]) -> tuple[list[Round], Pool | None]:
        """The rounds that were done before with the same settings, and their evidence."""
        text = json.dumps(settings, sort_keys=True)
        self._key = hashlib.sha256(text.encode()).hexdigest()
        if self._folder is None or not self._path.exists():
            return [], None
        first, *lines = self._path.read_text(encoding="utf-8").splitlines()
        if json.loads(first).get("key") != self._key:
            raise Error(
                "a run with other settings, texts or weights",
                path=str(self._path),
                expected="the same command as before, or an empty folder",
                advice="choose another folder for the result, or remove this one",
            )
        self._rounds = [_parsed(json.loads(line)) for line in lines]
        pool = self._read_pool() if self._rounds else None
        return list(self._rounds), pool

    def add(self, done: Round, pool: Pool) -> None:
        self._rounds.append(done)
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write_pool(done.number, pool)
        self._write()
        for old in self._folder.glob("pool-*.npz"):
            if old != self._pool_path(done.number):
                old.unlink()

    def finish(self, last: Round) -> None:
        self._rounds[-1] = last
        if self._folder is not None:
            self._write()

    @property
    def _path(self) -> Path:
        assert self._folder is not None
        return self._folder / "rounds.jsonl"

    def _pool_path(self, number: int) -> Path:
        assert self._folder is not None
        return self._folder / f"pool-{number}.npz"

    def _write(self) -> None:
        lines = [{"key": self._key}, *map(_plain, self._rounds)]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        temporary = self._path.with_name(f"rounds.partial-{os.getpid()}")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self._path)

    def _write_pool(self, number: int, pool: Pool) -> None:
        arrays = {name: getattr(pool, name) for name in _ARRAYS}
        path = self._pool_path(number)
        temporary = path.with_name(f"pool.partial-{os.getpid()}.npz")
        np.savez(temporary, names=np.array(pool.names), **arrays)
        temporary.replace(path)

    def _read_pool(self) -> Pool:
        with np.load(self._pool_path(self._rounds[-1].number), allow_pickle=False) as file:
            arrays = {name: file[name] for name in _ARRAYS}
            return Pool(**arrays, names=tuple(file["names"].tolist()))


def _plain(one: Round) -> dict[str, Any]:
    values = asdict(one)
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def _parsed(values: dict[str, Any]) -> Round:
    known = {field.name for field in fields(Round)}
    arrays = {name: np.array(values[name]) for name in ("weights", "next_weights")}
    return Round(**{**{k: v for k, v in values.items() if k in known}, **arrays})
