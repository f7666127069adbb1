"""The space of forced search: that of the search itself, with all rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from demotic.options import Options, option

if TYPE_CHECKING:
    from demotic import _core

__all__ = ["BEGINNINGS", "Beginnings", "ForceLimits", "ForceOptions"]

Beginnings = Literal["none", "longest", "maximal"]
BEGINNINGS: tuple[Beginnings, ...] = ("none", "longest", "maximal")


@dataclass(frozen=True, kw_only=True)
class ForceLimits(Options):
    """What may be part of a derivation, and the effort to find out."""

    distortion_limit: int = option(
        6, "longest jump between phrases; -1: unlimited (phrases)", unit="words", minimum=-1
    )
    gap_test: bool = option(
        True, "no phrase may leave the first open word beyond the limit (phrases)"
    )
    span_limit: int = option(
        20, "longest span under a rule, glue excepted; 0: any (hiero)", unit="words", minimum=0
    )
    min_source_words: int = option(
        5, "fewest source words of a beginning", unit="words", minimum=1, flag="--min-prefix"
    )
    max_nodes: int = option(
        1_000_000, "states looked at in a pair; beyond them it is undecided", minimum=1
    )
    find_cause: bool = option(
        True, "search again without a limit, to tell whether the limit is to blame"
    )


@dataclass(frozen=True, kw_only=True)
class ForceOptions(ForceLimits):
    """The same with what is done for pairs that are not reached."""

    beginnings: Beginnings = option(
        "none", "reachable beginnings of pairs that are not reached", flag="--prefixes"
    )

    @classmethod
    def for_model(cls, settings: Mapping[str, Any], given: Mapping[str, Any] = {}) -> ForceOptions:
        """A model's settings, with what is `given` instead; others of its settings are skipped."""
        names = {field.name for field in fields(cls)}
        chosen = {**settings, **given}
        return cls(**{name: value for name, value in chosen.items() if name in names})

    def native(self) -> _core.ForceOptions:
        from demotic import _core

        native = _core.ForceOptions()
        for field in fields(ForceLimits):
            setattr(native, field.name, getattr(self, field.name))
        native.beginnings = _core.Beginnings[self.beginnings]
        return native
