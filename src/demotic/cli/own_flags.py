"""Flags that name a metric or a method, ours or the user's own, and their options NAME=VALUE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.metrics.named import DEFAULT_METRIC, METRICS
from demotic.own_classes import is_own

if TYPE_CHECKING:
    from demotic.metrics.named import MetricChoice
    from demotic.train.own_rule import RuleChoice

__all__ = ["metric_choice", "metric_flags", "metric_name", "metric_names", "pairs", "rule_choice"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def metric_flags(text: str) -> Callable[[_Command], _Command]:
    """--metric and --metric-option, as arguments `metric` and `given_metric`."""

    def decorate(function: _Command) -> _Command:
        function = click.option(
            "--metric-option",
            "given_metric",
            multiple=True,
            metavar="NAME=VALUE",
            help="Setting of the metric; repeatable.",
        )(function)
        return click.option(
            "--metric",
            default=DEFAULT_METRIC,
            show_default=True,
            metavar="NAME|FILE.py:CLASS",
            help=f"{text}: {metric_names()}.",
        )(function)

    return decorate


def metric_names() -> str:
    """The values of --metric, in words."""
    return f"{', '.join(METRICS)}, or a metric of your own"


def metric_name(text: str) -> str:
    """A name that is known, in lower case, or file.py:Class; refuses others."""
    return metric_choice(text, ()).name


def metric_choice(text: str, given: Sequence[str], flag: str = "--metric-option") -> MetricChoice:
    """The metric of --metric with the NAME=VALUE of its options."""
    from demotic.errors import InputError
    from demotic.metrics.named import MetricChoice
    from demotic.options import parsed

    name = text.strip()
    choice = MetricChoice(name if is_own(name) else name.lower())
    try:
        values = parsed([one for one, _ in choice.known], pairs(given, flag))
    except InputError as error:
        raise click.BadParameter(f"{error}", param_hint=f"'{flag}'") from None
    return MetricChoice(choice.name, values)


def rule_choice(name: str | None, given: Sequence[str]) -> RuleChoice | None:
    """The rule of --update-rule with the NAME=VALUE of its options; None without one."""
    from demotic.errors import InputError
    from demotic.options import parsed
    from demotic.train.own_rule import RuleChoice

    if name is None:
        if given:
            raise click.BadParameter("it needs --update-rule", param_hint="'--option'")
        return None
    choice = RuleChoice(name)
    try:
        return RuleChoice(name, parsed(choice.known, pairs(given, "--option")))
    except InputError as error:
        raise click.BadParameter(f"{error}", param_hint="'--option'") from None


def pairs(given: Sequence[str], flag: str) -> dict[str, str]:
    """NAME=VALUE, as many as were given."""
    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise click.BadParameter(f"'{text}' is not NAME=VALUE", param_hint=f"'{flag}'")
        found[name] = value
    return found
