"""Hope and fear of a list of candidates, by their definition (Chiang et al. 2008)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.bleu import counts, plus_one

__all__ = ["HopeFear", "hope_and_fear"]


@dataclass(frozen=True)
class HopeFear:
    """Scores and gains of all candidates that are hope or fear; several if there are ties."""

    hopes: list[tuple[float, float]]
    fears: list[tuple[float, float]]


def hope_and_fear(
    candidates: Sequence[tuple[float, str]], reference: str, scale: float, slack: float
) -> HopeFear:
    """Candidates are scores and texts; values that differ by less than the slack are ties."""
    gains = [plus_one(counts(text, [reference], "closest")) for _, text in candidates]
    both = [(score, gain) for (score, _), gain in zip(candidates, gains, strict=True)]

    def best(sign: int) -> list[tuple[float, float]]:
        values = [score + sign * scale * gain for score, gain in both]
        return [one for one, value in zip(both, values, strict=True) if value > max(values) - slack]

    return HopeFear(best(1), best(-1))
