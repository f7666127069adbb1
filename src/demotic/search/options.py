"""The options of the search: its space of derivations and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from demotic.errors import InputError
from demotic.native_options import to_native
from demotic.options import Option, Options, declared, kind_name, option
from demotic.suggestions import closest_name, did_you_mean

if TYPE_CHECKING:
    from demotic import _core
    from demotic.model import Model

__all__ = ["BinOptions", "KBestOptions", "SearchOptions", "Unknown", "chosen_for"]

Unknown = Literal["copy", "drop", "transliterate"]
"""What becomes of source words without a rule."""

# Settings of a model that describe its grammar and are not chosen by the user.
GRAMMAR_SETTINGS = (
    "default_nonterminal",
    "glue",
    "goal",
    "pass_through_all",
    "unknown_phrase_penalty",
)


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """The search space and its limits. A model may have its own defaults."""

    beam_size: int = option(200, "beam size: hypotheses kept per bin", minimum=1, flag="--beam")
    pop_limit: int = option(400, "cube-pruning pop limit: candidates scored per bin", minimum=1)
    cube_pruning: bool = option(True, "score the best candidates first; without it, all candidates")
    beam_threshold: float = option(
        0.0, "prune hypotheses this far below the best of their bin; 0 disables", minimum=0
    )
    future_cost: bool = option(
        True,
        "rank partial hypotheses with an estimate of their future cost; without it, by score alone "
        "(phrases)",
        kind="phrase",
    )
    distortion_limit: int = option(
        6,
        "distortion limit in words; -1 for none (phrases)",
        minimum=-1,
        kind="phrase",
    )
    gap_test: bool = option(
        True,
        "refuse jumps after which the distortion limit makes the first uncovered word unreachable "
        "(phrases)",
        kind="phrase",
    )
    rule_limit: int = option(20, "rules kept per source side; 0 for all", minimum=0)
    early_distortion: bool = option(
        False, "add distortion as soon as it is known (phrases)", kind="phrase"
    )
    drop_unknown: bool = option(
        False, "drop unknown words instead of copying them (phrases)", kind="phrase"
    )
    span_limit: int = option(
        20,
        "maximum span of a rule except glue; 0 for none (hiero)",
        unit="words",
        minimum=0,
        kind="hiero",
    )

    @classmethod
    def for_model(cls, model: Model, given: Mapping[str, Any] = {}) -> SearchOptions:
        """A model's settings, overridden by `given`. Raises InputError."""
        return cls(**chosen_for(cls, model, given))

    def phrase(self) -> _core.PhraseSearchOptions:
        from demotic import _core

        return to_native(_core.PhraseSearchOptions, self, kinds=("", "phrase"))

    def hiero(self) -> _core.HieroSearchOptions:
        from demotic import _core

        return to_native(_core.HieroSearchOptions, self, kinds=("", "hiero"))


@dataclass(frozen=True, kw_only=True)
class KBestOptions(Options):
    """Which derivations of a search are listed."""

    k: int = option(100, "length of the list", minimum=1)
    distinct: bool = option(True, "only distinct translations, the best derivation of each")
    max_examined: int = option(
        1_000_000, "derivations examined for distinct translations", minimum=1
    )


@dataclass(frozen=True, kw_only=True)
class BinOptions(Options):
    """Which hypotheses of the bins are listed, and with which features."""

    potential: bool = option(
        True, "complete hypotheses with the best monotone translations of uncovered spans"
    )
    future_features: bool = option(True, "add the features of that completion")


def _given_flag(one: Option, value: object) -> str:
    """The flag as the user gave it: --no-future-cost for False."""
    return one.flag.replace("--", "--no-", 1) if value is False else one.flag


def chosen_for(cls: type[Options], model: Model, given: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Values for `cls`: the settings in a model's file, overridden by `given`.

    Raises InputError for an option of the other kind of model, and for unknown settings.  Settings
    of the other kind are ignored, since configurations of other toolkits have both.
    """
    known = {one.name: one for one in declared(cls)}
    for name, value in given.items():
        if name not in known:
            near = did_you_mean(closest_name(name, known))
            raise InputError(f"no option {name}{near}", expected=f"one of {', '.join(known)}")
        if known[name].kind not in ("", model.kind):
            raise InputError(
                f"{_given_flag(known[name], value)} for a {kind_name(model.kind)} model",
                path=model.path,
                expected=f"a {kind_name(known[name].kind)} model",
                advice="omit it",
            )
    _check_settings(model)
    own = {
        name: value
        for name, value in model.settings.items()
        if name in known and known[name].kind in ("", model.kind)
    }
    return {**own, **given}


def _check_settings(model: Model) -> None:
    from demotic.search.decision import DecisionOptions

    names = (one.name for cls in (SearchOptions, DecisionOptions) for one in declared(cls))
    known = {*names, *GRAMMAR_SETTINGS}
    for name in model.settings:
        if name not in known:
            raise InputError(
                f"the unknown setting {name} in [search]{did_you_mean(closest_name(name, known))}",
                path=model.path / "model.toml",
                expected=f"one of {', '.join(sorted(known))}",
            )
