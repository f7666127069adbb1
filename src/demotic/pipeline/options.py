"""What `demotic make` can be told, and the presets that settle everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from demotic.options import Options, option

__all__ = ["PRESETS", "MakeOptions", "Preset"]


@dataclass(frozen=True, kw_only=True)
class MakeOptions(Options):
    """The few choices that are left to the user."""

    kind: Literal["phrase", "hiero", "best"] = option(
        "phrase",
        "phrases, rules with gaps (for languages of very different word order), or both, of which "
        "the better one on the dev set is kept",
    )
    preset: Literal["fast", "balanced", "best"] = option(
        "balanced",
        "how much time to spend: fast tunes without training on the corpus, best trains longest",
    )
    train: bool = option(
        True, "train sparse features on the corpus itself; --no-train stops after tuning"
    )
    dev_size: int | None = option(
        None,
        "sentences split off for tuning; by default 5 % of the corpus, at most 1,000",
        minimum=10,
    )
    test_size: int | None = option(
        None,
        "sentences split off for testing; by default 5 % of the corpus, at most 1,000",
        minimum=10,
    )
    seed: int = option(1, "seed of the random numbers", minimum=0)


def _fixed(**values: Any) -> Mapping[str, Any]:
    return MappingProxyType(values)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Everything that decides how long it takes."""

    rounds: int
    """Of tuning, at most."""
    epochs: int
    """Of training on the corpus, at most; 0: none."""
    folds: int = 5
    learning: Mapping[str, Any] = field(default_factory=lambda: _fixed(beam_size=30, pop_limit=100))
    """Search settings while weights are learnt."""
    search: Mapping[str, Any] = field(default_factory=lambda: _fixed(beam_size=200, pop_limit=400))
    """Search settings of the finished model."""


PRESETS: Mapping[str, Preset] = {
    "fast": Preset(rounds=5, epochs=0, search=_fixed(beam_size=100, pop_limit=200)),
    "balanced": Preset(rounds=10, epochs=5),
    "best": Preset(rounds=12, epochs=10, search=_fixed(beam_size=400, pop_limit=1000)),
}
