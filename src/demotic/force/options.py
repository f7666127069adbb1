"""The space of forced search: that of the search itself, with all rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from demotic.native_options import handed
from demotic.options import Options, option, same_option
from demotic.search.options import SearchOptions, chosen_for

if TYPE_CHECKING:
    from demotic import _core
    from demotic.model import Model

__all__ = ["BEGINNINGS", "Beginnings", "ForceLimits", "ForceOptions"]

Beginnings = Literal["none", "longest", "maximal"]
BEGINNINGS: tuple[Beginnings, ...] = ("none", "longest", "maximal")


@dataclass(frozen=True, kw_only=True)
class ForceLimits(Options):
    """What may be part of a derivation, and the effort to find out."""

    distortion_limit: int = same_option(SearchOptions, "distortion_limit")
    gap_test: bool = same_option(SearchOptions, "gap_test")
    span_limit: int = same_option(SearchOptions, "span_limit")
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
    def for_model(cls, model: Model, given: Mapping[str, Any] = {}) -> ForceOptions:
        """A model's settings, with what is `given` instead. Raises InputError."""
        return cls(**chosen_for(cls, model, given))

    def native(self) -> _core.ForceOptions:
        from demotic import _core

        return handed(_core.ForceOptions, self)
