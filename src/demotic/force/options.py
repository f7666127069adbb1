"""The search space of forced decoding: that of the decoder, but with all rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from demotic.native_options import to_native
from demotic.options import Options, option, same_option
from demotic.search.options import SearchOptions, chosen_for

if TYPE_CHECKING:
    from demotic import _core
    from demotic.model import Model

__all__ = ["PREFIXES", "ForceLimits", "ForceOptions", "Prefixes"]

Prefixes = Literal["none", "longest", "maximal"]
PREFIXES: tuple[Prefixes, ...] = ("none", "longest", "maximal")


@dataclass(frozen=True, kw_only=True)
class ForceLimits(Options):
    """Limits of derivations, and of the effort to find them."""

    distortion_limit: int = same_option(SearchOptions, "distortion_limit")
    gap_test: bool = same_option(SearchOptions, "gap_test")
    span_limit: int = same_option(SearchOptions, "span_limit")
    min_source_words: int = option(
        5, "minimum length of a reachable prefix", unit="words", minimum=1, flag="--min-prefix"
    )
    max_nodes: int = option(
        1_000_000, "states explored per pair; a pair beyond it is undecided", minimum=1
    )
    find_cause: bool = option(
        True, "decode unreachable pairs again without the limit, to see whether it is the cause"
    )


@dataclass(frozen=True, kw_only=True)
class ForceOptions(ForceLimits):
    """The limits, plus the treatment of unreachable pairs."""

    prefixes: Prefixes = option("none", "reachable prefixes of unreachable pairs to keep")

    @classmethod
    def for_model(cls, model: Model, given: Mapping[str, Any] = {}) -> ForceOptions:
        """A model's settings, overridden by `given`. Raises InputError."""
        return cls(**chosen_for(cls, model, given))

    def native(self) -> _core.ForceOptions:
        from demotic import _core

        return to_native(_core.ForceOptions, self)
