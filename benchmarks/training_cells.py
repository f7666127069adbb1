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
BEAMS = (30, 16, 4)
INVALID_BEAMS = (2, 4, 8, 16, 30)
SEEDS = (1, 2, 3)
ZERO: dict[str, Any] = {"start": "zero", "rate": 1.0, "dense_rate": 0.1, "balance": False}
"""As in the papers: all weights from zero, dense ones with smaller steps, no common weight."""


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
    future_cost: bool = True
    epochs: int = 4
    tune_again: bool = False
    final: dict[str, Any] = field(default_factory=dict)
    """Of the final tuning, where they are not the defaults."""
    seed: int = 1
    """Of the order of the sentences; in the whole chain also of both tunings."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of training, where they are not the defaults."""

    @property
    def settings(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def key(self) -> str:
        return _digest(self.settings)

    @property
    def training_key(self) -> str:
        """Common to cells that differ only in what follows the training."""
        return self._key_without("test_beam", "test_pop", "tune_again", "final")

    @property
    def final_key(self) -> str:
        """Common to cells that differ only in how they are tested."""
        return self._key_without("test_beam", "test_pop")

    def _key_without(self, *names: str) -> str:
        return _digest({name: one for name, one in self.settings.items() if name not in names})

    @property
    def place(self) -> tuple[Any, ...]:
        """The common settings of cells that are compared."""
        ranking = "future cost" if self.future_cost else "score alone"
        return (self.task, self.kind, self.text, self.test_beam, self.test_pop, ranking)

    @property
    def system(self) -> str:
        """The common settings of runs with different orders of the sentences."""
        if self.method == UNTRAINED:
            return UNTRAINED
        options = (f"{name}={value}" for name, value in sorted(self.options.items()))
        final = (f"final {name}={value}" for name, value in sorted(self.final.items()))
        parts = [self.method, self.features, f"{self.epochs} epochs", *options, *final]
        return " ".join(parts + ["tuned again"] * self.tune_again)


def _digest(settings: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


def swept(beam: int) -> dict[str, Any]:
    return {"beam": beam, "pop": 4 * beam, "test_beam": beam, "test_pop": 4 * beam}


def update_rules() -> Iterator[TrainingCell]:
    """Rules by beam and ranking (Yu et al. 2013, figures 8 and 9), by three orders."""
    for seed in SEEDS:
        for beam in BEAMS:
            for future_cost in (False, True):
                place: dict[str, Any] = {"future_cost": future_cost, **swept(beam)}
                yield TrainingCell(**place)
                for method in METHODS:
                    yield TrainingCell(method=method, seed=seed, **place)
                if future_cost:
                    mixed = {"compare_by": "score"}
                    yield TrainingCell(method="max-violation", seed=seed, options=mixed, **place)


def invalid_updates() -> Iterator[TrainingCell]:
    """How often standard updates are invalid, and what that costs (Yu et al. 2013, figure 9)."""
    for beam in INVALID_BEAMS:
        for features in ("default", "default+nonlocal"):
            for future_cost in (False, True):
                place: dict[str, Any] = {"future_cost": future_cost, **swept(beam)}
                yield TrainingCell(**place)
                for method in ("standard", "max-violation"):
                    yield TrainingCell(method=method, features=features, **place)


def from_zero() -> Iterator[TrainingCell]:
    """All weights from zero, with length control and without (Zhao et al. 2014, figure 5)."""
    for seed in SEEDS:
        for future_cost in (False, True):
            for method in METHODS:
                yield TrainingCell(
                    method=method, seed=seed, future_cost=future_cost, epochs=8, options=ZERO
                )
    for future_cost in (False, True):
        uncontrolled = {**ZERO, "length_ratio": 0.0}
        for method in ("max-violation", "standard"):
            yield TrainingCell(
                method=method, future_cost=future_cost, epochs=8, options=uncontrolled
            )


def groups_of_features() -> Iterator[TrainingCell]:
    """Families of features one after another (Yu et al. 2013, table 4)."""
    for name in ("ruleid", "z14", "wordedges", "default"):
        yield TrainingCell(method="max-violation", features=name, epochs=8)


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
        yield TrainingCell(task="de-en-multi30k", method=method, epochs=8)


CHAIN: dict[str, Any] = {"text": "whole", "test_beam": 200, "test_pop": 400}


def chain(
    task: str, seed: int, *, how: str = "local", epochs: int = 5, **more: Any
) -> TrainingCell:
    """As a user does it: build, tune, train with folds, tune again; tested at the default beam."""
    settings: dict[str, Any] = {"epochs": epochs, "tune_again": True, **CHAIN, **more}
    options = {"unreachable": how, **settings.pop("options", {})}
    return TrainingCell(task=task, method="max-violation", seed=seed, options=options, **settings)


def whole_chain() -> Iterator[TrainingCell]:
    for seed in SEEDS:
        for task in ("zh-en-tatoeba", "de-en-multi30k"):
            yield TrainingCell(task=task, seed=seed, **CHAIN)
            yield chain(task, seed)
    # Three times as many pairs as the others: one epoch.
    yield TrainingCell(task="es-en-news", **CHAIN)
    yield chain("es-en-news", 1, epochs=1, options={"max_words": 20})
    left_out = {"max_words": 20, "held_out": "leave-one-out"}
    yield chain("es-en-news", 1, epochs=1, options=left_out)


def chain_variants() -> Iterator[TrainingCell]:
    """The whole chain with one thing changed at a time."""
    for seed in SEEDS:
        for task in ("zh-en-tatoeba", "de-en-multi30k"):
            yield chain(task, seed, tune_again=False)
            yield chain(task, seed, final={"rounds": 12})
            yield chain(task, seed, final={"search_aware": "potential"})
            yield chain(task, seed, how="hope-fear")
            yield chain(task, seed, how="skip")
            yield chain(task, seed, features="large")
            yield chain(task, seed, options={"folds": 10})
        yield chain("zh-en-tatoeba", seed, features="default+source-tags")


def unreachable() -> Iterator[TrainingCell]:
    """Unreachable pairs: skipped (as in the other groups), local updates, or hope and fear."""
    for seed in SEEDS:
        for compare_by in ("ranking", "score"):
            for how in ("skip", "local", "hope-fear"):
                options = {"unreachable": how, "compare_by": compare_by}
                yield TrainingCell(method="max-violation", seed=seed, options=options)


HIERO: dict[str, Any] = {"kind": "hiero", "pop": 30, "test_pop": 30, "features": "z14"}


def hiero() -> Iterator[TrainingCell]:
    short = {"max_words": 15}
    yield TrainingCell(epochs=4, options=short, **HIERO)
    for seed in SEEDS:
        for method in METHODS:
            if method != "early":  # a chart has no temporal order
                yield TrainingCell(method=method, seed=seed, epochs=4, options=short, **HIERO)


def hiero_from_zero() -> Iterator[TrainingCell]:
    """All weights of Hiero from zero, with length control (Zhao et al. 2014, figure 5)."""
    options = {**ZERO, "max_words": 15}
    for seed in SEEDS:
        for method in METHODS:
            if method != "early":
                yield TrainingCell(method=method, seed=seed, epochs=8, options=options, **HIERO)


GROUPS = {
    "R": update_rules,
    "I": invalid_updates,
    "Z": from_zero,
    "G": groups_of_features,
    "T": template_sets,
    "S": second_task,
    "W": whole_chain,
    "V": chain_variants,
    "U": unreachable,
    "H": hiero,
    "J": hiero_from_zero,
}
