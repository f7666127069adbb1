"""The tuning methods by name: a learner, the kind of its evidence, and special defaults.

To add a method, add a row.  Learners and kinds are imported on use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from demotic.errors import InputError
from demotic.options import Option, Options, declared

if TYPE_CHECKING:
    from demotic.learn.kind import EvidenceKind, Updater

__all__ = ["DEFAULT_METHOD", "METHODS", "Method"]

_LISTS = "search_aware.CandidateListKind"
_FORESTS = "forest_kind.ForestKind"


@dataclass(frozen=True)
class Method:
    """`learner` and `evidence` are module.Class of `demotic.learn`."""

    text: str
    learner: str
    evidence: str = _LISTS
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of the learner that differ for this method."""
    search_aware_words: int | None = None
    """Default maximum sentence length in search-aware tuning."""
    forest_density: float | None = None
    """Default density to which forests are pruned."""

    @property
    def learner_class(self) -> type[Options]:
        found: type[Options] = _imported(self.learner)
        return found

    @property
    def options(self) -> tuple[tuple[Option, Any], ...]:
        """The learner's options with the defaults of this method."""
        known = declared(self.learner_class)
        return tuple((one, self.changed.get(one.name, one.default)) for one in known)

    def make(self, given: Mapping[str, Any]) -> Updater[Any]:
        learner: Any = self.learner_class(**{**self.changed, **given})
        return learner  # type: ignore[no-any-return]

    def parsed(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Parses NAME and VALUE from the command line; raises InputError for unknown ones."""
        known = {one.name: one for one, _ in self.options}
        values = {}
        for name, text in given.items():
            one = known.get(name.replace("-", "_"))
            if one is None:
                raise InputError(f"no option {name}", expected=f"one of {', '.join(known)}")
            value = _value(one, text)
            if not one.accepts(value):
                raise InputError(f"{name} is {text!r}", expected=one.expected)
            values[one.name] = value
        return values

    def kind(self) -> EvidenceKind[Any]:
        kind: EvidenceKind[Any] = _imported(self.evidence)()
        return kind


DEFAULT_METHOD = "mira"
METHODS = {
    "mira": Method("batch MIRA: hope and fear of k-best lists", "mira.Mira"),
    "mert": Method("MERT: exact line searches on BLEU", "mert.Mert"),
    "pro": Method("PRO: pairwise ranking of candidates", "pro.Pro", search_aware_words=9),
    "rampion": Method("RAMPION: structured ramp loss", "rampion.Rampion"),
    "rm": Method("relative margin: MIRA with bounded score differences", "rm.RelativeMargin"),
    "rm-cp": Method(
        "relative margin, solved exactly by a cutting plane",
        "rm.RelativeMargin",
        changed={"solver": "cutting-plane"},
    ),
    "hgmert": Method(
        "MERT on forests: exact line searches over all derivations",
        "hgmert.HypergraphMert",
        _FORESTS,
        forest_density=20.0,
    ),
    "forest-mira": Method(
        "MIRA of Chiang, Marton & Resnik (2008) on whole forests",
        "forest_mira.ForestMira",
        _FORESTS,
    ),
}


def _imported(name: str) -> Any:
    module, cls = name.split(".")
    return getattr(import_module(f"demotic.learn.{module}"), cls)


def _value(option: Option, text: str) -> Any:
    """The value in the option's type, or the text itself, which the option then refuses."""
    words = {"on": True, "true": True, "off": False, "false": False}
    if option.type is bool:
        return words.get(text.lower(), text)
    if option.type in (int, float):
        try:
            return option.type(text)
        except ValueError:
            return text
    return text
