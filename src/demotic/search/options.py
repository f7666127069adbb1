"""How a model is searched: the space of derivations and the effort spent in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from demotic.options import Options, option

if TYPE_CHECKING:
    from demotic import _core

__all__ = ["SearchOptions"]

_Native = TypeVar("_Native", "_core.PhraseSearchOptions", "_core.HieroSearchOptions")


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """The search space and the effort. A model may bring its own values."""

    beam_size: int = option(200, "hypotheses that survive in a bin", minimum=1, flag="--beam")
    pop_limit: int = option(400, "candidates that cube pruning examines for a bin", minimum=1)
    cube_pruning: bool = option(True, "best candidates first; without it, all of them")
    beam_threshold: float = option(
        0.0, "drop what is worse than the best of its bin by more; 0: nothing", minimum=0
    )
    distortion_limit: int = option(
        6, "longest jump between phrases; -1: unlimited (phrases)", unit="words", minimum=-1
    )
    gap_test: bool = option(
        True, "no phrase may leave the first open word beyond the limit (phrases)"
    )
    rule_limit: int = option(20, "best rules of a source side; 0: all", minimum=0)
    early_distortion: bool = option(False, "distortion is paid as soon as it is known (phrases)")
    drop_unknown: bool = option(False, "unknown words vanish instead of being copied (phrases)")
    span_limit: int = option(
        20, "longest span under a rule, glue excepted; 0: any (hiero)", unit="words", minimum=0
    )

    @classmethod
    def for_model(cls, settings: Mapping[str, Any], given: Mapping[str, Any] = {}) -> SearchOptions:
        """A model's settings, with what is `given` instead; others of its settings are skipped."""
        names = {field.name for field in fields(cls)}
        chosen = {**settings, **given}
        return cls(**{name: value for name, value in chosen.items() if name in names})

    def phrase(self) -> _core.PhraseSearchOptions:
        from demotic import _core

        return self._copied(_core.PhraseSearchOptions())

    def hiero(self) -> _core.HieroSearchOptions:
        from demotic import _core

        return self._copied(_core.HieroSearchOptions())

    def _copied(self, native: _Native) -> _Native:
        for field in fields(self):
            if hasattr(native, field.name):
                setattr(native, field.name, getattr(self, field.name))
        return native
