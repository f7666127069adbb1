"""Features of your own in Python: a function that is called for each rule applied to a sentence.

    from demotic.features.own import AppliedRule, feature

    @feature
    def plural(use: AppliedRule):
        for word in use.target:
            if word.endswith("s"):
                yield f"{use.source[0]} plural"

A template file names it in a line `family python function=plural.py:plural`, and the features that
it yields are learnt like all others.  A name alone has the value 1; `yield name, value` gives it
another one, such as a count or a logarithm of a probability.  The function must depend on its
argument alone: it is called once for each distinct application of a rule, from any thread, and the
result is kept.

Opening a model with such features runs their file, so it has to be allowed (`allowed_code`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TypeVar

from demotic import _core
from demotic.allowed_code import allow, require_allowed
from demotic.errors import ModelError
from demotic.lines import split_words
from demotic.own_classes import code_digest, load_function

__all__ = ["AppliedRule", "Cost", "costs", "feature", "version_of"]

_MARK = "_demotic_feature"
_WANTED = "a function decorated with @feature"
_CODE = 16  # hexadecimal digits of a digest that models keep


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


Function = Callable[[AppliedRule], Iterable[str | tuple[str, float]]]
_Function = TypeVar("_Function", bound=Function)


def feature(function: _Function) -> _Function:
    """Declares a function of an AppliedRule that yields the features that fire.

    Each is a name, or a name and a value: a finite number.
    """
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
    """Identifies the code of a function that the user named, and so allows models to run it.

    Raises Error if there is no such function.
    """
    code = load_function(name, _WANTED, _MARK).digest[:_CODE]
    allow(name, code)
    return code


def _load(name: str, code: str) -> Callable[..., tuple[list[str], list[float]]]:
    """For the core, which calls the result."""
    require_allowed(name, code)
    now = code_digest(name)
    if now and now[:_CODE] != code:  # before any of it runs
        raise ModelError(
            f"the code of {name} has changed",
            expected="the code that the weights were learnt with",
            advice="restore the file, or learn the weights again",
        )
    function: Function = load_function(name, _WANTED, _MARK).function
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
    ) -> tuple[list[str], list[float]]:
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
        found = _collected(function(use))
        with _lock:
            cost.calls += 1
            cost.seconds += time.perf_counter() - started
        return found

    return call


@lru_cache(maxsize=16)
def _spans(constituents: str) -> tuple[tuple[int, int, str], ...]:
    """Cached, because all applications to a sentence follow one another."""
    found = (one.split("-", 2) for one in split_words(constituents))
    return tuple((int(begin), int(end), label) for begin, end, label in found)


def _collected(found: Iterable[object]) -> tuple[list[str], list[float]]:
    """Sorted names, each once, and their values; no values if all are 1."""
    values: dict[str, float] = {}
    for one in found:
        name, value = one if isinstance(one, tuple) and len(one) == 2 else (one, 1.0)
        if not isinstance(name, str):
            raise TypeError(f"expected names of features, got {one!r}")
        if value != 1.0:
            value = _checked(name, value)
        if values.setdefault(name, value) != value:
            raise ValueError(f"two values of the feature {name!r}: {values[name]} and {value}")
    names = sorted(name for name, value in values.items() if value)
    if all(value == 1.0 for value in values.values()):
        return names, []
    return names, [values[name] for name in names]


def _checked(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, str) or not math.isfinite(number):
        raise ValueError(f"expected a finite number as the value of {name!r}, got {value!r}")
    return number


_core.set_own_loader(_load)
