"""The cells of the tuning grid: which task is tuned how, in order of importance.

A cell consists of all settings that determine a result, which also name it: cells with stored
results are not run again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from typing import Any

__all__ = ["BEAMS", "GROUPS", "UNTUNED", "Cell", "Subset", "cells"]

UNTUNED = "untuned"
BEAMS = (1, 2, 4, 8, 16, 30, 64)
DRAWS = ("mert", "pro", "mira", "rm", "rm-cp", "hgmert", "forest-mira")
"""Methods with random numbers: restarts, pairs, or the order of sentences; RAMPION has none."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One tuning run and its test."""

    group: str
    task: str = "zh-en-tatoeba"
    kind: str = "phrase"
    method: str
    aware: str = "none"
    beam: int = 200
    pop: int = 400
    seed: int = 1
    rounds: int = 10
    nbest: int = 100
    pool_limit: int = 2000
    bin_weight: str = "shared"
    future_cost: bool = True
    keep: str = ""
    """Which weights are kept; empty for the default of the method."""
    learner: dict[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """Without the group, since the same run may be in several tables."""
        return {name: value for name, value in asdict(self).items() if name != "group"}

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def system(self) -> str:
        """The common settings of runs with different seeds."""
        parts = [self.method, *(f"{name}={value}" for name, value in sorted(self.learner.items()))]
        if self.aware != "none":
            parts.append(self.aware)
            parts.extend(["equal"] * (self.bin_weight == "equal"))
        return " ".join(parts)


def untuned(seed: int) -> Iterator[Cell]:
    """Initial weights, for all comparisons."""
    if seed == 1:
        for beam in BEAMS:
            yield Cell(group="U", method=UNTUNED, **swept(beam))
        yield Cell(group="U", method=UNTUNED)
        yield Cell(group="U", method=UNTUNED, kind="hiero", pop=200)
        yield Cell(group="U", method=UNTUNED, task="de-en-multi30k")
        yield Cell(group="U", method=UNTUNED, task="de-en-multi30k", **swept(30))
        for beam in (1, 4, 30):
            yield Cell(group="U", method=UNTUNED, task="es-en-bible", **swept(beam))


def all_methods(seed: int) -> Iterator[Cell]:
    for method in ("mira", "mert", "rm", "pro", "rampion", "rm-cp", "forest-mira", "hgmert"):
        if seed == 1 or method in DRAWS:
            yield Cell(group="A", method=method, seed=seed)
    # The default interpolates with a tenth of the new weights: too slow for ten rounds.
    yield Cell(group="A", method="pro", seed=seed, learner={"interpolation": 1.0})


def oracles(seed: int) -> Iterator[Cell]:
    """Variants of forest MIRA, including the ablations of Chiang et al. 2008, table 2."""
    for learner in (
        {},
        {"oracle": "max-bleu"},
        {"oracle": "bold"},
        {"oracle": "local"},
        {"oracle": "local", "loss_augmented": False},
        {"loss_augmented": False},
        {"shards": 4, "scheme": "shared"},
        {"shards": 4, "scheme": "independent"},
    ):
        yield Cell(group="O", method="forest-mira", seed=seed, learner=learner, **swept(30))


def search_aware(seed: int) -> Iterator[Cell]:
    for aware in ("potential", "partial"):
        yield Cell(group="B", method="mira", aware=aware, seed=seed)
    if seed == 1:
        yield Cell(group="B", method="mira", aware="potential", bin_weight="equal")


def other_tasks(seed: int) -> Iterator[Cell]:
    for method in ("mira", "mert", "rm"):
        # As in the reference figures of Moses' chart decoder: pop limit 200, spans of 20 words.
        yield Cell(group="C", kind="hiero", method=method, seed=seed, pop=200)
    for method in ("mira", "mert", "rm"):
        yield Cell(group="C", task="de-en-multi30k", method=method, seed=seed)
    # Verses are long: large beams would take hours.
    for method in ("mira", "mert", "rm"):
        yield Cell(group="C", task="es-en-bible", method=method, seed=seed, **swept(30))
    aware = {"method": "mira", "aware": "potential", **swept(30)}
    yield Cell(group="C", task="de-en-multi30k", method="mira", seed=seed, **swept(30))
    for task in ("de-en-multi30k", "es-en-bible"):
        yield Cell(group="C", task=task, seed=seed, **aware)


def swept(beam: int) -> dict[str, Any]:
    """The pop limit grows with the beam."""
    return {"beam": beam, "pop": 2 * beam}


def beam_sweep(seed: int) -> Iterator[Cell]:
    for beam in BEAMS:
        for aware in ("none", "potential"):
            yield Cell(group="D", method="mira", aware=aware, seed=seed, **swept(beam))


def long_sentences(seed: int) -> Iterator[Cell]:
    """Small beams where sentences are three times as long."""
    for beam in (4, 1):
        for aware in ("none", "potential"):
            more = {"task": "es-en-bible", "aware": aware, **swept(beam)}
            yield Cell(group="L", method="mira", seed=seed, **more)


def beam_sweep_of_equals(seed: int) -> Iterator[Cell]:
    """Every bin has the weight of the last, as in the paper."""
    for beam in BEAMS:
        equal = {"aware": "potential", "bin_weight": "equal", **swept(beam)}
        yield Cell(group="Q", method="mira", seed=seed, **equal)


def beam_sweep_of_mert(seed: int) -> Iterator[Cell]:
    for beam in (30, 4, 16, 8, 2, 1, 64):
        for aware in ("none", "potential"):
            yield Cell(group="M", method="mert", aware=aware, seed=seed, **swept(beam))


def paper_beam(seed: int) -> Iterator[Cell]:
    """Further comparisons at the beam of Liu & Huang."""
    for method in ("mira", "mert"):
        yield Cell(group="P", method=method, aware="partial", seed=seed, **swept(30))
    equal = {"aware": "potential", "bin_weight": "equal", **swept(30)}
    yield Cell(group="P", method="mert", seed=seed, **equal)


def search_aware_grid(seed: int) -> Iterator[Cell]:
    """Search-aware against plain tuning: method, gain, beam, future cost, weight of bins."""
    for task, beams in (
        ("zh-en-tatoeba", (30, 8, 4, 16, 64, 2, 1)),
        ("es-en-bible", (8, 30)),
        ("zh-en-help", (8, 30)),
    ):
        for future_cost, beam, method in product((False, True), beams, ("mira", "mert", "pro")):
            where: dict[str, Any] = {"task": task, "beam": beam, "future_cost": future_cost}
            plain = Cell(group="S", method=method, seed=seed, pop=4 * beam, **where)
            yield plain
            for aware, weight in product(("potential", "partial"), ("shared", "equal")):
                yield replace(plain, aware=aware, bin_weight=weight)


GROUPS = {
    "A": all_methods,
    "B": search_aware,
    "C": other_tasks,
    "D": beam_sweep,
    "L": long_sentences,
    "M": beam_sweep_of_mert,
    "O": oracles,
    "P": paper_beam,
    "Q": beam_sweep_of_equals,
    "S": search_aware_grid,
    "U": untuned,
}


@dataclass(frozen=True, kw_only=True)
class Subset:
    """The values of settings to run; None for all."""

    task: Sequence[str] | None = None
    method: Sequence[str] | None = None
    aware: Sequence[str] | None = None
    beam: Sequence[int] | None = None
    future_cost: Sequence[bool] | None = None
    bin_weight: Sequence[str] | None = None
    """Of search-aware cells; others have no bins."""

    def __contains__(self, cell: Cell) -> bool:
        wanted = asdict(self)
        if cell.aware == "none":
            del wanted["bin_weight"]
        return all(some is None or getattr(cell, name) in some for name, some in wanted.items())


def cells(groups: str, seeds: int, subset: Subset | None = None) -> Iterator[Cell]:
    """First seeds of all groups first."""
    for seed in range(1, seeds + 1):
        for group in groups:
            yield from (cell for cell in GROUPS[group](seed) if subset is None or cell in subset)
