"""Tiny models of either kind for forced decoding, checked against enumerated derivations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from demotic import _core
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.force import ForceOptions, Reachability, force
from demotic.force.gold import GoldForests
from demotic.rules import Rules

__all__ = ["Oracle", "Pair", "Task", "TinyModel", "Words", "check"]

Words = tuple[str, ...]
Pair = tuple[Words, Words]


@dataclass(frozen=True)
class TinyModel:
    """What `force` needs of a model."""

    rules: Rules
    native: Any
    path: Path
    kind: str

    @property
    def settings(self) -> dict[str, int]:
        return {}

    @cached_property
    def weights(self) -> Weights:
        names = dense_features(self.kind, self.rules.store.score_names, 0)  # type: ignore[arg-type]
        return Weights.of(dict.fromkeys(names, 0.0))

    def force(
        self, pairs: Sequence[Pair], options: ForceOptions, path: Path | None, **more: Any
    ) -> Reachability:
        sources = [" ".join(source) for source, _ in pairs]
        references = [[" ".join(target)] for _, target in pairs]
        return force(self, sources, references, options, path=path, **more)  # type: ignore[arg-type]

    def gold(self, path: Path, pairs: Sequence[Pair]) -> GoldForests:
        return GoldForests.open(path, self, [" ".join(s) for s, _ in pairs])  # type: ignore[arg-type]


class Oracle(Protocol):
    """The derivations of a model by enumeration; a derivation is any value that identifies it."""

    def derivations(self, source: Words, reference: Words) -> Collection[Any]: ...

    def cause(self, source: Words, reference: Words) -> str:
        """Why there are none."""
        ...

    def prefixes(self, source: Words, reference: Words, shortest: int) -> list[tuple[int, int]]:
        """Lengths of the maximal reachable prefixes on both sides, longest source first."""
        ...

    def spelled(self, model: TinyModel, gold: GoldForests, i: int, pair: Pair) -> list[Any]:
        """The derivations of a gold forest, as `derivations` has them; each edge is checked."""
        ...


@dataclass(frozen=True)
class Task:
    """Pairs to decode, and an oracle for each."""

    model: TinyModel
    options: ForceOptions
    pairs: list[Pair]
    oracles: Sequence[Oracle]
    leave_one_out: bool = False


def check(task: Task, path: Path) -> Counter[str]:
    """Forests hold exactly the derivations that enumeration finds; returns how often each cause
    occurs, `none` for reachable pairs."""
    found = task.model.force(task.pairs, task.options, path, leave_one_out=task.leave_one_out)
    gold = task.model.gold(path, task.pairs)
    forests = defaultdict(list)
    for i, forest in enumerate(gold):
        forests[forest.pair].append(i)
    seen: Counter[str] = Counter()
    for i, (pair, oracle) in enumerate(zip(task.pairs, task.oracles, strict=True)):
        wanted = oracle.derivations(*pair)
        cause = "none" if wanted else oracle.cause(*pair)
        assert [name for name in _core.Cause.__members__ if found.cause(name)[i]] == [cause]
        assert found.reachable[i] == bool(wanted)
        assert not found.undecided[i]
        if wanted:
            assert found.derivations[i] == len(wanted)
        lengths = [(len(pair[0]), len(pair[1]))] if wanted else _prefixes(task, oracle, pair)
        assert found.prefix[i] == (bool(lengths) and not wanted)
        assert lengths == [(gold[f].source_length, gold[f].target_length) for f in forests[i]]
        for one, (source, target) in zip(forests[i], lengths, strict=True):
            assert gold[one].whole == bool(wanted)
            derived = wanted or oracle.derivations(pair[0][:source], pair[1][:target])
            assert Counter(oracle.spelled(task.model, gold, one, pair)) == Counter(derived)
        seen[cause] += 1
    return seen


def _prefixes(task: Task, oracle: Oracle, pair: Pair) -> list[tuple[int, int]]:
    if task.options.prefixes == "none":
        return []
    found = oracle.prefixes(*pair, task.options.min_source_words)
    return found[:1] if task.options.prefixes == "longest" else found
