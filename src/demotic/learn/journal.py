"""The files of tuning rounds, from which an interrupted run resumes.

`rounds.jsonl` has one JSON object per round; its first line holds a hash of everything that the run
depends on.  `evidence-N.npz` is the evidence found in round N, if storing it is cheaper than
decoding again, `state-N.npz` what a learner carries from round N to the next, `weights-N.npz` the
sparse weights learnt in round N and the keys of features that it saw first, if sparse weights are
tuned; they are written before the round's line.  Files appear under their names when they are
complete, so that everything listed is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from demotic.errors import Error, FormatError, IoError
from demotic.lines import write_text

if TYPE_CHECKING:
    from demotic.learn.tuned_weights import TunedWeights

__all__ = ["Journal", "Round", "key_of", "read_keyed"]

Arrays = Mapping[str, NDArray[Any]]
_Line = TypeVar("_Line")

_ROUNDS = "rounds.jsonl"


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round: the weights used for decoding, and those learnt from it."""

    number: int
    weights: NDArray[np.float64]
    score: float
    """The metric on the tuning set, decoded with `weights`."""
    dev_score: float | None = None
    """The same on the dev set; None without one."""
    next_weights: NDArray[np.float64]
    size: int
    """Number of candidates, or size of other evidence, after this round."""
    evidence_score: float
    """The metric of the best candidates of the evidence under the new weights."""
    change: float
    """The largest change of a weight, at unit L1 norm."""
    seconds: float
    stop: str = ""
    """Why this is the last round: `flat`, `nothing new`, `nothing moved`, `refused`, or empty."""
    next_score: float | None = None
    """The metric on the tuning set, decoded with `next_weights`; only for the last round."""
    next_dev_score: float | None = None
    """The same on the dev set."""


def key_of(settings: object) -> str:
    """A hash of everything that determines a result."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def read_keyed(
    path: Path, key: str, parsed: Callable[[dict[str, Any]], _Line], what: str
) -> list[_Line]:
    """The objects of a run's JSON lines, whose first line must have the run's key."""
    if not path.exists():
        return []
    try:
        first, *rest = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        lines, found = [parsed(values) for values in rest], first["key"]
    except (ValueError, KeyError, TypeError):
        raise FormatError(
            f"not a record of {what}",
            path=str(path),
            expected="the unmodified file",
            advice="remove its folder to start again",
        ) from None
    if found != key:
        raise Error(
            "a run with another model, text or other settings",
            path=str(path),
            expected="the same command as before",
            advice="choose another folder for the result, or remove this one",
        )
    return lines


class Journal:
    """The files of one run; without a folder nothing is stored."""

    def __init__(self, folder: Path | None, key: str, weights: TunedWeights) -> None:
        """Restores the features that the rounds have seen in `weights`."""
        self._folder = folder
        self._key = key
        self._weights = weights
        self._state: Arrays | None = None
        self.rounds: list[Round] = [] if folder is None else self._read(folder)

    def add(self, done: Round, found: Arrays | None, state: Arrays | None = None) -> None:
        """Adds a round with its evidence and the state of the learner after it."""
        self.rounds.append(done)
        self._state = state
        if self._folder is None:
            return
        sparse = None if self._weights.seen is None else self._sparse_arrays(done)
        for name, arrays in (("evidence", found), ("state", state), ("weights", sparse)):
            if arrays is not None:
                _write_arrays(_file(self._folder, name, done.number), arrays)
        self._write(self._folder)
        _file(self._folder, "state", done.number - 1).unlink(missing_ok=True)

    def finish(self, last: Round) -> None:
        """Writes the last round again with its final scores; removes evidence and state."""
        self.rounds[-1] = last
        if self._folder is not None:
            self._write(self._folder)
            for path in (*self._folder.glob("evidence-*"), *self._folder.glob("state-*")):
                path.unlink()

    def evidence(self, number: int) -> Arrays | None:
        """The evidence found in a round, if it was stored."""
        return None if self._folder is None else _read_arrays(self._folder, "evidence", number)

    @property
    def state(self) -> Arrays | None:
        """The state of the learner after the last round; None before the first."""
        if self._state is None and self._folder is not None and self.rounds:
            self._state = _read_arrays(self._folder, "state", len(self.rounds))
        return self._state

    def _sparse_arrays(self, done: Round) -> Arrays:
        dense, seen = self._weights.dense, self._weights.seen
        assert seen is not None
        learnt = done.next_weights[dense:].astype(np.float32)
        places = np.flatnonzero(learnt).astype(np.int32)
        new = seen.keys[len(done.weights) - dense :]
        return {"keys": new, "places": places, "values": learnt[places]}

    def _read(self, folder: Path) -> list[Round]:
        rounds = read_keyed(folder / _ROUNDS, self._key, _parsed, "tuning")
        if self._weights.seen is None:
            return rounds
        complete: list[Round] = []
        for done in rounds:
            arrays = _read_arrays(folder, "weights", done.number)
            if arrays is None:
                raise Error(
                    f"the sparse weights of round {done.number} are missing",
                    path=str(_file(folder, "weights", done.number)),
                    expected="the file that the round has written",
                    advice="remove its folder to start again",
                )
            self._weights.restore(arrays["keys"])
            sparse = np.zeros(len(self._weights.seen))
            sparse[arrays["places"]] = arrays["values"]
            # A round decodes with the weights that the previous one learnt.
            start = complete[-1].next_weights if complete else done.weights
            learnt = np.concatenate([done.next_weights, sparse])
            complete.append(replace(done, weights=start, next_weights=learnt))
        return complete

    def _write(self, folder: Path) -> None:
        with write_text(folder / _ROUNDS) as file:
            lines = [_plain(one, self._weights.dense) for one in self.rounds]
            for values in ({"key": self._key}, *lines):
                file.write(json.dumps(values) + "\n")


def _file(folder: Path, name: str, number: int) -> Path:
    return folder / f"{name}-{number}.npz"


def _read_arrays(folder: Path, name: str, number: int) -> Arrays | None:
    path = _file(folder, name, number)
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _write_arrays(path: Path, arrays: Arrays) -> None:
    temporary = path.with_name(f"{path.stem}.partial-{os.getpid()}.npz")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise IoError(
            "the file cannot be written", path=str(path), errno=error.errno or 0
        ) from None


def _plain(one: Round, dense: int) -> dict[str, Any]:
    values = {each.name: getattr(one, each.name) for each in fields(one)}
    return {
        name: value[:dense].tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def _parsed(values: dict[str, Any]) -> Round:
    arrays = {name: np.array(values[name]) for name in ("weights", "next_weights")}
    known = {field.name for field in fields(Round)}
    return Round(**{**{k: v for k, v in values.items() if k in known}, **arrays})
