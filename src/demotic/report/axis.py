"""Axes with round tick values, and positions of values on them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Axis", "number", "ticks"]

_NOTHING = 1e-9  # smaller values are drawn as zero


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten that cover [low, high], about `wanted` of them.

    The first is at or below `low` and the last at or above `high`.
    """
    low, high = (0.0 if abs(value) < _NOTHING else value for value in (low, high))
    if not high - low > 1e-12 * max(abs(low), abs(high)):  # a single value: one step around it
        size = abs(high) or 1.0
        low, high = high - 0.05 * size, high + 0.05 * size
    power = math.floor(math.log10((high - low) / max(wanted - 1, 1)))
    steps = [f * 10.0**p for p in (power, power + 1) for f in (1, 2, 5)]
    return min((_multiples(low, high, step) for step in steps), key=lambda m: abs(len(m) - wanted))


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, -math.floor(math.log10(step)))
    return [round(i * step, places) + 0.0 for i in range(first, last + 1)]


def number(value: float) -> str:
    """Only as many digits as necessary, with thousands separators."""
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


@dataclass(frozen=True)
class Axis:
    """Values between the first and the last tick, as shares of the length from `begin` to `end`."""

    ticks: tuple[float, ...]
    begin: float = 0.0
    end: float = 100.0

    @classmethod
    def over(
        cls,
        values: Iterable[float],
        *,
        wanted: int = 5,
        begin: float = 0.0,
        end: float = 100.0,
        from_zero: bool = False,
    ) -> Axis:
        known = [*values]
        if from_zero:  # an axis of only zeros still points upwards
            known = [0.0, *known] if any(abs(one) >= _NOTHING for one in known) else [0.0, 1.0]
        known = known or [0.0, 1.0]
        return cls(tuple(ticks(min(known), max(known), wanted)), begin, end)

    def at(self, value: float) -> float:
        """The position of a value; values beyond the ends are clipped."""
        low, high = self.ticks[0], self.ticks[-1]
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return self.begin + (self.end - self.begin) * share

    def labels(self) -> list[tuple[float, str]]:
        """Position and text of each tick."""
        places = max(len(number(tick).partition(".")[2]) for tick in self.ticks)
        return [(self.at(tick), f"{tick:,.{places}f}") for tick in self.ticks]
