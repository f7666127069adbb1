"""The cells of the training grid: which model is trained how, in order of importance.

`half`: rules and language model from every second pair, training on the others, so that the
training text is unseen.  `whole`: as a user does it, with folds and a final tuning.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["BEAMS", "GROUPS", "METHODS", "UNTRAINED", "TrainingCell"]

UNTRAINED = "tuned"
METHODS = ("max-violation", "standard", "skip", "early", "local")
BEAMS = (2, 4, 8, 16, 30)


@dataclass(frozen=True, kw_only=True)
class TrainingCell:
    """One training run and its test, named by its settings."""

    task: str = "zh-en-tatoeba"
    kind: str = "phrase"
    text: str = "half"
    method: str = UNTRAINED
    features: str = "default"
    beam: int = 30
    pop: int = 100
    test_beam: int = 30
    test_pop: int = 100
    epochs: int = 8
    tune_again: bool = False
    seed: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    """Of training, where they are not the defaults."""

    @property
    def settings(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def place(self) -> tuple[Any, ...]:
        """The common settings of cells that are compared."""
        return (self.task, self.kind, self.text, self.test_beam, self.test_pop)


def swept(beam: int) -> dict[str, Any]:
    return {"beam": beam, "pop": 4 * beam, "test_beam": beam, "test_pop": 4 * beam}


def update_rules() -> Iterator[TrainingCell]:
    yield TrainingCell()
    for method in METHODS:
        yield TrainingCell(method=method)
    yield TrainingCell(method="max-violation", options={"compare_by": "score"})


def more_seeds() -> Iterator[TrainingCell]:
    """Variance between orders of the sentences."""
    for seed in (2, 3):
        for method in METHODS[1:]:
            yield TrainingCell(method=method, seed=seed)
        for options in ({}, {"compare_by": "score"}):
            yield TrainingCell(method="max-violation", seed=seed, options=options)
    yield TrainingCell(method="early", options={"compare_by": "score"})


def invalid_updates() -> Iterator[TrainingCell]:
    """How often standard updates are invalid, and what that costs (Yu et al. 2013, figure 9)."""
    for beam in BEAMS:
        yield TrainingCell(**swept(beam))
        yield TrainingCell(method="standard", epochs=4, **swept(beam))
        yield TrainingCell(method="max-violation", epochs=4, **swept(beam))
    for beam in BEAMS:
        more = {"epochs": 4, "features": "default+nonlocal", **swept(beam)}
        yield TrainingCell(method="standard", **more)
    for beam in (4, 30):
        more = {"epochs": 4, "features": "default+nonlocal", **swept(beam)}
        yield TrainingCell(method="max-violation", **more)


def from_zero() -> Iterator[TrainingCell]:
    """As in the papers: all weights from zero, dense ones with smaller steps."""
    zero: dict[str, Any] = {"start": "zero", "rate": 1.0, "dense_rate": 0.1, "balance": False}
    for method in METHODS:
        yield TrainingCell(method=method, options=zero)
    yield TrainingCell(method="max-violation", options={**zero, "compare_by": "score"})


def groups_of_features() -> Iterator[TrainingCell]:
    """Families of features one after another (Yu et al. 2013, table 4)."""
    for name in ("ruleid", "z14", "wordedges", "default"):
        yield TrainingCell(method="max-violation", features=name)


def template_sets() -> Iterator[TrainingCell]:
    """Shipped sets of templates, in two orders of the sentences."""
    for seed in (1, 2):
        for name in ("default", "large"):
            yield TrainingCell(
                method="max-violation",
                features=name,
                seed=seed,
                epochs=4,
                options={"compare_by": "score"},
            )


def second_task() -> Iterator[TrainingCell]:
    for method in (UNTRAINED, "max-violation", "standard", "skip", "early", "local"):
        yield TrainingCell(task="de-en-multi30k", method=method)


def whole_chain() -> Iterator[TrainingCell]:
    for task in ("zh-en-tatoeba", "de-en-multi30k"):
        wide: dict[str, Any] = {"task": task, "text": "whole", "test_beam": 200, "test_pop": 400}
        yield TrainingCell(**wide)
        more: dict[str, Any] = {"epochs": 10, "tune_again": True, **wide}
        bare = {"compare_by": "score"}
        yield TrainingCell(method="max-violation", options=bare, **more)
        looks_back = "default+nonlocal"
        yield TrainingCell(method="max-violation", options=bare, features=looks_back, **more)
        for seed in (1, 2, 3):
            hybrid = {"unreachable": "local", **bare}
            yield TrainingCell(method="max-violation", options=hybrid, seed=seed, **more)
            yield TrainingCell(
                method="max-violation", options={"unreachable": "local"}, seed=seed, **more
            )


def unreachable() -> Iterator[TrainingCell]:
    """Unreachable pairs: skipped, or with local updates."""
    for method in ("max-violation", "standard", "local"):
        yield TrainingCell(method=method, options={"unreachable": "local"})
    yield TrainingCell(
        task="de-en-multi30k", method="max-violation", options={"unreachable": "local"}
    )


def hiero() -> Iterator[TrainingCell]:
    narrow: dict[str, Any] = {
        "kind": "hiero",
        "pop": 30,
        "test_pop": 30,
        "features": "z14",
        "epochs": 4,
    }
    yield TrainingCell(**narrow, options={"max_words": 15})
    for method in METHODS:
        if method != "early":  # a chart has no temporal order
            yield TrainingCell(method=method, **narrow, options={"max_words": 15})


GROUPS = {
    "R": update_rules,
    "F": more_seeds,
    "I": invalid_updates,
    "Z": from_zero,
    "G": groups_of_features,
    "T": template_sets,
    "S": second_task,
    "W": whole_chain,
    "U": unreachable,
    "H": hiero,
}
