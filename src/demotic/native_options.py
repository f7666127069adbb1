"""Passes options to the core: exactly the fields of its struct, no more and no less.

    native = to_native(_core.MertOptions, Mert(restarts=3), seed=1, round=2)

A field of an options class sets the field of the same name, or the one named by
`option(..., core="name")`; with `core=None` it is not passed.  Text becomes the enumeration member
of that name where the core has an enumeration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from typing import Any, TypeVar

from demotic.options import Options

__all__ = ["to_native"]

_Struct = TypeVar("_Struct")


def to_native(
    struct: type[_Struct],
    options: Options | None = None,
    *,
    kinds: Sequence[str] = ("", "phrase", "hiero"),
    **more: Any,
) -> _Struct:
    """The struct filled from `options` and `more`, which takes precedence.

    Only fields declared for one of `kinds` are used.  Raises TypeError for a value without a field
    and for a field without a value: both are programming errors.
    """
    values = {**(_given(options, kinds) if options is not None else {}), **more}
    names = _names(struct)
    unknown = [name for name in values if name not in names]
    missing = [name for name in names if name not in values]
    if unknown or missing:
        found = [f"no field {', '.join(unknown)}"] if unknown else []
        found += [f"no value for {', '.join(missing)}"] if missing else []
        raise TypeError(f"{struct.__name__}: {'; '.join(found)}")
    native = struct()
    for name, value in values.items():
        setattr(native, name, _converted(getattr(native, name), value))
    return native


def _given(options: Options, kinds: Sequence[str]) -> dict[str, Any]:
    return {
        one.metadata["core"] or one.name: getattr(options, one.name)
        for one in fields(options)
        if one.metadata["core"] is not None and one.metadata["kind"] in kinds
    }


def _names(struct: type) -> tuple[str, ...]:
    """The fields of a struct that bindings/options.h binds."""
    return tuple(name for name, value in vars(struct).items() if isinstance(value, property))


def _converted(current: Any, value: Any) -> Any:
    if isinstance(current, Enum) and isinstance(value, str):
        return type(current)[value.replace("-", "_")]
    return value
