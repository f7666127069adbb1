"""How a model is searched: the space of derivations and the effort spent in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from demotic.errors import InputError
from demotic.native_options import handed
from demotic.near import did_you_mean, near_name
from demotic.options import Options, declared, option

if TYPE_CHECKING:
    from demotic import _core
    from demotic.model import Model

__all__ = ["BinOptions", "KBestOptions", "SearchOptions", "chosen_for"]

# Settings of models that are no choice of the user: they say what the grammar is.
GRAMMAR_SETTINGS = (
    "default_nonterminal",
    "glue",
    "goal",
    "mark_unknown",
    "pass_through_all",
    "unknown_phrase_penalty",
)


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
        6,
        "longest jump between phrases; -1: unlimited (phrases)",
        unit="words",
        minimum=-1,
        kind="phrase",
    )
    gap_test: bool = option(
        True, "no phrase may leave the first open word beyond the limit (phrases)", kind="phrase"
    )
    rule_limit: int = option(20, "best rules of a source side; 0: all", minimum=0)
    early_distortion: bool = option(
        False, "distortion is paid as soon as it is known (phrases)", kind="phrase"
    )
    drop_unknown: bool = option(
        False, "unknown words vanish instead of being copied (phrases)", kind="phrase"
    )
    span_limit: int = option(
        20,
        "longest span under a rule, glue excepted; 0: any (hiero)",
        unit="words",
        minimum=0,
        kind="hiero",
    )

    @classmethod
    def for_model(cls, model: Model, given: Mapping[str, Any] = {}) -> SearchOptions:
        """A model's settings, with what is `given` instead. Raises InputError."""
        return cls(**chosen_for(cls, model, given))

    def phrase(self) -> _core.PhraseSearchOptions:
        from demotic import _core

        return handed(_core.PhraseSearchOptions, self, kinds=("", "phrase"))

    def hiero(self) -> _core.HieroSearchOptions:
        from demotic import _core

        return handed(_core.HieroSearchOptions, self, kinds=("", "hiero"))


@dataclass(frozen=True, kw_only=True)
class KBestOptions(Options):
    """Which of a search's derivations go into a list."""

    k: int = option(100, "length of the list", minimum=1)
    distinct: bool = option(True, "different translations, the best derivation of each")
    max_examined: int = option(
        1_000_000, "derivations looked at for distinct translations", minimum=1
    )


@dataclass(frozen=True, kw_only=True)
class BinOptions(Options):
    """Which hypotheses of a search's bins go into lists, and with which features."""

    potential: bool = option(
        True, "complete a hypothesis with the best monotone translations of its open spans"
    )
    future_features: bool = option(True, "add the features of that completion")


def chosen_for(cls: type[Options], model: Model, given: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Values for `cls`: the settings in a model's file, and what is `given` instead.

    Raises InputError for an option of the other kind of model, and for settings that have no
    meaning.  Settings of the other kind are left out: files of other toolkits have both.
    """
    known = {one.name: one for one in declared(cls)}
    for name in given:
        if name not in known:
            near = did_you_mean(near_name(name, known))
            raise InputError(f"no option {name}{near}", expected=f"one of {', '.join(known)}")
        if known[name].kind not in ("", model.kind):
            raise InputError(
                f"{known[name].flag} for a {model.kind} model",
                path=model.path,
                expected=f"a {known[name].kind} model",
                advice="leave it out",
            )
    _check_settings(model)
    own = {
        name: value
        for name, value in model.settings.items()
        if name in known and known[name].kind in ("", model.kind)
    }
    return {**own, **given}


def _check_settings(model: Model) -> None:
    known = {*(one.name for one in declared(SearchOptions)), *GRAMMAR_SETTINGS}
    for name in model.settings:
        if name not in known:
            raise InputError(
                f"the unknown setting {name} in [search]{did_you_mean(near_name(name, known))}",
                path=model.path / "model.toml",
                expected=f"one of {', '.join(sorted(known))}",
            )
