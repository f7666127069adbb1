"""The tuning methods by name: a learner, the kind of its evidence, and special defaults.

To add a method, add a row, or name a class of your own: `find_method("file.py:Class")`.  Learners
and kinds are imported on use.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from demotic.errors import InputError
from demotic.options import Option, Options, declared
from demotic.options import parsed as parsed_options
from demotic.own_classes import entry_points_of, is_own, load_class
from demotic.suggestions import closest_name, did_you_mean

if TYPE_CHECKING:
    from demotic.learn.kind import EvidenceKind, Updater

__all__ = ["DEFAULT_METHOD", "METHODS", "Method", "find_method", "kind_for"]

_GROUP = "demotic.learners"
_BASE = "a class with update(weights, evidence, metric, *, seed, round_number, threads)"
_ARGUMENTS = ("seed", "round_number", "threads")

_KINDS = {"lists": "search_aware.CandidateListKind", "forests": "forest_kind.ForestKind"}


@dataclass(frozen=True)
class Method:
    """`learner` is module.Class of `demotic.learn`, or a class of the user's own."""

    text: str
    learner: str | type
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the learner that differ for this method."""
    changed_if_aware: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the learner that differ in search-aware tuning."""
    changed_if_sparse: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the learner that differ if sparse weights are tuned."""
    search_aware_words: int | None = None
    """Default maximum sentence length in search-aware tuning."""
    forest_density: float | None = None
    """Default density to which forests are pruned."""
    digest: str = ""
    """Tells the code of a learner of the user's own from another version."""

    @property
    def learner_class(self) -> type:
        return _imported(self.learner) if isinstance(self.learner, str) else self.learner

    @property
    def options(self) -> tuple[tuple[Option, Any], ...]:
        """The learner's options with the defaults of this method."""
        cls = self.learner_class
        known = declared(cls) if issubclass(cls, Options) else ()
        return tuple((one, self.changed.get(one.name, one.default)) for one in known)

    def make(
        self, given: Mapping[str, Any], *, search_aware: bool = False, sparse: bool = False
    ) -> Updater[Any]:
        """The learner; `search_aware`: for search-aware tuning, `sparse`: of sparse weights."""
        changed = {
            **self.changed,
            **(self.changed_if_aware if search_aware else {}),
            **(self.changed_if_sparse if sparse else {}),
        }
        learner: Any = self.learner_class(**{**changed, **given})
        return learner  # type: ignore[no-any-return]

    def parsed(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Parses NAME and VALUE from the command line; raises InputError for unknown ones."""
        return parsed_options([one for one, _ in self.options], given)

    def kind(self) -> EvidenceKind[Any]:
        return kind_for(self.learner_class)


DEFAULT_METHOD = "mira"
# More sweeps fit the tuning set better, and other text worse.
_FEW_SWEEPS = {"sweeps": 10}
_SMALL_STEPS = {"step": 1e-4, "bound_step": 1e-4, **_FEW_SWEEPS}
METHODS = {
    "mira": Method(
        "batch MIRA: hope and fear of k-best lists",
        "mira.Mira",
        # A sweep over the bins makes several times the steps of one over k-best lists.
        changed_if_aware={"sweeps": 20},
        changed_if_sparse=_FEW_SWEEPS,
    ),
    "mert": Method(
        "MERT: exact line searches on the metric",
        "mert.Mert",
        # The objective of many lists is smoother: more restarts find the same optimum.
        changed_if_aware={"restarts": 5},
    ),
    "pro": Method(
        "PRO: pairwise ranking of candidates",
        "pro.Pro",
        # Features of single sentences tell the pairs of the tuning set apart, and nothing else.
        changed_if_sparse={"regularization": 1000.0},
        search_aware_words=9,
    ),
    "rampion": Method("RAMPION: structured ramp loss", "rampion.Rampion"),
    "rm": Method(
        "relative margin: MIRA with bounded score differences",
        "rm.RelativeMargin",
        changed_if_sparse=_SMALL_STEPS,
    ),
    "rm-cp": Method(
        "relative margin, solved exactly by a cutting plane",
        "rm.RelativeMargin",
        changed={"solver": "cutting-plane"},
        changed_if_sparse=_SMALL_STEPS,
    ),
    "hgmert": Method(
        "MERT on forests: exact line searches over all derivations",
        "hgmert.HypergraphMert",
        forest_density=20.0,
    ),
    "forest-mira": Method(
        "MIRA of Chiang, Marton & Resnik (2008) on whole forests",
        "forest_mira.ForestMira",
    ),
}


def find_method(name: str) -> Method:
    """One of METHODS, of an installed package, or `file.py:Class`."""
    if name in METHODS:
        return METHODS[name]
    place = name
    if not is_own(name):
        installed = entry_points_of(_GROUP)
        known = [*METHODS, *installed]
        if name not in installed:
            raise InputError(
                f"no method {name!r}{did_you_mean(closest_name(name, known))}",
                expected=f"one of {', '.join(known)}, or file.py:Class",
            )
        place = installed[name]
    found = load_class(place, _BASE)
    _check_learner_class(found.cls, place)
    text = inspect.cleandoc(found.cls.__doc__ or name).split("\n")[0].rstrip(".")
    return Method(text, found.cls, digest=found.digest)


def kind_for(learner: type) -> EvidenceKind[Any]:
    """The kind of evidence that a learner asks for by its attribute `evidence`; lists without."""
    asked = getattr(learner, "evidence", "lists")
    if asked not in _KINDS:
        raise InputError(
            f"the learner {learner.__name__} asks for {asked!r} as evidence",
            expected=f"one of {', '.join(_KINDS)}",
        )
    kind: EvidenceKind[Any] = _imported(_KINDS[asked])()
    return kind


def _check_learner_class(cls: type, place: str) -> None:
    update = getattr(cls, "update", None)
    if not callable(update):
        raise InputError(f"{place} has no method update", expected=_BASE)
    parameters = inspect.signature(update).parameters
    open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    missing = [name for name in _ARGUMENTS if name not in parameters and not open_ended]
    if missing:
        raise InputError(
            f"update of {place} has no argument {missing[0]}",
            expected=_BASE,
            advice="see docs/howto/learner.md, A learner of your own",
        )


def _imported(name: str) -> Any:
    module, cls = name.split(".")
    return getattr(import_module(f"demotic.learn.{module}"), cls)
