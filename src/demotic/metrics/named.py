"""Metrics by name: those of the package, those of installed packages, and the user's own.

    choice = MetricChoice("chrf", {"beta": 3})
    metric = choice.make(References.from_streams([lines]))

`file.py:Class` names a class derived from `Metric`; it is called with the references and, if it has
an `options_class`, with the options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from demotic.errors import InputError
from demotic.metrics.metric import Metric
from demotic.metrics.references import References
from demotic.options import Option, declared
from demotic.own_classes import OwnClass, entry_points_of, is_own, load_class
from demotic.suggestions import closest_name, did_you_mean

__all__ = ["DEFAULT_METRIC", "METRICS", "MetricChoice", "NamedMetric", "create_metric"]

MakeMetric = Callable[[References], Metric]

_GROUP = "demotic.metrics"
_BASE = "a class derived from demotic.metrics.Metric"


@dataclass(frozen=True)
class NamedMetric:
    """`metric` is module.Class of `demotic.metrics`."""

    text: str
    metric: str
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of its options that are others under this name."""


DEFAULT_METRIC = "bleu"
METRICS = {
    "bleu": NamedMetric("BLEU (Papineni et al. 2002)", "bleu.Bleu"),
    "char-bleu": NamedMetric("BLEU of characters", "bleu.Bleu", {"tokenize": "char"}),
    "ter": NamedMetric("translation edit rate (Snover et al. 2006)", "ter.Ter"),
    "chrf": NamedMetric("F score of character n-grams (Popovic 2015)", "chrf.Chrf"),
    "chrf++": NamedMetric(
        "F score of character and word n-grams (Popovic 2017)", "chrf.Chrf", {"word_order": 2}
    ),
    "ter-bleu": NamedMetric("(TER-BLEU)/2 (Eidelman et al. 2013)", "ter_bleu.TerBleu"),
}


@dataclass(frozen=True)
class MetricChoice:
    """A metric by name, and the options that were given for it; checked when it is made."""

    name: str = DEFAULT_METRIC
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _ = self._found
        self._options({})

    @cached_property
    def _found(self) -> OwnClass:
        named = METRICS.get(self.name)
        if named is not None:
            module, cls = named.metric.split(".")
            return OwnClass(getattr(import_module(f"demotic.metrics.{module}"), cls), "")
        found = load_class(_place(self.name), _BASE)
        if not issubclass(found.cls, Metric):
            raise InputError(f"{self.name} is not a metric", expected=_BASE)
        return found

    @property
    def text(self) -> str:
        """What it is, for people."""
        named = METRICS.get(self.name)
        return named.text if named else (self._found.cls.__doc__ or "").split("\n")[0].rstrip(".")

    @property
    def digest(self) -> str:
        """Tells the code of a metric of the user's own from another version; else empty."""
        return self._found.digest

    @property
    def higher_is_better(self) -> bool:
        return bool(self._found.cls.higher_is_better)  # type: ignore[attr-defined]

    @property
    def known(self) -> tuple[tuple[Option, Any], ...]:
        """The options of the metric with the defaults that this name gives them."""
        options = self._found.cls.options_class  # type: ignore[attr-defined]
        changed = METRICS[self.name].changed if self.name in METRICS else {}
        if options is None:
            return ()
        return tuple((one, changed.get(one.name, one.default)) for one in declared(options))

    def make(self, references: References, defaults: Mapping[str, Any] | None = None) -> Metric:
        """The metric for these references.

        `defaults` replace those of its options that neither the name nor the user has set.
        """
        options = self._options(defaults or {})
        made = (
            self._found.cls(references) if options is None else self._found.cls(references, options)
        )
        metric: Metric = made
        return metric

    def _options(self, defaults: Mapping[str, Any]) -> Any:
        names = {one.name for one, _ in self.known}
        unknown = [name for name in self.options if name not in names]
        if unknown:
            has = f"one of {', '.join(names)}" if names else "none: it has no options"
            raise InputError(f"no option {unknown[0]} of the metric {self.name}", expected=has)
        if not names:
            return None
        changed = METRICS[self.name].changed if self.name in METRICS else {}
        fitting = {name: value for name, value in defaults.items() if name in names}
        return self._found.cls.options_class(  # type: ignore[attr-defined]
            **{**fitting, **changed, **self.options}
        )


def create_metric(
    chosen: str | MetricChoice | MakeMetric,
    references: References,
    defaults: Mapping[str, Any] | None = None,
) -> Metric:
    """The metric of a name, of a choice, or of a function (or class) of the references."""
    if isinstance(chosen, str):
        chosen = MetricChoice(chosen)
    if isinstance(chosen, MetricChoice):
        return chosen.make(references, defaults)
    return chosen(references)


def _place(name: str) -> str:
    """file.py:Class or module:Class of a metric that is not the package's."""
    if is_own(name):
        return name
    installed = entry_points_of(_GROUP)
    if name not in installed:
        known = [*METRICS, *installed]
        raise InputError(
            f"no metric {name!r}{did_you_mean(closest_name(name, known))}",
            expected=f"one of {', '.join(known)}, or file.py:Class",
        )
    return installed[name]
