"""Flags made from options classes, and those that all verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from demotic.options import BYTE_UNITS, Option, Options, byte_size, declared

__all__ = [
    "ByteSize",
    "OptionalValues",
    "example",
    "force_flag",
    "from_options",
    "given_options",
    "model_out_flag",
    "quiet_and_json",
    "refused_flag",
    "refused_switch",
    "seed_flag",
    "size_text",
    "threads_flag",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Options = TypeVar("_Options", bound=Options)


class ByteSize(click.ParamType):  # type: ignore[type-arg]
    """A number of bytes, as 1073741824, 64M or 4G (in powers of 1,024)."""

    name = "bytes"

    def __init__(self, minimum: float) -> None:
        self._minimum = minimum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            size = byte_size(value)
        except ValueError:
            self.fail(f"{value!r} is not a size like 64M or 4G", param, ctx)
        if size < self._minimum:
            self.fail(f"{value} is less than {self._minimum:,.0f} bytes", param, ctx)
        return size


def size_text(size: int) -> str:
    """The shortest spelling that `ByteSize` reads: 1G for 1073741824."""
    unit, factor = max(
        (one for one in BYTE_UNITS.items() if size % one[1] == 0), key=lambda one: one[1]
    )
    return f"{size // factor}{unit}"


def _click_option(known: Option, **changed: Any) -> Callable[[_Command], _Command]:
    text = f"{known.text[0].upper()}{known.text[1:]}" + (f" [{known.unit}]" if known.unit else "")
    settings: dict[str, Any] = {"default": known.default, "help": text}
    settings["show_default"] = known.default is not None
    settings |= changed
    if known.type is bool:
        return click.option(f"{known.flag}/--no-{known.flag[2:]}", known.name, **settings)
    kind: Any = known.type
    if known.choices:
        kind = click.Choice(known.choices)
    elif known.type is int and known.unit == "bytes":
        kind = ByteSize(known.minimum or 0)
        settings["show_default"] = size_text(known.default) if known.default else False
    elif known.type is int:
        kind = click.IntRange(known.minimum, known.maximum)  # type: ignore[arg-type]
    elif known.type is float and (known.minimum, known.maximum) != (None, None):
        kind = click.FloatRange(known.minimum, known.maximum)
    return click.option(known.flag, known.name, type=kind, **settings)


def from_options(cls: type[Options], name: str = "options") -> Callable[[_Command], _Command]:
    """Adds the flags of an options class; the verb gets one checked object as argument `name`."""

    def decorate(function: _Command) -> _Command:
        from functools import wraps

        @wraps(function)
        def gathered(**arguments: Any) -> Any:
            values = {known.name: arguments.pop(known.name) for known in declared(cls)}
            return function(**{name: cls(**values)}, **arguments)

        for known in reversed(declared(cls)):
            gathered = _click_option(known)(gathered)
        return gathered  # type: ignore[return-value]

    return decorate


def given_options(
    cls: type[Options], name: str = "given", *, kept: type[Options] | None = None
) -> Callable[[_Command], _Command]:
    """Adds the flags of an options class of which a model keeps values: those of `kept`, by default
    all. The verb gets a dict, argument `name`, with the values that the user gave."""
    of_model = {known.name for known in declared(kept or cls)}

    def decorate(function: _Command) -> _Command:
        from functools import wraps

        @wraps(function)
        def gathered(**arguments: Any) -> Any:
            values = {known.name: arguments.pop(known.name) for known in declared(cls)}
            given = {key: value for key, value in values.items() if value is not None}
            return function(**{name: given}, **arguments)

        for known in reversed(declared(cls)):
            shown = f"the model's, else {known.shown}" if known.name in of_model else known.shown
            gathered = _click_option(known, default=None, show_default=shown)(gathered)
        return gathered  # type: ignore[return-value]

    return decorate


def quiet_and_json(function: _Command) -> _Command:
    function = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(
        function
    )
    return click.option("--quiet", is_flag=True, help="Suppress progress and remarks.")(function)


def refused_flag(old: str, advice: Callable[[str], str]) -> Callable[[_Command], _Command]:
    """Refuses a flag that this verb does not have; `advice` tells what to do with its value."""

    def refuse(_context: click.Context, _flag: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(f"{old} is not a flag of this verb; {advice(value)}")

    name = f"refused_{old.strip('-')}"  # the verb may have an argument of the flag's name
    return click.option(old, name, hidden=True, expose_value=False, callback=refuse)


def refused_switch(old: str, advice: str) -> Callable[[_Command], _Command]:
    """The same for a flag without a value."""

    def refuse(_context: click.Context, _flag: click.Parameter, given: bool) -> None:
        if given:
            raise click.UsageError(f"{old} is not a flag of this verb; {advice}")

    name = f"refused_{old.strip('-').replace('-', '_')}"
    return click.option(old, name, is_flag=True, hidden=True, expose_value=False, callback=refuse)


class OptionalValues(click.Command):
    """A verb with options whose value may be omitted, as in --evidence or --evidence 5.

    Click takes any argument after such an option as its value; here only one that can be it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        optional = {
            name: option
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            if isinstance(option.flag_value, int | str)
            for name in option.opts
        }
        completed = [
            arg
            if arg not in optional or _may_be_value(optional[arg], following)
            else f"{arg}={optional[arg].flag_value}"
            for arg, following in zip(args, [*args[1:], ""], strict=True)
        ]
        return super().parse_args(ctx, completed)


def _may_be_value(option: click.Option, text: str) -> bool:
    if isinstance(option.type, click.Choice):
        return text in option.type.choices
    return text.isdecimal()


def model_out_flag(function: _Command) -> _Command:
    """The directory of a new model."""
    return click.option(
        "-o",
        "--out",
        required=True,
        type=click.Path(path_type=Path),
        help="Directory for the new model.",
    )(function)


def force_flag(text: str) -> Callable[[_Command], _Command]:
    """--force; `text` says what it replaces."""
    return click.option("--force", is_flag=True, help=text)


def _available_cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def threads_flag(function: _Command) -> _Command:
    return click.option(
        "--threads",
        type=click.IntRange(1),
        default=_available_cores,
        show_default="all cores",
        help="Number of threads; does not affect the result.",
    )(function)


def seed_flag(function: _Command) -> _Command:
    return click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")(
        function
    )


def example(*lines: str) -> str:
    """An epilog that click does not rewrap."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
