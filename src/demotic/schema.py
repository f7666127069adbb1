"""Reads tables of a file into frozen dataclasses, checking every value and collecting all errors.

A field's type determines what is expected: `str`, `int`, `float`, `bool`, a `Literal`, `T | None`,
`tuple[T, ...]`, `Mapping[str, T]`, `dict[str, T]`, another dataclass or an `Options` class;
`Annotated[T, Condition]` narrows a single value.  A field with a default may be missing; a key that
is not a field is an error.

    info, faults = checked(ModelInfo, tomllib.loads(text))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from demotic.options import Options, declared
from demotic.suggestions import closest_name

__all__ = ["Condition", "checked"]

_Table = TypeVar("_Table")

_UNIONS = (UnionType, Union)  # int | str, and what typing makes of Annotated[int, ...] | None
_SHOWN = 60  # characters of a value
_KINDS: dict[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}


@dataclass(frozen=True)
class Condition:
    """A condition on a value in addition to its type, and its description."""

    expected: str
    holds: Callable[[Any], object]


def checked(cls: type[_Table], values: Mapping[str, Any]) -> tuple[_Table | None, list[str]]:
    """An instance of the dataclass `cls`, or None and the errors, one clause each."""
    faults: list[str] = []
    table = _table(cls, values, "", faults)
    return (None if faults else table), faults


def _table(cls: type[_Table], values: Mapping[str, Any], prefix: str, faults: list[str]) -> Any:
    known = {one.name: one for one in fields(cls)}  # type: ignore[arg-type]
    faults += [_unknown(prefix, key, known) for key in values if key not in known]
    if issubclass(cls, Options):
        return _options(cls, values, prefix, faults)
    hints = get_type_hints(cls, include_extras=True)
    read: dict[str, Any] = {}
    for name, one in known.items():
        key = prefix + name
        if name in values:
            read[name] = _value(hints[name], values[name], key, faults)
        elif one.default is MISSING and one.default_factory is MISSING:
            faults.append(f"{key} is missing, expected {_expected(hints[name])}")
    return None if faults else cls(**read)


def _options(cls: type[Options], values: Mapping[str, Any], prefix: str, faults: list[str]) -> Any:
    known = {one.name: one for one in declared(cls)}
    faults += [
        _wrong(prefix + name, value, known[name].expected)
        for name, value in values.items()
        if name in known and not known[name].accepts(value)
    ]
    return None if faults else cls(**values)


def _value(hint: Any, value: Any, key: str, faults: list[str]) -> Any:
    """The value converted to the type `hint`."""
    kind = _without_none(hint)
    if get_origin(kind) is Annotated:
        base, rule = get_args(kind)
        if not (_fits(base, value) and rule.holds(value)):
            faults.append(_wrong(key, value, rule.expected))
        return value
    if is_dataclass(kind) and isinstance(value, dict):
        return _table(kind, value, f"{key}.", faults)  # type: ignore[arg-type]
    if get_origin(kind) is tuple and isinstance(value, list):
        item = get_args(kind)[0]
        return tuple(_value(item, one, f"{key}[{i}]", faults) for i, one in enumerate(value))
    if get_origin(kind) in (Mapping, dict) and isinstance(value, dict):
        item = get_args(kind)[1]
        return {name: _value(item, one, f"{key}.{name}", faults) for name, one in value.items()}
    if not _fits(kind, value):
        faults.append(_wrong(key, value, _expected(kind)))
    return value


def _fits(hint: Any, value: Any) -> bool:
    """Whether a value that is neither a table nor a list has the type `hint`."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in _UNIONS:
        return any(_fits(one, value) for one in get_args(hint))
    if isinstance(value, bool):  # which is a number in Python
        return hint is bool
    return isinstance(value, int | float if hint is float else hint) if hint in _KINDS else False


def _without_none(hint: Any) -> Any:
    """TOML has no null: an optional value is simply missing."""
    if get_origin(hint) not in _UNIONS or NoneType not in get_args(hint):
        return hint
    (kind,) = (one for one in get_args(hint) if one is not NoneType)
    return kind


def _expected(hint: Any) -> str:
    kind = _without_none(hint)
    if get_origin(kind) is Annotated:
        return str(get_args(kind)[1].expected)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(get_args(kind))
    if get_origin(kind) in _UNIONS:
        return ", ".join(map(_expected, reversed(get_args(kind))))
    return _KINDS.get(kind, "a list" if get_origin(kind) is tuple else "a table")


def _wrong(key: str, value: Any, expected: str) -> str:
    return f"{key} is {_shown(value)}, expected {expected}"


def _unknown(prefix: str, key: str, known: Mapping[str, object]) -> str:
    near = closest_name(key, known)
    return f"unknown key {prefix}{key}" + (f" (did you mean {near}?)" if near else "")


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
