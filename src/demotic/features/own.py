"""Features of your own in Python: a function that is called for each rule applied to a sentence.

    from demotic.features.own import AppliedRule, feature

    @feature
    def plural(use: AppliedRule):
        for word in use.target:
            if word.endswith("s"):
                yield f"{use.source[0]} plural"

A template file names it in a line `family python function=plural.py:plural`, and the features that
it yields are learnt like all others.  The function must depend on its argument alone: it is called
once for each distinct application of a rule, from any thread, and the result is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TypeVar

from demotic import _core
from demotic.errors import ModelError
from demotic.lines import split_words
from demotic.own_classes import load_function

__all__ = ["AppliedRule", "Cost", "costs", "feature", "version_of"]

_MARK = "_demotic_feature"


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A rule applied to a span of a sentence; unknown words are `<unk>`."""

    source: tuple[str, ...]  # of the rule; gaps are [1] and [2]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]  # positions in source and target that are linked
    sentence: tuple[str, ...]
    begin: int  # the span, half open
    end: int
    tags: tuple[str, ...] = ()  # of the words of the sentence; empty if it has none
    constituents: tuple[tuple[int, int, str], ...] = ()  # of its tree: begin, end, label


Function = Callable[[AppliedRule], Iterable[str]]
_Function = TypeVar("_Function", bound=Function)


def feature(function: _Function) -> _Function:
    """Declares a function of an AppliedRule that yields the names of features that fire."""
    setattr(function, _MARK, True)
    return function


@dataclass
class Cost:
    """What a function has cost so far."""

    calls: int = 0
    seconds: float = 0.0


_costs: dict[str, Cost] = {}
_lock = Lock()


def costs() -> dict[str, Cost]:
    """The cost of each function that was called, by name."""
    return {name: cost for name, cost in _costs.items() if cost.calls}


def version_of(name: str) -> str:
    """Identifies the code of a function.  Raises Error if there is no such function."""
    return load_function(name, "a function decorated with @feature", _MARK).digest[:16]


def _load(name: str, code: str) -> Callable[..., list[str]]:
    """For the core, which calls the result."""
    found = load_function(name, "a function decorated with @feature", _MARK)
    if found.digest[:16] != code:
        raise ModelError(
            f"the code of {name} has changed",
            expected="the code that the weights were learnt with",
            advice="restore the file, or learn the weights again",
        )
    function: Function = found.function
    cost = _costs.setdefault(name, Cost())

    def call(
        source: Sequence[str],
        target: Sequence[str],
        links: Sequence[tuple[int, int]],
        sentence: Sequence[str],
        begin: int,
        end: int,
        tags: str,
        constituents: str,
    ) -> list[str]:
        started = time.perf_counter()
        use = AppliedRule(
            tuple(source),
            tuple(target),
            tuple(links),
            tuple(sentence),
            begin,
            end,
            tuple(split_words(tags)),
            _spans(constituents),
        )
        names = sorted(set(map(_checked, function(use))))
        with _lock:
            cost.calls += 1
            cost.seconds += time.perf_counter() - started
        return names

    return call


@lru_cache(maxsize=16)
def _spans(constituents: str) -> tuple[tuple[int, int, str], ...]:
    """Cached, because all applications to a sentence follow one another."""
    found = (one.split("-", 2) for one in split_words(constituents))
    return tuple((int(begin), int(end), label) for begin, end, label in found)


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"expected names of features, got {name!r}")
    return name


_core.set_own_loader(_load)
