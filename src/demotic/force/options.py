"""The search space of forced decoding: that of the decoder, but with all rules."""

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
    """Limits of derivations, and of the effort to find them."""

    distortion_limit: int = option(
        6, "distortion limit in words; -1 for none (phrase models)", unit="words", minimum=-1
    )
    gap_test: bool = option(
        True, "require that the first uncovered word stays within the limit (phrase models)"
    )
    span_limit: int = option(
        20, "maximum span of a rule except glue; 0 for none (hiero)", unit="words", minimum=0
    )
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

    beginnings: Beginnings = option(
        "none", "reachable prefixes of unreachable pairs to keep", flag="--prefixes"
    )

    @classmethod
    def for_model(cls, settings: Mapping[str, Any], given: Mapping[str, Any] = {}) -> ForceOptions:
        """A model's settings, overridden by `given`; settings of other components are ignored."""
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
