"""TOML for files that people read and compare: a small writer, and a reader with full errors.

The writer keeps the order of values, so that two files of one kind differ only where their contents
differ.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from demotic.errors import FormatError, IoError
from demotic.lines import PathLike, write_text

__all__ = ["checked_toml", "read_toml", "toml_value", "write_toml"]

_Table = TypeVar("_Table")

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: str | int | float | bool) -> str:
    """A value as TOML; strings and numbers are written as in JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")


def write_toml(path: PathLike, values: Mapping[str, Any], *, header: str = "") -> None:
    """Writes tables of strings, numbers and booleans; values that are None are omitted."""
    with write_text(path) as file:
        file.writelines(f"# {line}".rstrip() + "\n" for line in header.splitlines())
        file.writelines(f"{line}\n" for line in _table_lines(values, ()))


def _table_lines(values: Mapping[str, Any], title: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    if title and (plain or not values):
        yield ""
        yield f"[{'.'.join(map(_key, title))}]"
    for key, value in plain.items():
        if isinstance(value, list | tuple):
            yield f"{_key(key)} = [{', '.join(map(toml_value, value))}]"
        elif value is not None:
            yield f"{_key(key)} = {toml_value(value)}"
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _table_lines(value, (*title, key))


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else toml_value(text)


def read_toml(path: PathLike, *, advice: str = "") -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise IoError(
            "the file cannot be read", path=str(path), errno=error.errno or 0, advice=advice
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(
            f"text that is not TOML: {error}", path=path, expected="a TOML file", advice=advice
        ) from None


def checked_toml(
    path: PathLike, cls: type[_Table], values: dict[str, Any] | None = None, *, advice: str = ""
) -> _Table:
    """A file as the dataclass `cls` (schema.py), or its `values` if already read."""
    from demotic.schema import checked

    table, faults = checked(cls, read_toml(path, advice=advice) if values is None else values)
    if table is None:
        raise FormatError("; ".join(faults), path=path, advice=advice)
    return table
