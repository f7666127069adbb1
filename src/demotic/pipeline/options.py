"""The options of `demotic make`, and the presets that determine everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from demotic.options import Options, option, same_option
from demotic.text.preparation import PrepareOptions
from demotic.text.tokenize import TokenizerName

__all__ = ["PRESETS", "MakeOptions", "Preset"]


@dataclass(frozen=True, kw_only=True)
class MakeOptions(Options):
    """The few choices left to the user."""

    kind: Literal["auto", "phrase", "hiero", "best"] = option(
        "auto",
        "phrase pairs, rules with gaps (Hiero, for very different word order), or both, keeping "
        "the better one on the dev set; auto: Hiero if the verb is last, or relative clauses are "
        "before the noun, in one language only",
    )
    preset: Literal["fast", "balanced", "best"] = option(
        "balanced",
        "how much time to spend: fast tunes without training on the corpus, best tunes longest and "
        "searches with the largest beam",
    )
    train: bool = option(True, "train sparse features on the corpus; --no-train stops after tuning")
    story: bool = option(
        False,
        "also tune by MERT, by relative margin and search-aware, to compare them in the table and "
        "the report; the translator is the same",
    )
    tokenizer: TokenizerName = same_option(PrepareOptions, "tokenizer")
    target_tokenizer: TokenizerName | None = same_option(PrepareOptions, "target_tokenizer")
    compounds: Literal["auto", "on", "off"] = same_option(PrepareOptions, "compounds")
    dev_size: int | None = option(
        None,
        "sentences held out for tuning (default: 5 % of the corpus, at most 1,000)",
        minimum=10,
    )
    test_size: int | None = option(
        None,
        "sentences held out for testing (default: 5 % of the corpus, at most 1,000)",
        minimum=10,
    )
    seed: int = option(1, "random seed", minimum=0)


def _fixed(**values: Any) -> Mapping[str, Any]:
    return MappingProxyType(values)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Everything that determines the running time."""

    rounds: int
    """Maximum number of tuning rounds."""
    epochs: int
    """Training epochs; 0 for no training."""
    folds: int = 5
    learning: Mapping[str, Any] = field(default_factory=lambda: _fixed(beam_size=30, pop_limit=100))
    """Search settings during tuning and training."""
    search: Mapping[str, Any] = field(default_factory=lambda: _fixed(beam_size=200, pop_limit=400))
    """Search settings of the finished model."""
    combines: bool = False
    """Whether both kinds of models decide together in the end, if there are two."""


PRESETS: Mapping[str, Preset] = {
    "fast": Preset(rounds=5, epochs=0, search=_fixed(beam_size=100, pop_limit=200)),
    "balanced": Preset(rounds=10, epochs=5),
    "best": Preset(
        rounds=12, epochs=5, search=_fixed(beam_size=400, pop_limit=1000), combines=True
    ),
}
