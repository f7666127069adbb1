"""Options, declared once per component as a frozen dataclass; flags, docs and checks follow.

    @dataclass(frozen=True, kw_only=True)
    class BrownOptions(Options):
        classes: int = option(200, "number of classes", minimum=1)

The type of a field determines its flag: `bool` gives --name/--no-name, `Literal` a choice.  The
constructor checks every value, so nothing downstream has to.  Where the core has a struct with the
same options, `to_native` (native_options.py) fills it, and a test compares the defaults.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from demotic.errors import InputError

__all__ = [
    "BYTE_UNITS",
    "Option",
    "Options",
    "byte_size",
    "declared",
    "kind_name",
    "option",
    "parsed",
    "same_option",
    "table",
]

BYTE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def option(
    default: Any,
    text: str,
    *,
    unit: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    flag: str = "",
    kind: Literal["", "phrase", "hiero"] = "",
    core: str | None = "",
) -> Any:
    """A field of an options class: default, help text, unit, range, and flag if not its name.

    `kind` is the kind of model that the option applies to if there is only one; `core` is its name
    in the struct of the core if it differs, None if the core does not have it.
    """
    metadata = {"text": text, "unit": unit, "minimum": minimum, "maximum": maximum, "flag": flag}
    return field(default=default, metadata={**metadata, "kind": kind, "core": core})


def kind_name(kind: str) -> str:
    """A kind of model in texts: phrase, Hiero."""
    return {"hiero": "Hiero"}.get(kind, kind)


@dataclass(frozen=True, kw_only=True)
class Option:
    """The declaration of one field of an options class."""

    name: str
    type: type
    default: Any
    text: str
    unit: str
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    optional: bool
    flag: str
    kind: str
    core: str | None

    @property
    def shown(self) -> str:
        """The default as text."""
        if self.default is None:
            return "-"
        return ("off", "on")[self.default] if self.type is bool else str(self.default)

    @property
    def expected(self) -> str:
        """The accepted values, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = {int: "a whole number", float: "a number", bool: "true or false"}.get(
            self.type, "text"
        )
        if self.unit == "bytes":
            kind = "a size like 64M or 4G"
        if self.minimum is not None and self.maximum is not None:
            return f"{kind} from {self.minimum:g} to {self.maximum:g}"
        if self.minimum is not None:
            return f"{kind} of at least {self.minimum:g}"
        return kind if self.maximum is None else f"{kind} of at most {self.maximum:g}"

    def accepts(self, value: Any) -> bool:
        if value is None:
            return self.optional
        if self.choices:
            return value in self.choices
        if self.type is float:
            good = isinstance(value, int | float) and not isinstance(value, bool)
            good = good and math.isfinite(value)
        else:
            good = isinstance(value, self.type) and (
                self.type is bool or not isinstance(value, bool)
            )
        return (
            good
            and (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
        )


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options classes; checks every field."""

    def __post_init__(self) -> None:
        for known in declared(type(self)):
            value = getattr(self, known.name)
            if not known.accepts(value):
                raise InputError(f"{known.name} is {value!r}", expected=known.expected)


def same_option(cls: type[Options], name: str, default: Any = None) -> Any:
    """A field that another options class has too, declared there; `default` may differ."""
    (known,) = (one for one in fields(cls) if one.name == name)
    return field(default=known.default if default is None else default, metadata=known.metadata)


def declared(cls: type[Options]) -> tuple[Option, ...]:
    """The options of a class in order of declaration."""
    hints = get_type_hints(cls)
    return tuple(_declared(cls, hints))


def _declared(cls: type[Options], hints: dict[str, Any]) -> Iterator[Option]:
    for one in fields(cls):
        hint = hints[one.name]
        optional = NoneType in get_args(hint)
        if optional:
            (hint,) = (part for part in get_args(hint) if part is not NoneType)
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        if one.default is MISSING or "text" not in one.metadata:
            raise TypeError(f"{cls.__name__}.{one.name}: declare it with option(default, text)")
        known = dict(one.metadata)
        known["flag"] = known["flag"] or "--" + one.name.replace("_", "-")
        yield Option(
            name=one.name,
            type=str if choices else hint,
            default=one.default,
            choices=choices,
            optional=optional,
            **known,
        )


def parsed(known: Iterable[Option], given: Mapping[str, str]) -> dict[str, Any]:
    """NAME and VALUE as people write them; raises InputError for what there is not."""
    by_name = {one.name: one for one in known}
    values = {}
    for name, text in given.items():
        one = by_name.get(name.replace("-", "_"))
        if one is None:
            has = f"one of {', '.join(by_name)}" if by_name else "none, there are no options"
            raise InputError(f"no option {name}", expected=has)
        value = _value(one, text)
        if not one.accepts(value):
            raise InputError(f"{name} is {text!r}", expected=one.expected)
        values[one.name] = value
    return values


def _value(option: Option, text: str) -> Any:
    """Of the option's type, or the text itself, which the option then refuses."""
    words = {"on": True, "true": True, "off": False, "false": False}
    if option.type is bool:
        return words.get(text.lower(), text)
    if option.type in (int, float):
        try:
            return byte_size(text) if option.unit == "bytes" else option.type(text)
        except ValueError:
            return text
    return text


def byte_size(text: str) -> int:
    """Bytes of 1073741824, 64M or 4G, in powers of 1,024. Raises ValueError."""
    whole = text.strip().upper().removesuffix("B")
    number = whole.rstrip("KMGT")
    try:
        return int(float(number) * BYTE_UNITS[whole[len(number) :]])
    except (KeyError, OverflowError):
        raise ValueError(text) from None


def table(cls: type[Options]) -> str:
    """The options as a Markdown table, for the documentation."""
    rows = ["| flag | default | unit | meaning |", "|---|---|---|---|"]
    for known in declared(cls):
        text = known.text + (f" ({', '.join(known.choices)})" if known.choices else "")
        cell = text.replace("|", r"\|")
        rows.append(f"| `{known.flag}` | {known.shown} | {known.unit} | {cell} |")
    return "\n".join(rows)
